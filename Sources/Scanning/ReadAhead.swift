/// A file that a separate thread reads and inflates ahead of its user.
///
/// So one large file is read on two cores. The results come in the order of the thread's reader: stored
/// bytes, text, the end or an error, exactly as from a reader on the caller's thread. At most a few blocks
/// wait, and the thread sleeps while they do.
final class ReadAhead {
  /// The size of a block of text, which takes far longer to inflate than to pass on.
  static let textBlockSize = 1 << 17

  private let queue = PieceQueue()
  private let thread: SystemThread
  private var piece = Piece()

  /// Whether the file starts with the gzip magic bytes.
  private(set) var isGzip = false
  /// The number of stored bytes passed on so far.
  private(set) var storedByteCount = 0

  /// Opens a file and starts to read; nil, with the file not open, if the system has no thread for it.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - storedBlockSize: The number of stored bytes read at a time.
  ///   - textBlockSize: The most bytes of text passed on at a time.
  /// - Throws: The errors of opening a reader.
  init?(path: String, storedBlockSize: Int, textBlockSize: Int) throws(ScanError) {
    let thread = SystemThread { [queue] in
      Self.readAll(path, storedBlockSize, textBlockSize, into: queue)
    }
    guard let thread else { return nil }
    self.thread = thread
    queue.take(&piece)
    switch piece.content {
    case .opened(let isGzip): self.isGzip = isGzip
    case .error(let error): throw error
    case .storedBytes, .text: preconditionFailure("read before the file was open")
    }
  }

  deinit {
    queue.stop()
    // The thread has closed the file before the caller goes on.
    thread.join()
  }

  /// Reads text into a buffer, which must have room for a whole block.
  ///
  /// - Returns: The number of bytes read, at least 1 unless the text is at its end.
  func read(
    into text: inout [UInt8], at offset: Int, onStoredBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) -> Int {
    while true {
      if !piece.isLast { queue.take(&piece) }
      switch piece.content {
      case .opened: preconditionFailure("a file is opened once")
      case .storedBytes:
        storedByteCount += piece.count
        onStoredBytes?(piece.bytes.span.extracting(0..<piece.count))
      case .text:
        copyBytes(piece.bytes.span, 0..<piece.count, into: &text, at: offset)
        return piece.count
      case .error(let error): throw error
      }
    }
  }

  /// Reads the file on the thread, until the text ends or is no longer wanted.
  private static func readAll(
    _ path: String, _ storedBlockSize: Int, _ textBlockSize: Int, into queue: PieceQueue
  ) {
    var text = Piece()
    do throws(ScanError) {
      var reader = try TextReader(path: path, blockSize: storedBlockSize)
      var stored = Piece(content: .opened(isGzip: reader.isGzip))
      queue.put(&stored)
      var isAtEnd = false
      while !isAtEnd, !queue.isStopped {
        text.makeRoom(textBlockSize)
        text.count = try reader.read(into: &text.bytes, at: 0, atMost: textBlockSize) { bytes in
          stored.makeRoom(bytes.count)
          copyBytes(bytes, bytes.indices, into: &stored.bytes, at: 0)
          stored.count = bytes.count
          stored.content = .storedBytes
          queue.put(&stored)
        }
        isAtEnd = text.count == 0
        text.content = .text
        text.isLast = isAtEnd
        queue.put(&text)
      }
    } catch {
      text.content = .error(error)
      text.isLast = true
      queue.put(&text)
    }
  }
}
