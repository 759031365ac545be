/// Reads the lines of a file, gzip or plain, in constant memory.
///
/// A line ends with LF, CRLF or the file; if the first one ends in CR alone, each CR ends a line, too.
/// A byte order mark at the start is skipped. A line longer than 1 MiB is counted, but its bytes are skipped. Lines are not copied, except the beginning of
/// a line that continues in the next block.
package struct LineScanner: ~Copyable {
  /// The longest line that is passed to the caller, in bytes without the line ending.
  package static let longestLine = 1 << 20

  /// The bytes in a block, stored or inflated: few enough to stay in the processor's cache until
  /// they are used.
  private static let blockSize = 1 << 16
  /// The most bytes in which the end of the first line is searched, to see how lines end.
  private static let longestFirstLine = 1 << 16

  private var source: TextSource
  private var text: [UInt8]
  private var cursor: LineCursor
  private var isPastStart = false
  /// Whether lines end in CR alone; nil until the first line is at its end.
  private var endsInReturns: Bool?
  private var isAtEnd = false

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file; gzip is recognized by content, not by name.
  ///   - readsAhead: Whether another thread inflates while this one reads the lines. Useless for a
  ///     small file, which is read before the thread has started.
  /// - Throws: ``ScanError/cannotOpen(errno:)``, ``ScanError/isDirectory``, or
  ///   ``ScanError/cannotRead(errno:byteOffset:)`` if its first block cannot be read.
  package init(path: String, readsAhead: Bool = false) throws(ScanError) {
    // A folder may have 100,000 files of some rows; clearing a whole block for each took a third of
    // the time.
    let stored = min(BlockReader.byteCount(of: path).map { $0 + 1 } ?? .max, Self.blockSize)
    try self.init(
      path: path, readsAhead: readsAhead, storedBlockSize: stored,
      textBlockSize: readsAhead ? ReadAhead.textBlockSize : min(16 * stored, Self.blockSize))
  }

  /// Opens a file with blocks of another size, so that tests can choose where a block ends.
  package init(
    path: String, readsAhead: Bool = false, storedBlockSize: Int, textBlockSize: Int,
    longestLine: Int = LineScanner.longestLine
  ) throws(ScanError) {
    source = try TextSource(
      path: path, readsAhead: readsAhead, storedBlockSize: storedBlockSize,
      textBlockSize: textBlockSize)
    cursor = LineCursor(longestLine: longestLine)
    text = Array(repeating: 0, count: 2 * textBlockSize)
  }

  /// Whether the file starts with the two magic bytes of gzip.
  package var isGzip: Bool { source.isGzip }

  /// The number of stored bytes read from the file so far.
  package var storedByteCount: Int { source.storedByteCount }

  /// The number of bytes of inflated text read so far, byte order mark included.
  package var textByteCount: Int { cursor.bufferOffset + cursor.end }

  /// Calls a function with each line of the file, from the first or from where the last call
  /// stopped.
  ///
  /// A gzip member is verified at its end, after `body` was called with its lines.
  ///
  /// - Parameters:
  ///   - onStoredBytes: Called with each block as it was read, in order, for hashing and progress.
  ///   - onTextBytes: Called with each block of text, in order, with line ends as they are. A call that continues after a stop
  ///     does not repeat earlier blocks.
  ///   - body: Called with each line, without its ending and a byte order mark, and the line's
  ///     place. A line that is too long is an empty span. Of empty lines that follow each other the
  ///     first ones are counted only.
  /// - Throws: ``ScanError/cannotRead(errno:byteOffset:)`` or one of the gzip errors, after `body`
  ///   was called with lines before the damage, though not always with all of them.
  package mutating func forEachLine(
    onStoredBytes: ((Span<UInt8>) -> Void)? = nil, onTextBytes: ((Span<UInt8>) -> Void)? = nil,
    _ body: (Span<UInt8>, Line) -> ScanStep
  ) throws(ScanError) {
    while true {
      // A copy, because the scanner cannot change while its buffer is borrowed.
      var cursor = self.cursor
      let step = cursor.forEachWholeLine(of: text.span, body)
      if step == .next, isAtEnd { cursor.endLastLine(of: text.span, body) }
      self.cursor = cursor
      if step == .stop || isAtEnd { return }
      try refill(onStoredBytes, onTextBytes)
      while !isPastStart { try skipByteOrderMark(onStoredBytes, onTextBytes) }
      while endsInReturns == nil { try findLineEnd(onStoredBytes, onTextBytes) }
    }
  }

  /// Moves the unfinished line to the front of the buffer, grows the buffer if necessary, and reads.
  private mutating func refill(
    _ onStoredBytes: ((Span<UInt8>) -> Void)?, _ onTextBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) {
    if isPastStart { cursor.skipIfTooLong() }
    if cursor.start > 0 {
      let start = cursor.start
      for offset in start..<cursor.end { text[offset &- start] = text[offset] }
      cursor.movedToFront()
    }
    let end = cursor.end
    let blockSize = source.blockSize
    if text.count - end < blockSize {
      let target = max(end + blockSize, min(text.count * 2, cursor.longestLine + 2 + blockSize))
      text.append(contentsOf: repeatElement(0, count: target - text.count))
    }
    let count = try source.read(into: &text, at: end, onStoredBytes)
    cursor.added(count)
    isAtEnd = count == 0
    if let onTextBytes, count > 0 { onTextBytes(text.span.extracting(end..<end + count)) }
    if endsInReturns == true { replaceReturns(end..<end + count) }
  }

  /// Finds out how the first line ends, after reading more text if necessary.
  private mutating func findLineEnd(
    _ onStoredBytes: ((Span<UInt8>) -> Void)?, _ onTextBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) {
    let range = cursor.start..<cursor.end
    if let found = firstLineEndsInReturn(text.span, range) {
      endsInReturns = found
      if found { replaceReturns(range) }
    } else if isAtEnd || range.count >= Self.longestFirstLine {
      endsInReturns = false
    } else {
      try refill(onStoredBytes, onTextBytes)
    }
  }

  private mutating func replaceReturns(_ range: Range<Int>) {
    for index in range where text[index] == 0x0D { text[index] = 0x0A }
  }

  /// Skips a byte order mark at the start, after reading at least three bytes of text.
  private mutating func skipByteOrderMark(
    _ onStoredBytes: ((Span<UInt8>) -> Void)?, _ onTextBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) {
    guard isAtEnd || cursor.end >= 3 else {
      try refill(onStoredBytes, onTextBytes)
      return
    }
    isPastStart = true
    if cursor.end >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { cursor.skip(3) }
  }
}
