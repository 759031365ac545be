public import Metrics
public import Pipeline

/// What `subreport cache` does with a cache.
public enum CacheContents {
  /// Looks at every entry.
  ///
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The tool's version: entries of others are not used.
  /// - Returns: A row for each way in which files are read, and one for the tallies of last runs: how many
  ///   entries there are, their bytes, and how many would be made anew.
  /// - Throws: `OutputError`: ``CacheError`` or `system`.
  public static func table(of path: String, version: String) throws(OutputError) -> ReportTable {
    let folder = try CacheFolder(existing: path)
    try folder.checkTrust()
    var kinds: [String: (entries: Int, bytes: Int, unusable: Int)] = [:]
    let extracts = try folder.extractNames().map { (folder: folder.extracts, name: $0) }
    let tallies = try folder.tallyNames().map { (folder: folder.tallies, name: $0) }
    for (folder, name) in extracts + tallies {
      let bytes = OutputFileSystem.contents(of: folder + "/" + name) ?? []
      let isUsable =
        (try? CacheEntry.extract(in: bytes, name: name, version: version)) != nil
      let reading = reading(ofEntry: name)
      kinds[reading, default: (0, 0, 0)].entries += 1
      kinds[reading, default: (0, 0, 0)].bytes += bytes.count
      kinds[reading, default: (0, 0, 0)].unusable += isUsable ? 0 : 1
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

  /// Returns how a file was read, in words: without the hash of its bytes and those of what its name and lists of
  /// the user's say, of which nearly every finance file has another.
  private static func reading(ofEntry name: String) -> String {
    let words = name.split(separator: "-").filter { $0.utf8.count < 32 }
    return words.joined(separator: "-")
  }

  /// Removes all entries and leaves an empty cache; what subreport did not write stays.
  ///
  /// - Parameter path: The cache's folder.
  /// - Returns: How many entries were removed.
  /// - Throws: `OutputError`: ``CacheError/notACache`` or `system`.
  public static func clear(_ path: String) throws(OutputError) -> Int {
    try CacheFolder(existing: path).clear()
  }
}
