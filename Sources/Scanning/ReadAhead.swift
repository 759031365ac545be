/// A file that a thread of its own reads and inflates, ahead of whoever wants the text.
///
/// One large file is thus read on two cores. All that the thread's reader does is handed over in its order: the
/// stored bytes that it shows, the text, the end or the error. So nobody can tell it from a reader of one's own.
/// A few blocks wait at most, and the thread sleeps while they do.
final class ReadAhead {
  /// Bytes of a block of text, which take far longer to inflate than to hand over.
  static let textBlockSize = 1 << 17

  private let queue = PieceQueue()
  private let thread: SystemThread
  private var piece = Piece()

  /// Whether the file starts with the gzip magic bytes.
  private(set) var isGzip = false
  /// The number of stored bytes that were handed out so far.
  private(set) var storedByteCount = 0

  /// Opens a file and starts to read; `nil` when the system has no thread for it, and the file is not open then.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - storedBlockSize: How much of it is read at a time.
  ///   - textBlockSize: How much text is handed over at a time, at most.
  /// - Throws: What opening a reader throws.
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
    // The thread is done with the file before anybody goes on.
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

  /// Does the thread's work, until the text is at its end or nobody wants more.
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
