import Scanning

/// The file format of a cache entry.
///
/// Three lines of text name the file type, the version that wrote it and the entry; then follow the content, such as
/// an extract or a tally, and a checksum of everything before it. The checksum detects damage and is much faster than
/// SHA-256, which would not protect any better against someone who can write to the folder.
package enum CacheEntry {
  /// Why an entry is not used.
  package enum Fault: String {
    case damaged
    /// Its first line or its name is not that of this entry.
    case foreign = "it belongs to something else"
    case otherVersion = "of another version"
  }

  /// The version of the format.
  ///
  /// Raise it whenever the content of an entry changes, or how files are read.
  static let format = 33

  private static let firstLine = "subreport extract\n"
  private static let checksumLength = 8

  /// Returns the bytes before and after the content of an entry.
  package static func headerAndChecksum(
    of content: [UInt8], name: String, version: String
  ) -> (header: [UInt8], checksum: [UInt8]) {
    let header = Array((firstLine + versionLine(version) + name + "\n").utf8)
    var hasher = ByteHasher()
    hasher.add(header.span, header.indices)
    hasher.add(content.span, content.indices)
    return (header, bytes(of: hasher.finished()))
  }

  /// Returns the range of the content in an entry, or throws the reason not to trust it.
  package static func content(
    in bytes: [UInt8], name: String, version: String
  ) throws(Fault) -> Range<Int> {
    // Check the format first: other formats may compute the checksum differently.
    if let format = format(of: bytes), format != self.format { throw .otherVersion }
    let end = bytes.count - checksumLength
    guard end >= 0 else { throw .damaged }
    let start = headerEnd(bytes, end)
    var hasher = ByteHasher()
    hasher.add(bytes.span, 0..<start)
    hasher.add(bytes.span, start..<end)
    guard bytes[end...].elementsEqual(self.bytes(of: hasher.finished())) else { throw .damaged }
    var header = firstLine
    guard bytes.starts(with: header.utf8) else { throw .foreign }
    header += versionLine(version)
    guard bytes.starts(with: header.utf8) else { throw .otherVersion }
    header += name + "\n"
    guard bytes.starts(with: header.utf8) else { throw .foreign }
    return start..<end
  }

  /// Returns the name in an entry's header; `nil` for bytes that are no entry.
  ///
  /// It can be trusted only after ``content(in:name:version:)`` has checked the entry with it.
  package static func name(in bytes: [UInt8]) -> String? {
    guard bytes.starts(with: firstLine.utf8) else { return nil }
    let lines = bytes.prefix(headerEnd(bytes, bytes.count))
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.count == 4 ? String(decoding: lines[2], as: UTF8.self) : nil
  }

  /// Returns the format number in an entry's header.
  private static func format(of bytes: [UInt8]) -> Int? {
    let words = Array((firstLine + "format ").utf8)
    guard bytes.starts(with: words) else { return nil }
    let digits = bytes[words.count...].prefix(while: { $0 != UInt8(ascii: ",") }).prefix(9)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// Returns the end of the three header lines, or `end` if there are fewer.
  private static func headerEnd(_ bytes: [UInt8], _ end: Int) -> Int {
    var start = 0
    for _ in 0..<3 {
      let lineFeed = bytes[start..<end].firstIndex(of: UInt8(ascii: "\n"))
      start = lineFeed.map { $0 + 1 } ?? end
    }
    return start
  }

  private static func bytes(of checksum: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
  }

  private static func versionLine(_ version: String) -> String {
    "format \(format), subreport \(version)\n"
  }
}

extension CacheEntry.Fault: Error {}
