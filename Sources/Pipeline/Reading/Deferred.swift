import Scanning

/// A value that another thread computes while this one goes on.
package final class Deferred<Made: Sendable>: Sendable {
  private enum State {
    case toMake(@Sendable () -> Made)
    case made(Made)
  }

  private let state: Locked<State>
  private let thread = Locked<SystemThread?>(nil)

  /// Starts the computation.
  ///
  /// - Parameters:
  ///   - jobs: The run's number of threads; with 1, or when no thread can start, the value is computed at once.
  ///   - make: Computes the value.
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

  /// Waits for the value and returns it.
  package func value() -> Made {
    thread.withLock { $0 }?.join()
    guard case .made(let made) = state.withLock({ $0 }) else {
      preconditionFailure("made by now")
    }
    return made
  }
}
