/// Why a file cannot be read.
///
/// Offsets count stored bytes: for gzip, the compressed bytes; in a zip's member, from the member's first byte.
package enum ScanError: Error, Equatable, Sendable {
  /// The system cannot open the file.
  case cannotOpen(errno: Int32)
  /// The system cannot read the file beyond an offset.
  case cannotRead(errno: Int32, byteOffset: Int)
  /// The path names a directory.
  case isDirectory
  /// The file ends inside a gzip member; the offset is the file's length.
  case gzipTruncated(byteOffset: Int)
  /// The stored checksum at the offset does not match the data.
  case gzipChecksum(byteOffset: Int)
  /// The stored length at the offset differs from the length of the member's text.
  case gzipLength(byteOffset: Int)
  /// Data other than a gzip member or zero padding follows the last member.
  case gzipTrailingGarbage(byteOffset: Int)
  /// A gzip header or compressed data is invalid at, or shortly before, the offset.
  case gzipDamaged(byteOffset: Int)
  /// The bytes of a zip's member are not deflated data, or are not as many as the archive says; the offset is that in
  /// the archive.
  case zipDamaged(byteOffset: Int)
  /// The checksum in a zip archive does not match the bytes of its member, which are at the offset.
  case zipChecksum(byteOffset: Int)

  /// The stable name of the error, such as `gzip-truncated`.
  package var code: String {
    switch self {
    case .cannotOpen, .isDirectory: "cannot-open"
    case .cannotRead: "cannot-read"
    case .gzipTruncated: "gzip-truncated"
    case .gzipChecksum: "gzip-wrong-checksum"
    case .gzipLength: "gzip-wrong-length"
    case .gzipTrailingGarbage: "gzip-trailing-garbage"
    case .gzipDamaged: "gzip-damaged"
    case .zipDamaged: "zip-damaged"
    case .zipChecksum: "zip-wrong-checksum"
    }
  }

  /// What was found and what was expected, in lower case and without a full stop.
  package var message: String {
    switch self {
    case .cannotOpen(let errno):
      "cannot open the file: \(systemMessage(errno))"
    case .cannotRead(let errno, let byteOffset):
      "cannot read on at byte \(byteOffset): \(systemMessage(errno))"
    case .isDirectory:
      "found a directory, expected a file"
    case .gzipTruncated(let byteOffset):
      "gzip data ends at byte \(byteOffset), expected more"
    case .gzipChecksum(let byteOffset):
      "gzip checksum at byte \(byteOffset) does not match the data, expected the data's own CRC"
    case .gzipLength(let byteOffset):
      "gzip length at byte \(byteOffset) does not match the data, expected the data's own length"
    case .gzipTrailingGarbage(let byteOffset):
      "found other data after the gzip data at byte \(byteOffset), expected the end of the file"
    case .gzipDamaged(let byteOffset):
      "gzip data is damaged at byte \(byteOffset), expected deflated data with a gzip header"
    case .zipDamaged(let byteOffset):
      "zip data is damaged at byte \(byteOffset) of the archive, expected as many bytes as its central directory says"
    case .zipChecksum(let byteOffset):
      "zip checksum does not match the data at byte \(byteOffset) of the archive, expected the data's own CRC"
    }
  }

  /// Whether the bytes of the file are damaged, not only inaccessible.
  package var isCorruption: Bool {
    switch self {
    case .cannotOpen, .cannotRead, .isDirectory: false
    case .gzipTruncated, .gzipChecksum, .gzipLength, .gzipTrailingGarbage, .gzipDamaged,
      .zipDamaged, .zipChecksum:
      true
    }
  }
}
