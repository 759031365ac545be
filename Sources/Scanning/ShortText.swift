/// A text of 8 to 16 bytes, stored as two numbers for fast comparison.
@usableFromInline
package struct ShortText: Equatable, Sendable {
  @usableFromInline let first: UInt64
  @usableFromInline let last: UInt64
  @usableFromInline let count: Int

  /// Creates a short text, or returns nil if it is shorter than 8 bytes or longer than 16.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  @inlinable
  @inline(__always)
  package init?(_ line: Span<UInt8>, _ range: Range<Int>) {
    guard 8...16 ~= range.count else { return nil }
    first = eightBytes(line, at: range.lowerBound)
    last = eightBytes(line, at: range.upperBound &- 8)
    count = range.count
  }
}
