import Pipeline
import Scanning

/// How an extract lies in a file of the cache.
///
/// Three lines of text say what the file is, which version made it, and what it is the extract of; the
/// extract follows, and a checksum of all that comes before it. The checksum finds damage, and is much faster
/// than SHA-256, which against somebody who writes to the folder would be worth no more.
enum CacheEntry {
  /// Why an entry is not used.
  enum Fault: String {
    case damaged = "it was damaged"
    case foreign = "it was no extract of this file"
    case otherVersion = "another version had made it"
  }

  /// The version of the format.
  ///
  /// Raise it whenever what is kept of a file changes, or what is read of it.
  static let format = 16

  private static let firstLine = "subreport extract\n"
  private static let checksumLength = 8

  /// Makes what is around an extract in its entry.
  ///
  /// - Parameters:
  ///   - extract: The extract.
  ///   - name: The entry's name.
  ///   - version: The tool's version.
  /// - Returns: What comes before it and after it.
  static func ends(
    of extract: [UInt8], name: String, version: String
  ) -> (header: [UInt8], checksum: [UInt8]) {
    let header = Array((firstLine + versionLine(version) + name + "\n").utf8)
    var hasher = ByteHasher()
    hasher.add(header.span, header.indices)
    hasher.add(extract.span, extract.indices)
    return (header, bytes(of: hasher.finished()))
  }

  /// Returns where the extract is in an entry that can be trusted.
  static func extract(
    in bytes: [UInt8], name: String, version: String
  ) throws(Fault) -> Range<Int> {
    // How entries of another format are checked is not known here.
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

  /// Returns the format that an entry says it has.
  private static func format(of bytes: [UInt8]) -> Int? {
    let words = Array((firstLine + "format ").utf8)
    guard bytes.starts(with: words) else { return nil }
    let digits = bytes[words.count...].prefix(while: { $0 != UInt8(ascii: ",") }).prefix(9)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// Returns where three lines end, or where all does.
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
