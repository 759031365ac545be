import Glibc

extension OutputFileSystem {
  /// Returns the names in a folder, sorted by their bytes.
  static func names(in folder: String) throws(OutputError) -> [String] {
    try rawNames(in: Array(folder.utf8CString)).map(text)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Removes a file, a link, or a folder with all it holds; links are never followed.
  ///
  /// What cannot be removed stays: the next run on the same output tries again.
  static func removeTree(_ path: String) {
    removeTree(Array(path.utf8CString))
  }

  /// Names stay bytes here, because a file name need not be UTF-8.
  private static func removeTree(_ path: [CChar]) {
    guard unsafe unlink(path) != 0, errno == EISDIR || errno == EPERM else { return }
    for name in (try? rawNames(in: path)) ?? [] {
      removeTree(path.dropLast() + [CChar(bitPattern: UInt8(ascii: "/"))] + name)
    }
    _ = unsafe rmdir(path)
  }

  /// Returns the names in a folder without `.` and `..`, each with its terminating zero.
  private static func rawNames(in folder: [CChar]) throws(OutputError) -> [[CChar]] {
    guard let stream = unsafe opendir(folder) else {
      throw failure("read", text(folder))
    }
    defer { unsafe closedir(stream) }
    var names: [[CChar]] = []
    while let entry = unsafe readdir(stream) {
      // Safe: readdir ends the name with a zero and keeps it until the next call on the stream.
      guard let field = unsafe entry.pointer(to: \.d_name) else { continue }
      let start = unsafe UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self)
      let name = unsafe Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
      let dot = CChar(bitPattern: UInt8(ascii: "."))
      if name != [dot, 0], name != [dot, dot, 0] { names.append(name) }
    }
    return names
  }

  private static func text(_ name: [CChar]) -> String {
    String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
