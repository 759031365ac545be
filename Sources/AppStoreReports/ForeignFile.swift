/// The kind of a file that is neither an Apple report nor a dump of receipts.
///
/// Recognized by the first bytes of the text, so that messages can name the kind and what to do
/// about it.
package enum ForeignFile: CaseIterable, Sendable {
  case zip, emptyZip, spreadsheet, gzipTwice, gzipStub, xz, zstandard, bzip2, sevenZip, rar, tar
  case webPage, pdf, utf16, utf16JSON, otherEncoding
  case analytics, salesEvents, googlePlay, revenueCat, fivetran, table
  case json, other

  /// How many bytes of the text are needed to recognize a file.
  package static let neededBytes = 4 << 10

  /// Recognizes a file.
  ///
  /// - Parameter start: The beginning of the text, inflated if the file is gzip.
  package init(_ start: [UInt8]) {
    self =
      Self.packed(start) ?? Self.document(start)
      ?? Self.table(in: String(decoding: start, as: UTF8.self)) ?? Self.otherEncoding(start)
      ?? .other
  }

  /// Whether the file is an export that is not read, although it has some column names of reports.
  package var isExport: Bool {
    switch self {
    case .analytics, .salesEvents, .googlePlay, .revenueCat: true
    default: false
    }
  }

  /// Whether reports may be in the file, and can be read once it is unpacked.
  package var isArchive: Bool {
    switch self {
    case .zip, .xz, .zstandard, .bzip2, .sevenZip, .rar, .tar: true
    default: false
    }
  }
}

// MARK: - Recognizing

extension ForeignFile {
  /// The first bytes of archives and documents.
  private static let signatures: [(bytes: [UInt8], file: Self)] = [
    ([0x1F, 0x8B], .gzipTwice),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .xz),
    ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
    ([0x42, 0x5A, 0x68], .bzip2),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip),
    (Array("Rar!".utf8), .rar),
    // Spreadsheets from before 2007.
    ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .spreadsheet),
    (Array("%PDF".utf8), .pdf),
  ]

  private static func packed(_ start: [UInt8]) -> Self? {
    if start == [0x1F] { return .gzipStub }
    for (bytes, file) in signatures where start.starts(with: bytes) { return file }
    if start.starts(with: Array("PK".utf8)), start.count > 3, [3, 5, 7].contains(start[2]) {
      let names = [
        "[Content_Types].xml", "Index/Document.iwa", "xl/",
        "application/vnd.oasis.opendocument.spreadsheet",
      ]
      let isSpreadsheet = names.contains { !start.ranges(of: Array($0.utf8)).isEmpty }
      return isSpreadsheet ? .spreadsheet : .zip
    }
    return start.count > 262 && start[257..<262].elementsEqual("ustar".utf8) ? .tar : nil
  }

  private static func document(_ start: [UInt8]) -> Self? {
    if let text = utf16Text(start) {
      if table(in: text) == .googlePlay { return .googlePlay }
      let first = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
      return first == "{" || first == "[" ? .utf16JSON : .utf16
    }
    let text = String(decoding: start.prefix(1 << 10), as: UTF8.self).lowercased()
    let content = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    let tags = ["<!doctype html", "<html", "<head", "<body"]
    if tags.contains(where: content.hasPrefix) { return .webPage }
    if content.hasPrefix("<?xml"), content.contains("<html") { return .webPage }
    guard content.hasPrefix("{") || content.hasPrefix("[") else { return nil }
    // Config files and Markdown, such as `[plans]` and `[docs](url)`, are no JSON.
    let next = content.dropFirst().first { !$0.isWhitespace }
    if let next, !"\"{[]}".contains(next), !content.contains("\":") { return nil }
    return content.contains("\"app_user_id\"") || content.contains("\"rc_") ? .revenueCat : .json
  }

  /// Returns the text of a UTF-16 file; `nil` for any other file.
  private static func utf16Text(_ start: [UInt8]) -> String? {
    let isLittle = start.starts(with: [0xFF, 0xFE])
    let isBig = start.starts(with: [0xFE, 0xFF])
    let pairs = stride(from: 0, to: start.count - 1, by: 2)
    // Without a byte order mark: in Western text, every other byte is zero.
    let zeros = (low: pairs.count { start[$0] == 0 }, high: pairs.count { start[$0 + 1] == 0 })
    let most = pairs.underestimatedCount * 9 / 10
    guard
      isLittle || isBig
        || (most > 8 && max(zeros.low, zeros.high) > most && min(zeros.low, zeros.high) < most)
    else { return nil }
    let isLowFirst = isLittle || (!isBig && zeros.high > zeros.low)
    let units = pairs.map { index in
      let (low, high) = isLowFirst ? (index, index + 1) : (index + 1, index)
      return UInt16(start[low]) | UInt16(start[high]) << 8
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Recognizes a table in an encoding with one byte for each letter, such as Latin-1.
  private static func otherEncoding(_ start: [UInt8]) -> Self? {
    // The last line may end within a letter.
    guard let end = start.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
    let lines = start[..<end]
    let isText = lines.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
    guard isText, String(validating: lines, as: UTF8.self) == nil else { return nil }
    let isTable = lines.split(separator: UInt8(ascii: "\n")).contains { line in
      ",;\t".utf8.contains { separator in line.count { $0 == separator } >= 3 }
    }
    return isTable ? .otherEncoding : nil
  }

  /// Recognizes a table by the names of its columns.
  private static func table(in text: String) -> Self? {
    let first = text.drop { $0 == "\u{FEFF}" }.prefix { !$0.isNewline }
    let separator: Character = first.contains("\t") ? "\t" : first.contains(";") ? ";" : ","
    let cells =
      separator == ","
      ? separatedCells(String(first)) : first.split(separator: separator).map(String.init)
    let names = Set(cells.map(comparableName))
    if names.contains("app apple identifier") { return .analytics }
    if names.isSuperset(of: ["date", "event", "metric", "time frame"]) { return .salesEvents }
    if !names.isDisjoint(with: ["_fivetran_id", "_fivetran_synced", "_filename"]) {
      return .fivetran
    }
    if names.contains("package name") || names.isSuperset(of: ["sku id", "product title"])
      || names.isSuperset(of: ["sku id", "buyer country"])
    {
      return .googlePlay
    }
    if names.contains(where: { $0.hasPrefix("rc_") }) { return .revenueCat }
    return cells.count >= 4 && cells.allSatisfy { !$0.isEmpty } ? .table : nil
  }
}
