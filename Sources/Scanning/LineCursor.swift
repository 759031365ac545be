/// The position of a scanner in its buffer, and the rules for the ends of lines.
///
/// Offsets in the buffer change when its unfinished line is moved to the front; offsets in the text do
/// not.
struct LineCursor {
  /// The longest line that is passed on, in bytes without the line ending.
  let longestLine: Int
  /// The offset in the buffer of the first byte that is not passed on yet.
  private(set) var start = 0
  /// The offset in the buffer after the last byte of text.
  private(set) var end = 0
  /// The offset in the text of the first byte of the buffer.
  private(set) var bufferOffset = 0
  /// The offset in the buffer up to which no line feed is left.
  private var searched = 0
  /// The offset in the text of the line that is being skipped; nil if none is.
  private var skippedLineOffset: Int?
  private var lineNumber = 0

  init(longestLine: Int) { self.longestLine = longestLine }

  /// Passes on the lines of the buffer that end in a line feed.
  @inline(__always)
  mutating func handOutWholeLines(
    of buffer: Span<UInt8>, _ body: (Span<UInt8>, Line) -> ScanStep
  ) -> ScanStep {
    while let lineFeed = firstLineFeed(buffer, from: searched, to: end) {
      var lineEnd = lineFeed
      if lineEnd > start, buffer[lineEnd &- 1] == 0x0D { lineEnd &-= 1 }
      let step = handOut(buffer, upTo: lineEnd, body)
      start = lineFeed &+ 1
      searched = start
      if step == .stop { return .stop }
    }
    searched = end
    return .next
  }

  /// Passes on the text after the last line feed, unless it is empty.
  mutating func handOutLastLine(
    of buffer: Span<UInt8>, _ body: (Span<UInt8>, Line) -> ScanStep
  ) {
    guard start < end || skippedLineOffset != nil else { return }
    _ = handOut(buffer, upTo: end, body)
    start = end
    searched = end
  }

  @inline(__always)
  private mutating func handOut(
    _ buffer: Span<UInt8>, upTo lineEnd: Int, _ body: (Span<UInt8>, Line) -> ScanStep
  ) -> ScanStep {
    lineNumber &+= 1
    let isTooLong = skippedLineOffset != nil || lineEnd &- start > longestLine
    let line = Line(
      number: lineNumber, byteOffset: skippedLineOffset ?? bufferOffset &+ start,
      isTooLong: isTooLong)
    skippedLineOffset = nil
    return body(buffer.extracting(start..<(isTooLong ? start : lineEnd)), line)
  }

  /// Starts to skip the unfinished line if it is already too long.
  mutating func skipIfTooLong() {
    // One byte more than the longest line is allowed, because it may be the CR of a CRLF.
    guard skippedLineOffset != nil || end - start > longestLine + 1 else { return }
    skippedLineOffset = skippedLineOffset ?? bufferOffset + start
    start = end
    searched = end
  }

  /// Updates the offsets after the bytes from `start` on were moved to the front of the buffer.
  mutating func movedToFront() {
    bufferOffset += start
    end -= start
    searched -= start
    start = 0
  }

  /// Updates the end after bytes of text were added to the buffer.
  mutating func added(_ count: Int) { end += count }

  /// Skips bytes that are part of no line.
  mutating func skip(_ count: Int) {
    start += count
    searched = max(searched, start)
  }
}
