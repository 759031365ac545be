package import Files
package import Tables

/// The actions of `subreport cache`.
package enum CacheContents {
  /// Lists the entries of a cache by kind.
  ///
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The tool's version; entries of other versions are unusable.
  /// - Returns: A row for each way to read files, and one for tallies: the number of entries, their bytes, and how
  ///   many would be rebuilt.
  /// - Throws: `OutputError`: ``CacheError`` or `system`.
  package static func table(of path: String, version: String) throws(OutputError) -> ReportTable {
    let folder = try CacheFolder(existing: path)
    try folder.checkTrust()
    var kinds: [String: (entries: Int, bytes: Int, unusable: Int)] = [:]
    for folder in [folder.extracts, folder.tallies] {
      for name in try CacheFolder.entryNames(in: folder) {
        let bytes = OutputFileSystem.contents(of: folder + "/" + name) ?? []
        let isUsable =
          (try? CacheEntry.content(in: bytes, name: name, version: version)) != nil
        let reading = reading(ofEntry: name)
        kinds[reading, default: (0, 0, 0)].entries += 1
        kinds[reading, default: (0, 0, 0)].bytes += bytes.count
        kinds[reading, default: (0, 0, 0)].unusable += isUsable ? 0 : 1
      }
    }
    let rows = kinds.sorted { $0.key < $1.key }.map { name, kind -> [ReportTable.Cell] in
      [.text(name), .count(kind.entries), .count(kind.bytes), .count(kind.unusable)]
    }
    return ReportTable(
      name: "cache", dimensions: [],
      columns: [
        .init("read_as", .text), .init("entries", .count), .init("bytes", .count),
        .init("unusable", .count),
      ], rows: rows)
  }

  /// Returns how a file was read, from the name of its entry without hashes.
  ///
  /// Hashes of the file's bytes, of its name and of the user's lists are left out: nearly every finance file has
  /// its own.
  private static func reading(ofEntry name: String) -> String {
    let words = name.split(separator: "-").filter { $0.utf8.count < 32 }
    return words.joined(separator: "-")
  }

  /// Removes all entries and leaves an empty cache; files that subreport did not write stay.
  ///
  /// - Parameter path: The cache's folder.
  /// - Returns: The number of entries removed from the folder of extracts, with those of charges.
  /// - Throws: `OutputError`: ``CacheError/notACache`` or `system`.
  package static func clear(_ path: String) throws(OutputError) -> Int {
    try CacheFolder(existing: path).clear()
  }
}
