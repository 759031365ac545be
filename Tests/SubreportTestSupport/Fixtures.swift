#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Returns the path of a folder of real files, or nil where it is not there.
///
/// The folders are beside the repository, or where `SUBREPORT_FIXTURES` says.
///
/// - Parameter name: The folder's name, as `reports` or `reports/`.
/// - Returns: The path, which ends as the name does.
package func fixtureFolder(_ name: String) -> String? {
  // Safe: the environment is not changed while tests run.
  let variable = unsafe getenv("SUBREPORT_FIXTURES").map { unsafe String(cString: $0) }
  let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let folder = (variable ?? "/\(package)/../shared/fixtures") + "/" + name
  // Safe: the system copies the path during the call.
  return unsafe access(folder, R_OK) == 0 ? folder : nil
}
