/// Inflates deflated data (RFC 1951); ``GzipReader`` reads the gzip container around it.
protocol Inflater: ~Copyable {
  init() throws(ScanError)

  /// The CRC-32 of the text inflated since the last reset.
  var checksum: UInt32 { get }

  /// Prepares for another member.
  mutating func reset()

  /// Inflates until the room is full, the member ends, or the source is used up.
  ///
  /// - Parameters:
  ///   - source: Deflated data; if empty, text inflated earlier is returned.
  ///   - text: The buffer for the text.
  ///   - room: The part of the buffer that may be written.
  /// - Returns: The progress made.
  mutating func inflate(
    _ source: Span<UInt8>, into text: inout [UInt8], _ room: Range<Int>
  ) -> InflaterStep
}

/// The progress of one call of an inflater.
struct InflaterStep {
  enum State {
    case goesOn, ended, damaged, outOfMemory
  }

  var state: State
  /// The number of bytes of the source that were used.
  ///
  /// It is negative, at least -``longestLookAhead``, if a member has ended and bytes used before belong
  /// after it.
  var usedCount: Int
  /// The number of bytes of text that were written.
  var textCount: Int

  /// The largest number of bytes after a member's end that an inflater may have used.
  static let longestLookAhead = 8
}
