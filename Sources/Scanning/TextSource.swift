/// The text of a file, inflated if it is gzip, read on the caller's thread or ahead on another one.
struct TextSource: ~Copyable {
  private var reader: TextReader?
  /// The reader on another thread, if there is no ``reader``; without both, the text is empty.
  private var readAhead: ReadAhead?
  /// The most bytes of text that one call of `read` returns.
  let blockSize: Int

  /// Creates a source without text.
  init() { blockSize = 0 }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - readsAhead: Whether another thread reads the file, if the system has one.
  ///   - storedBlockSize: The number of stored bytes read at a time.
  ///   - textBlockSize: The most bytes of text that one call of `read` returns.
  /// - Throws: The errors of opening a file and reading its first block.
  init(
    path: String, readsAhead: Bool, storedBlockSize: Int, textBlockSize: Int
  ) throws(ScanError) {
    precondition(textBlockSize > 0, "a block holds at least one byte")
    blockSize = textBlockSize
    if readsAhead {
      readAhead = try ReadAhead(
        path: path, storedBlockSize: storedBlockSize, textBlockSize: textBlockSize)
    }
    if readAhead == nil { reader = try TextReader(path: path, blockSize: storedBlockSize) }
  }

  /// Whether the file starts with the two magic bytes of gzip.
  var isGzip: Bool {
    switch reader {
    case .some(let reader): reader.isGzip
    case nil: readAhead?.isGzip ?? false
    }
  }

  /// The number of bytes read from the file so far, as stored.
  var storedByteCount: Int {
    switch reader {
    case .some(let reader): reader.storedByteCount
    case nil: readAhead?.storedByteCount ?? 0
    }
  }

  /// Reads text into a buffer, which must have room for a whole block.
  ///
  /// - Returns: The number of bytes read, at least 1 unless the text is at its end.
  mutating func read(
    into text: inout [UInt8], at offset: Int, _ onStoredBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) -> Int {
    if let readAhead {
      return try readAhead.read(into: &text, at: offset, onStoredBytes: onStoredBytes)
    }
    return try reader?.read(
      into: &text, at: offset, atMost: blockSize, onStoredBytes: onStoredBytes) ?? 0
  }
}
