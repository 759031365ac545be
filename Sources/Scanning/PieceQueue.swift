import Dispatch
import Synchronization

/// One result of the reading thread: the opened file, bytes, text or an error.
struct Piece {
  enum Content {
    case opened(isGzip: Bool)
    case storedBytes, text
    case error(ScanError)
  }

  var content = Content.text
  /// The bytes read, with room for more.
  var bytes: [UInt8] = []
  var count = 0
  /// Whether it is the last piece.
  var isLast = false

  mutating func makeRoom(_ count: Int) {
    if bytes.count < count { bytes = Array(repeating: 0, count: count) }
  }
}

/// Passes pieces from the reading thread to the thread that uses them, in a ring of six places.
///
/// `put` and `take` swap the caller's piece with a used one, so that its memory is reused.
final class PieceQueue: Sendable {
  private static let length = 6

  private struct Ring {
    var places = [Piece](repeating: Piece(), count: length)
    var putCount = 0
    var takenCount = 0

    mutating func exchange(_ piece: inout Piece, at number: Int) {
      swap(&places[number % length], &piece)
    }
  }

  private let ring = Locked(Ring())
  private let filled = DispatchSemaphore(value: 0)
  private let free = DispatchSemaphore(value: 0)
  private let stopped = Atomic(false)

  init() {
    // One by one, because a semaphore must not end with a smaller value than it began with.
    for _ in 0..<Self.length { free.signal() }
  }

  /// Whether no further piece will be taken.
  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  /// Waits for a free place and puts in a piece; does nothing after ``stop()``.
  func put(_ piece: inout Piece) {
    if isStopped { return }
    free.wait()
    ring.withLock { ring in
      ring.exchange(&piece, at: ring.putCount)
      ring.putCount += 1
    }
    filled.signal()
  }

  /// Waits for the next piece and takes it.
  func take(_ piece: inout Piece) {
    filled.wait()
    ring.withLock { ring in
      ring.exchange(&piece, at: ring.takenCount)
      ring.takenCount += 1
    }
    free.signal()
  }

  /// Declares that no further piece will be taken, and wakes a waiting `put`.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    free.signal()
  }
}
