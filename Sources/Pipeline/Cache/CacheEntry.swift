import Crypto

/// How an extract lies in a file of the cache.
///
/// Three lines of text say what the file is, which version made it, and what it is the extract of; the
/// extract follows, and the SHA-256 of all that comes before it.
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
  static let format = 2

  private static let firstLine = "subreport extract\n"
  private static let hashLength = SHA256.byteCount

  /// Returns the bytes of an entry.
  ///
  /// - Parameters:
  ///   - extract: The extract.
  ///   - name: The entry's name.
  ///   - version: The tool's version.
  /// - Returns: The whole file.
  static func bytes(of extract: [UInt8], name: String, version: String) -> [UInt8] {
    var bytes = Array((firstLine + versionLine(version) + name + "\n").utf8)
    bytes += extract
    bytes += SHA256.hash(data: bytes)
    return bytes
  }

  /// Returns where the extract is in an entry that can be trusted.
  static func extract(
    in bytes: [UInt8], name: String, version: String
  ) throws(Fault) -> Range<Int> {
    let end = bytes.count - hashLength
    guard end >= 0 else { throw .damaged }
    guard SHA256.hash(data: bytes[..<end]) == bytes[end...] else { throw .damaged }
    var header = firstLine
    guard bytes.starts(with: header.utf8) else { throw .foreign }
    header += versionLine(version)
    guard bytes.starts(with: header.utf8) else { throw .otherVersion }
    header += name + "\n"
    guard bytes.starts(with: header.utf8) else { throw .foreign }
    return header.utf8.count..<end
  }

  private static func versionLine(_ version: String) -> String {
    "format \(format), subreport \(version)\n"
  }
}

extension CacheEntry.Fault: Error {}
