package import Files

/// Entries from elsewhere that a cache gets all together, or not at all.
///
/// They are temporary files of the cache until ``end()``.
package final class EntryDelivery {
  private let folder: CacheFolder
  private let version: String
  /// The temporary file of each entry, by the entry's name.
  private var waiting: [String: String] = [:]

  /// Opens a cache; creates it if nothing is at the path, or an empty folder.
  ///
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The tool's version.
  /// - Throws: `OutputError` when the folder cannot be created or trusted: see ``CacheFolder``.
  package init(to path: String, version: String) throws(OutputError) {
    folder = try CacheFolder(path: path)
    self.version = version
  }

  deinit {
    for temporary in waiting.values { OutputFileSystem.removeTree(temporary) }
  }

  /// Returns whether a text can be the name of a file's entry, which is a file name: no path, and nothing hidden.
  package static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count > 65 && bytes.count <= 255
      && bytes.prefix(64).allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
      && bytes[64] == UInt8(ascii: "-")
      && bytes[65...].allSatisfy {
        0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "-")
      }
  }

  /// Adds an entry of a file.
  ///
  /// - Throws: `OutputError.system`, such as for a full disk.
  package func add(_ entry: FileEntry) throws(OutputError) {
    precondition(Self.isName(entry.name), "an entry is a file of the cache")
    // Two files with the same bytes have one entry.
    guard waiting[entry.name] == nil else { return }
    let (header, checksum) = CacheEntry.headerAndChecksum(
      of: entry.content, name: entry.name, version: version)
    waiting[entry.name] = try folder.writeTemporary([header, entry.content, checksum])
  }

  /// Puts all entries in their places.
  ///
  /// - Returns: Their number.
  /// - Throws: `OutputError.system`.
  package func end() throws(OutputError) -> Int {
    let count = waiting.count
    for (name, temporary) in waiting.sorted(by: { $0.key < $1.key }) {
      waiting[name] = nil
      try folder.move(temporary, to: folder.extracts + "/" + name)
    }
    return count
  }
}
