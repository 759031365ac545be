/// Inflates the deflated data (RFC 1951) in a gzip container, which ``GzipReader`` reads.
protocol Inflater: ~Copyable {
  init() throws(ScanError)

  /// The CRC-32 of the text inflated since the last reset.
  var checksum: UInt32 { get }

  /// Resets the inflater for another member.
  mutating func reset()

  /// Inflates until `room` is full, the member ends, or the source is used up.
  ///
  /// - Parameters:
  ///   - source: Deflated data. If it is empty, only text that is already inflated is written.
  ///   - text: The buffer for the text.
  ///   - room: The part of the buffer that may be written.
  /// - Returns: The state, and the numbers of bytes used and written.
  mutating func inflate(
    _ source: Span<UInt8>, into text: inout [UInt8], _ room: Range<Int>
  ) -> InflaterStep
}

/// The result of one call of an inflater.
struct InflaterStep {
  /// The state of the member.
  enum State {
    /// The member goes on: call again, with more data or more room.
    case needsMore
    /// The member has ended, and all its text was written.
    case ended
    /// The data are not deflated data.
    case damaged
    /// The inflater got no memory from the system.
    case outOfMemory
  }

  var state: State
  /// The number of bytes of the source that were used.
  ///
  /// Negative, at least -``longestLookAhead``, if a member has ended and an earlier call has used
  /// bytes after its end.
  var usedCount: Int
  /// The number of bytes of text that were written.
  var textCount: Int

  /// The most bytes after a member's end that an inflater may use.
  static let longestLookAhead = 8
}
