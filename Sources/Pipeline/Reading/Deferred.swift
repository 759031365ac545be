import Scanning

/// Something that another thread makes while this one goes on.
package final class Deferred<Made: Sendable>: Sendable {
  private enum State {
    case toMake(@Sendable () -> Made)
    case made(Made)
  }

  private let state: Locked<State>
  private let thread = Locked<SystemThread?>(nil)

  /// Begins to make it.
  ///
  /// - Parameters:
  ///   - jobs: How many threads the run may have; with one, or where the system has no other, it is made at once.
  ///   - make: Makes it.
  package init(jobs: Int, _ make: @escaping @Sendable () -> Made) {
    state = Locked(.toMake(make))
    if jobs > 1, let thread = SystemThread({ self.make() }) {
      self.thread.withLock { $0 = thread }
    } else {
      self.make()
    }
  }

  private func make() {
    guard case .toMake(let make) = state.withLock({ $0 }) else { return }
    let made = make()
    state.withLock { $0 = .made(made) }
  }

  /// Waits until it is made, and returns it.
  package func value() -> Made {
    thread.withLock { $0 }?.join()
    guard case .made(let made) = state.withLock({ $0 }) else {
      preconditionFailure("made by now")
    }
    return made
  }
}
