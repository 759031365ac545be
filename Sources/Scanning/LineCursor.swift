/// Finds the lines in the buffer of a scanner.
///
/// When the unfinished line is moved to the front of the buffer, offsets in the buffer change.
/// Offsets in the text never change.
struct LineCursor {
  /// The longest line that is passed to the caller, in bytes without the line ending.
  let longestLine: Int
  /// The offset in the buffer of the unfinished line.
  private(set) var start = 0
  /// The offset in the buffer of the end of the text.
  private(set) var end = 0
  /// The offset in the text of the first byte of the buffer.
  private(set) var bufferOffset = 0
  /// The offset in the buffer up to which line feeds were searched.
  private var searched = 0
  /// The offset in the text of a line that is being skipped because it is too long; nil without
  /// one.
  private var skippedLineOffset: Int?
  private var lineNumber = 0

  init(longestLine: Int) { self.longestLine = longestLine }

  /// Calls a function with each line of the buffer that ends in a line feed; of empty lines that follow each other, with
  /// the last.
  @inline(__always)
  mutating func forEachWholeLine(
    of buffer: Span<UInt8>, _ body: (Span<UInt8>, Line) -> ScanStep
  ) -> ScanStep {
    while var lineFeed = firstOffset(of: 0x0A, in: buffer, from: searched, to: end) {
      if lineFeed == start, skippedLineOffset == nil { lineFeed = lastOfBlankLines(buffer) }
      var lineEnd = lineFeed
      if lineEnd > start, buffer[lineEnd &- 1] == 0x0D { lineEnd &-= 1 }
      let step = pass(buffer, upTo: lineEnd, body)
      start = lineFeed &+ 1
      searched = start
      if step == .stop { return .stop }
    }
    searched = end
    return .next
  }

  /// Goes to the last line of a run of empty lines in the buffer, and returns the offset of its line feed.
  @inline(never)
  private mutating func lastOfBlankLines(_ buffer: Span<UInt8>) -> Int {
    let first = start
    while start &+ 1 < end, buffer[start &+ 1] == 0x0A { start &+= 1 }
    lineNumber &+= start &- first
    return start
  }

  /// Calls a function with the text after the last line feed, unless it is empty.
  mutating func endLastLine(
    of buffer: Span<UInt8>, _ body: (Span<UInt8>, Line) -> ScanStep
  ) {
    guard start < end || skippedLineOffset != nil else { return }
    _ = pass(buffer, upTo: end, body)
    start = end
    searched = end
  }

  @inline(__always)
  private mutating func pass(
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

  /// Begins to skip the unfinished line if it is already too long.
  mutating func skipIfTooLong() {
    // One byte more than the longest line is allowed, because it may be the CR of a CRLF.
    guard skippedLineOffset != nil || end - start > longestLine + 1 else { return }
    skippedLineOffset = skippedLineOffset ?? bufferOffset + start
    start = end
    searched = end
  }

  /// Updates the offsets after the unfinished line was moved to the front of the buffer.
  mutating func movedToFront() {
    bufferOffset += start
    end -= start
    searched -= start
    start = 0
  }

  /// Updates ``end`` after bytes of text were added to the buffer.
  mutating func added(_ count: Int) { end += count }

  /// Skips bytes that are not part of a line.
  mutating func skip(_ count: Int) {
    start += count
    searched = max(searched, start)
  }
}
