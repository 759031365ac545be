/// Reads the lines of a file, gzip or plain, in constant memory.
///
/// A line ends in LF, in CRLF, or with the file. A byte order mark at the start is skipped. A line
/// longer than 1 MiB is counted and its bytes are skipped. Lines are found where the text was
/// inflated; only the beginning of a line that goes on in the next block is moved.
public struct LineScanner: ~Copyable {
  /// The longest line that is handed out, in bytes without the line ending.
  public static let longestLine = 1 << 20

  private var reader: GzipReader
  private var text: [UInt8]
  private let blockSize: Int
  private let longestLine: Int

  /// The part of `text` that is not handed out yet, and how much of it has no line feed.
  private var start = 0
  private var searched = 0
  private var end = 0
  /// The offset in the whole text of the first byte of `text`.
  private var textOffset = 0
  /// The offset in the whole text of the line that is being skipped, if one is.
  private var skippedLineOffset: Int?
  private var lineNumber = 0
  private var isPastStart = false
  private var isAtEnd = false

  /// Opens a file.
  ///
  /// - Parameter path: The path of the file; its name does not tell whether it is gzip.
  /// - Throws: ``ScanError/cannotOpen(errno:)``, ``ScanError/isDirectory``, or
  ///   ``ScanError/cannotRead(errno:byteOffset:)`` if its first block cannot be read.
  public init(path: String) throws(ScanError) {
    try self.init(reader: GzipReader(path: path, blockSize: 1 << 18))
  }

  /// Takes over an open file, such as standard input; it is closed with the scanner.
  ///
  /// - Parameter fileDescriptor: The file, which is read from its present position.
  /// - Throws: ``ScanError/isDirectory`` or ``ScanError/cannotRead(errno:byteOffset:)`` if its
  ///   first block cannot be read.
  public init(fileDescriptor: Int32) throws(ScanError) {
    try self.init(reader: GzipReader(fileDescriptor: fileDescriptor, blockSize: 1 << 18))
  }

  /// Opens a file with blocks of another size, so that tests can put a block's end anywhere.
  package init(
    path: String, storedBlockSize: Int, textBlockSize: Int,
    longestLine: Int = LineScanner.longestLine
  ) throws(ScanError) {
    try self.init(
      reader: GzipReader(path: path, blockSize: storedBlockSize), blockSize: textBlockSize,
      longestLine: longestLine)
  }

  private init(
    reader: consuming GzipReader, blockSize: Int = 1 << 18,
    longestLine: Int = LineScanner.longestLine
  ) {
    precondition(blockSize > 0, "a block holds at least one byte")
    self.reader = reader
    self.blockSize = blockSize
    self.longestLine = longestLine
    text = Array(repeating: 0, count: 2 * blockSize)
  }

  /// Whether the file starts with the two bytes that every gzip file starts with.
  public var isGzip: Bool { reader.isGzip }

  /// The number of bytes read from the file so far.
  public var storedByteCount: Int { reader.storedByteCount }

  /// The number of bytes of text read so far: inflated, byte order mark included.
  public var textByteCount: Int { textOffset + end }

  /// Hands out the lines of the file, from the first or from where the last call stopped.
  ///
  /// A gzip member is verified when its end is reached; its lines have been handed out by then.
  ///
  /// - Parameters:
  ///   - onStoredBytes: Sees each block as it was read, in order, for hashing and progress.
  ///   - onTextBytes: Sees each block of text, in order. A call that goes on after a stop does not
  ///     repeat the blocks that were seen before.
  ///   - body: Gets each line without its ending and without a byte order mark, and its place; a
  ///     line that is too long comes as an empty span.
  /// - Throws: ``ScanError/cannotRead(errno:byteOffset:)`` or one of the gzip errors, after the
  ///   whole lines before the damage were handed out.
  public mutating func forEachLine(
    onStoredBytes: ((Span<UInt8>) -> Void)? = nil, onTextBytes: ((Span<UInt8>) -> Void)? = nil,
    _ body: (Span<UInt8>, Line) -> ScanStep
  ) throws(ScanError) {
    while true {
      if handOutWholeLines(body) == .stop { return }
      if isAtEnd {
        handOutLastLine(body)
        return
      }
      makeRoom()
      try refill(onStoredBytes, onTextBytes)
    }
  }

  /// Hands out the lines of the buffer that have a line feed.
  private mutating func handOutWholeLines(
    _ body: (Span<UInt8>, Line) -> ScanStep
  ) -> ScanStep {
    let bytes = text.span
    var lineStart = start
    var step = ScanStep.next
    while let lineFeed = firstLineFeed(bytes, from: searched, to: end) {
      lineNumber += 1
      var lineEnd = lineFeed
      if lineEnd > lineStart, bytes[lineEnd &- 1] == 0x0D { lineEnd &-= 1 }
      let offset = skippedLineOffset ?? textOffset &+ lineStart
      let isTooLong = skippedLineOffset != nil || lineEnd &- lineStart > longestLine
      skippedLineOffset = nil
      step = body(
        bytes.extracting(isTooLong ? lineStart..<lineStart : lineStart..<lineEnd),
        Line(number: lineNumber, byteOffset: offset, isTooLong: isTooLong))
      lineStart = lineFeed &+ 1
      searched = lineStart
      if step == .stop { break }
    }
    start = lineStart
    if step == .next { searched = end }
    return step
  }

  /// Hands out what follows the last line feed of the file, unless that is nothing.
  private mutating func handOutLastLine(_ body: (Span<UInt8>, Line) -> ScanStep) {
    guard start < end || skippedLineOffset != nil else { return }
    lineNumber += 1
    let offset = skippedLineOffset ?? textOffset + start
    let isTooLong = skippedLineOffset != nil || end - start > longestLine
    skippedLineOffset = nil
    let bytes = text.span.extracting(isTooLong ? start..<start : start..<end)
    start = end
    searched = end
    _ = body(bytes, Line(number: lineNumber, byteOffset: offset, isTooLong: isTooLong))
  }

  /// Moves the line that is not whole yet to the front of the buffer, which grows if it must.
  private mutating func makeRoom() {
    // One byte more than the longest line may be held: it may be the CR of a CRLF.
    if skippedLineOffset != nil || end - start > longestLine + 1 {
      skippedLineOffset = skippedLineOffset ?? textOffset + start
      start = end
    }
    if start > 0 {
      for offset in start..<end { text[offset - start] = text[offset] }
      textOffset += start
      end -= start
      start = 0
      searched = end
    }
    if text.count - end < blockSize {
      let target = max(end + blockSize, min(text.count * 2, longestLine + 2 + blockSize))
      text.append(contentsOf: repeatElement(0, count: target - text.count))
    }
  }

  private mutating func refill(
    _ onStoredBytes: ((Span<UInt8>) -> Void)?, _ onTextBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) {
    let before = end
    end += try reader.read(
      into: &text, at: end, atMost: blockSize, onStoredBytes: onStoredBytes)
    isAtEnd = end == before
    if let onTextBytes, !isAtEnd { onTextBytes(text.span.extracting(before..<end)) }
    guard !isPastStart else { return }
    if isAtEnd || end >= 3 {
      isPastStart = true
      searched = 0
      if end >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
        start = 3
        searched = 3
      }
    } else {
      try refillToStart(onStoredBytes, onTextBytes)
    }
  }

  /// Reads on until it can be told whether the text starts with a byte order mark.
  private mutating func refillToStart(
    _ onStoredBytes: ((Span<UInt8>) -> Void)?, _ onTextBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) {
    makeRoom()
    try refill(onStoredBytes, onTextBytes)
  }
}
