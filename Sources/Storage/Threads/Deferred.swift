/// A value that another thread computes while this one goes on.
package final class Deferred<Value: Sendable>: Sendable {
  private let made = Locked<Value?>(nil)
  private let thread = Locked<SystemThread?>(nil)

  /// Starts the computation.
  ///
  /// - Parameters:
  ///   - jobs: The run's number of threads; with 1, or when no thread can start, the value is computed at once.
  ///   - make: Computes the value.
  package init(jobs: Int, _ make: @escaping @Sendable () -> Value) {
    if jobs > 1, let thread = SystemThread({ self.keep(make()) }) {
      self.thread.withLock { $0 = thread }
    } else {
      keep(make())
    }
  }

  private func keep(_ value: Value) { made.withLock { $0 = value } }

  /// Waits for the value and returns it.
  package func value() -> Value {
    thread.withLock { $0 }?.join()
    guard let made = made.withLock({ $0 }) else { preconditionFailure("made by now") }
    return made
  }
}
