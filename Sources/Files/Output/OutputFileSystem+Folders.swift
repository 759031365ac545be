import Glibc
import Scanning

extension OutputFileSystem {
  /// Returns the names in a folder, sorted by their bytes, without `.` and `..`.
  ///
  /// - Throws: ``OutputError/system(operation:path:number:)`` when the folder cannot be opened or read to its end:
  ///   the caller could not recognize an incomplete list.
  package static func names(in folder: String) throws(OutputError) -> [String] {
    guard let stream = unsafe opendir(SystemPath.bytes(of: folder)) else {
      throw failure("open", folder)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      // readdir returns nil at the end and on errors; only errno tells them apart.
      errno = 0
      guard let entry = unsafe readdir(stream), let field = unsafe entry.pointer(to: \.d_name)
      else {
        guard errno == 0 else { throw failure("read", folder) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      // Safe: readdir ends the name with a zero and keeps it until the next call on the stream.
      let start = unsafe UnsafeRawPointer(field).assumingMemoryBound(to: UInt8.self)
      let length = unsafe strlen(UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
      let name = unsafe SystemPath.text(of: Array(UnsafeBufferPointer(start: start, count: length)))
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Removes a file, a link, or a folder with all its contents; links are never followed.
  ///
  /// Ignores failures: the next run on the same output tries again.
  package static func removeTree(_ path: String) {
    let bytes = SystemPath.bytes(of: path)
    guard unsafe unlink(bytes) != 0, errno == EISDIR || errno == EPERM else { return }
    for name in (try? names(in: path)) ?? [] { removeTree(path + "/" + name) }
    _ = unsafe rmdir(bytes)
  }
}
