/// Inflates deflated data (RFC 1951); the gzip container around them is ``GzipReader``'s.
protocol Inflater: ~Copyable {
  init() throws(ScanError)

  /// The CRC-32 of what was inflated since the last reset.
  var checksum: UInt32 { get }

  /// Gets ready for another member.
  mutating func reset()

  /// Inflates until the room is full, the member ends, or the source is used up.
  ///
  /// - Parameters:
  ///   - source: Deflated data; without any, what was inflated ahead is handed out.
  ///   - text: Where the text goes.
  ///   - room: The part of it that may be written.
  /// - Returns: How far it came.
  mutating func inflate(
    _ source: Span<UInt8>, into text: inout [UInt8], _ room: Range<Int>
  ) -> InflaterStep
}

/// What came of one call of an inflater.
struct InflaterStep {
  enum State {
    case goesOn, ended, damaged, outOfMemory
  }

  var state: State
  /// How many bytes of the source were used.
  ///
  /// It is negative, and at least -``longestLookAhead``, when a member has ended and bytes that were
  /// used before turn out to follow it.
  var usedCount: Int
  /// How many bytes of text were written.
  var textCount: Int

  /// How many bytes behind a member's end an inflater may have used.
  static let longestLookAhead = 8
}
