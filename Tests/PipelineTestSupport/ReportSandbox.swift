import Glibc
import SubreportTestSupport

/// A temporary folder of report files, removed with all it holds when the test ends.
package final class ReportSandbox {
  /// The temporary folder.
  package let path: String

  package init() throws {
    path = try Files.makeTemporaryFolder()
  }

  /// Makes a folder that holds files, by their paths below it.
  package convenience init(_ files: [String: [UInt8]]) throws {
    try self.init()
    for (name, bytes) in files { try write(name, bytes) }
  }

  deinit { removeTree(path) }

  /// Writes a file and makes the folders above it; what was there before is replaced.
  package func write(_ name: String, _ bytes: [UInt8]) throws {
    makeFolders(above: name)
    guard let file = unsafe fopen(path + "/" + name, "w") else {
      throw Files.Failure("write", name)
    }
    let written = unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
    guard written == bytes.count else { throw Files.Failure("write", name) }
  }

  package func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  package func makeFolder(_ name: String) { makeFolders(above: name + "/") }

  package func makeLink(_ name: String, to target: String) throws {
    makeFolders(above: name)
    guard unsafe symlink(target, path + "/" + name) == 0 else { throw Files.Failure("link", name) }
  }

  package func remove(_ name: String) { removeTree(path + "/" + name) }

  package func bytes(_ name: String) throws -> [UInt8] { try fileBytes(path + "/" + name) }

  private func makeFolders(above name: String) {
    let parents = name.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folder = path
    for parent in parents {
      folder += "/" + parent
      _ = unsafe mkdir(folder, 0o755)
    }
  }
}

/// The whole content of a file.
package func fileBytes(_ path: String) throws -> [UInt8] {
  guard let bytes = Files.bytes(of: path) else { throw Files.Failure("read", path) }
  return bytes
}
