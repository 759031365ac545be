/// Reads the lines of a file, gzip or plain, in constant memory.
///
/// A line ends in LF, in CRLF, or with the file. A byte order mark at the start is skipped. A line
/// longer than 1 MiB is counted and its bytes are skipped. Lines are found where the text was
/// inflated; only the beginning of a line that goes on in the next block is moved.
public struct LineScanner: ~Copyable {
  /// The longest line that is handed out, in bytes without the line ending.
  public static let longestLine = 1 << 20

  /// Bytes of a block, stored or text: few enough to stay in the cache until the lines are read.
  private static let blockSize = 1 << 16

  private var reader: TextReader?
  /// Where the text comes from if there is no ``reader``.
  private let readAhead: ReadAhead?
  private var text: [UInt8]
  private let blockSize: Int
  private var cursor: LineCursor
  private var isPastStart = false
  private var isAtEnd = false

  /// Whether the file starts with the two bytes that every gzip file starts with.
  public let isGzip: Bool

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file; its name does not tell whether it is gzip.
  ///   - readsAhead: Whether another thread inflates while this one goes through the lines. A small
  ///     file is read by the time that it has begun.
  /// - Throws: ``ScanError/cannotOpen(errno:)``, ``ScanError/isDirectory``, or
  ///   ``ScanError/cannotRead(errno:byteOffset:)`` if its first block cannot be read.
  public init(path: String, readsAhead: Bool = false) throws(ScanError) {
    if readsAhead {
      try self.init(
        readingAhead: path, storedBlockSize: Self.blockSize,
        textBlockSize: ReadAhead.textBlockSize)
    } else {
      try self.init(reader: TextReader(path: path, blockSize: Self.blockSize))
    }
  }

  /// Takes over an open file, such as standard input; it is closed with the scanner.
  ///
  /// - Parameter fileDescriptor: The file, which is read from its present position.
  /// - Throws: ``ScanError/isDirectory`` or ``ScanError/cannotRead(errno:byteOffset:)`` if its
  ///   first block cannot be read.
  public init(fileDescriptor: Int32) throws(ScanError) {
    try self.init(reader: TextReader(fileDescriptor: fileDescriptor, blockSize: Self.blockSize))
  }

  /// Opens a file with blocks of another size, so that tests can put a block's end anywhere.
  package init(
    path: String, storedBlockSize: Int, textBlockSize: Int,
    longestLine: Int = LineScanner.longestLine
  ) throws(ScanError) {
    try self.init(
      reader: TextReader(path: path, blockSize: storedBlockSize), blockSize: textBlockSize,
      longestLine: longestLine)
  }

  /// Opens a file that another thread reads ahead, with blocks of another size.
  package init(
    readingAhead path: String, storedBlockSize: Int, textBlockSize: Int,
    longestLine: Int = LineScanner.longestLine
  ) throws(ScanError) {
    let opened = try ReadAhead(
      path: path, storedBlockSize: storedBlockSize, textBlockSize: textBlockSize)
    if let opened {
      self.init(opened, blockSize: textBlockSize, longestLine: longestLine)
    } else {
      try self.init(
        path: path, storedBlockSize: storedBlockSize, textBlockSize: textBlockSize,
        longestLine: longestLine)
    }
  }

  private init(_ readAhead: ReadAhead, blockSize: Int, longestLine: Int) {
    self.readAhead = readAhead
    reader = nil
    isGzip = readAhead.isGzip
    self.blockSize = blockSize
    cursor = LineCursor(longestLine: longestLine)
    text = Array(repeating: 0, count: 2 * blockSize)
  }

  private init(
    reader: consuming TextReader, blockSize: Int = Self.blockSize,
    longestLine: Int = LineScanner.longestLine
  ) {
    precondition(blockSize > 0, "a block holds at least one byte")
    readAhead = nil
    isGzip = reader.isGzip
    self.reader = consume reader
    self.blockSize = blockSize
    cursor = LineCursor(longestLine: longestLine)
    text = Array(repeating: 0, count: 2 * blockSize)
  }

  /// The number of bytes of the file that were read for the text so far.
  public var storedByteCount: Int {
    switch reader {
    case .some(let reader): reader.storedByteCount
    case nil: readAhead?.storedByteCount ?? 0
    }
  }

  /// The number of bytes of text read so far: inflated, byte order mark included.
  public var textByteCount: Int { cursor.bufferOffset + cursor.end }

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
  /// - Throws: ``ScanError/cannotRead(errno:byteOffset:)`` or one of the gzip errors; lines
  ///   before the damage, though not always all of them, have been handed out by then.
  public mutating func forEachLine(
    onStoredBytes: ((Span<UInt8>) -> Void)? = nil, onTextBytes: ((Span<UInt8>) -> Void)? = nil,
    _ body: (Span<UInt8>, Line) -> ScanStep
  ) throws(ScanError) {
    while true {
      // A copy, because the buffer must not be borrowed while the scanner itself is changed.
      var cursor = self.cursor
      let step = cursor.handOutWholeLines(of: text.span, body)
      if step == .next, isAtEnd { cursor.handOutLastLine(of: text.span, body) }
      self.cursor = cursor
      if step == .stop || isAtEnd { return }
      try refill(onStoredBytes, onTextBytes)
      while !isPastStart { try skipByteOrderMark(onStoredBytes, onTextBytes) }
    }
  }

  /// Moves the unfinished line to the front of the buffer, grows the buffer if it must, and reads.
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
    if text.count - end < blockSize {
      let target = max(end + blockSize, min(text.count * 2, cursor.longestLine + 2 + blockSize))
      text.append(contentsOf: repeatElement(0, count: target - text.count))
    }
    let count = try read(at: end, onStoredBytes)
    cursor.added(count)
    isAtEnd = count == 0
    if let onTextBytes, count > 0 { onTextBytes(text.span.extracting(end..<end + count)) }
  }

  /// Reads a block of text to a place in the buffer, and returns how long it is.
  private mutating func read(
    at offset: Int, _ onStoredBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) -> Int {
    if let readAhead {
      return try readAhead.read(into: &text, at: offset, onStoredBytes: onStoredBytes)
    }
    return try reader?.read(
      into: &text, at: offset, atMost: blockSize, onStoredBytes: onStoredBytes) ?? 0
  }

  /// Skips a byte order mark once enough of the text is there to tell; reads on if it is not.
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
