import Dispatch
import Synchronization

/// Something that another thread makes while this one goes on.
final class Deferred<Made: Sendable>: Sendable {
  private let made = Mutex<Made?>(nil)
  private let group = DispatchGroup()
  private let handOver = Atomic(false)

  /// Begins to make it.
  ///
  /// - Parameters:
  ///   - jobs: How many threads the run may have; with one it is made at once.
  ///   - make: Makes it.
  init(jobs: Int, _ make: @escaping @Sendable () -> Made) {
    guard jobs > 1 else {
      made.withLock { $0 = make() }
      return
    }
    handOver.store(true, ordering: .releasing)
    DispatchQueue.global().async(group: group) { [self] in
      _ = handOver.load(ordering: .acquiring)
      let made = make()
      self.made.withLock { $0 = made }
      handOver.store(true, ordering: .releasing)
    }
  }

  /// Waits until it is made, and returns it.
  ///
  /// The atomic is there for ThreadSanitizer alone, see ``SharedSymbols``.
  func value() -> Made {
    group.wait()
    _ = handOver.load(ordering: .acquiring)
    guard let made = made.withLock({ $0 }) else { preconditionFailure("made by now") }
    return made
  }
}
