import Glibc

/// Returns the names in a folder in order, without `.` and `..`.
///
/// - Parameter path: The folder.
/// - Returns: Hidden ones too; nothing when there is no such folder.
package func names(inFolder path: String) -> [String] {
  guard let stream = unsafe opendir(path) else { return [] }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream), let field = unsafe entry.pointer(to: \.d_name) {
    // Safe: the system ends the name with a zero, and the entry lives until the next call.
    let start = unsafe UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self)
    names.append(unsafe String(cString: start))
  }
  return names.filter { $0 != "." && $0 != ".." }.sorted()
}

/// Removes a file, or a folder with all that it holds.
///
/// - Parameter path: The file or folder; when there is none, nothing happens.
package func removeTree(_ path: String) {
  guard unsafe unlink(path) != 0 else { return }
  for name in names(inFolder: path) { removeTree(path + "/" + name) }
  _ = unsafe rmdir(path)
}
