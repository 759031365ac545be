import Dispatch
import Synchronization

/// One thing that a reader does.
struct Piece {
  enum Content {
    case opened(isGzip: Bool)
    case storedBytes, text
    case error(ScanError)
  }

  var content = Content.text
  /// What was read, and room for more.
  var bytes: [UInt8] = []
  var count = 0
  /// Whether nothing follows.
  var isLast = false

  mutating func makeRoom(_ count: Int) {
    if bytes.count < count { bytes = Array(repeating: 0, count: count) }
  }
}

/// Pieces on their way from the thread that reads to the one that wants them, in a ring of places.
///
/// Whoever puts or takes a piece gets one for it that was used before, so that memory is used again.
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
    // One by one, because a semaphore must not end with less than it began with.
    for _ in 0..<Self.length { free.signal() }
  }

  /// Whether nobody will take a piece any more.
  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  /// Puts in a piece once there is a free place, unless nobody wants it.
  func put(_ piece: inout Piece) {
    if isStopped { return }
    free.wait()
    ring.withLock { ring in
      ring.exchange(&piece, at: ring.putCount)
      ring.putCount += 1
    }
    filled.signal()
  }

  /// Takes the next piece once there is one.
  func take(_ piece: inout Piece) {
    filled.wait()
    ring.withLock { ring in
      ring.exchange(&piece, at: ring.takenCount)
      ring.takenCount += 1
    }
    free.signal()
  }

  /// Ends the putting: nothing will be taken any more.
  func stop() {
    stopped.store(true, ordering: .relaxed)
    free.signal()
  }
}
