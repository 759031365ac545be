import Dispatch
import Storage
import Synchronization

/// One result of the reading thread: an opened file, stored bytes, text or an error.
struct Piece {
  enum Content {
    case opened(isGzip: Bool)
    case storedBytes, text
    case error(ScanError)
  }

  var content = Content.text
  /// The bytes read; only the first ``count`` are valid.
  var bytes: [UInt8] = []
  var count = 0
  /// Whether it is the last piece.
  var isLast = false

  mutating func makeRoom(_ count: Int) {
    if bytes.count < count { bytes = Array(repeating: 0, count: count) }
  }
}

/// Passes pieces from the reading thread to the thread that uses them, in a ring buffer of six.
///
/// `put` and `take` swap the caller's piece with one in the ring, so that memory is reused.
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
    // Signaled one by one: a semaphore with a smaller value at its end than at its start traps.
    for _ in 0..<Self.length { free.signal() }
  }

  /// Whether no further piece will be taken.
  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  /// Waits for a free place and stores a piece there; does nothing after ``stop()``.
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

  /// Ends the queue: no further piece will be taken, and a waiting `put` returns.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    free.signal()
  }
}
