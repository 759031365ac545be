import Scanning

/// The mark by which a file is known that `subreport` wrote and no other program has changed.
///
/// Only such a file is replaced without being asked for: a path may be that of a user's own database.
package enum WrittenFile {
  case database, workbook, metrics

  /// The application id in the header of databases: `subr`.
  static let applicationID = 0x7375_6272
  /// The text in the properties of workbooks.
  static let author = "subreport"
  /// The day on which workbooks were made by their properties; a program that saves one writes the time.
  private static let day = "1980-01-01T00:00:00Z"
  private static let properties = "docProps/core.xml"

  /// Returns whether a file has the mark.
  package func wrote(_ path: String) -> Bool {
    switch self {
    case .database:
      // SQLite counts in bytes 24 to 27 how often it has written to the file.
      let header = Self.start(of: path, 72)
      let id = (0..<4).map { UInt8(truncatingIfNeeded: Self.applicationID >> (24 - 8 * $0)) }
      return header.starts(with: "SQLite format 3\0".utf8) && header.count == 72
        && header[24..<28].allSatisfy { $0 == 0 } && header[68...].elementsEqual(id)
    case .workbook:
      guard let members = try? ZipDirectory(path: path).members,
        let member = try? members.first(where: { $0.name == Self.properties })?.content.get()
      else { return false }
      let text = String(decoding: StoredContent.all(of: member.path) ?? [], as: UTF8.self)
      // Other programs keep some of the properties, in another order or with more between them.
      return text.contains(
        "<dc:creator>\(Self.author)</dc:creator><cp:lastModifiedBy>\(Self.author)<")
        && text.hasSuffix("\(Self.day)</dcterms:modified></cp:coreProperties>")
    case .metrics: return Self.start(of: path, 17).elementsEqual("# HELP subreport_".utf8)
    }
  }

  /// Returns the first bytes of a file; none of one that cannot be read.
  private static func start(of path: String, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var stream = try? ByteStream(path: path)
    try? stream?.read(into: &bytes, atMost: count)
    return bytes
  }
}
