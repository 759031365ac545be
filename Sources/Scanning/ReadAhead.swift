import Storage

/// Reads and inflates a file on a separate thread, ahead of the caller, so that one large file uses
/// two cores.
///
/// Stored bytes, text, the end or an error arrive in the same order as from a reader on the
/// caller's thread. The thread waits while the queue is full.
final class ReadAhead {
  /// The bytes in a block of text: so many that inflating takes far longer than the queue.
  static let textBlockSize = 1 << 17

  private let queue = PieceQueue()
  private let thread: SystemThread
  private var piece = Piece()

  /// Whether the file starts with the gzip magic bytes.
  private(set) var isGzip = false
  /// The number of stored bytes passed to the caller so far.
  private(set) var storedByteCount = 0

  /// Opens a file and begins to read; nil, with the file closed, if the system has no free thread.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - storedBlockSize: The number of stored bytes read at a time.
  ///   - textBlockSize: The most bytes of text in one piece.
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
    // After this, the thread has closed the file.
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

  /// Reads the file on the thread, until the text ends or the queue is stopped.
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
