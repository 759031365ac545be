public import Synchronization

/// A value that several threads use, one after the other.
///
/// On Linux ThreadSanitizer does not see how a mutex that somebody waits for is handed over, and reports a race
/// in any program that has one. The atomic tells it; the mutex alone does the work.
public struct Locked<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let value: Mutex<Value>
  @usableFromInline let handOver = Atomic(false)

  /// Creates the lock.
  ///
  /// - Parameter value: What it guards.
  @inlinable
  public init(_ value: Value) {
    self.value = Mutex(value)
    handOver.store(true, ordering: .releasing)
  }

  /// Holds the lock during a function.
  ///
  /// - Parameter body: Uses the value.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws.
  @inlinable
  public borrowing func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try value.withLock { (value) throws(Failure) in
      _ = handOver.load(ordering: .acquiring)
      defer { handOver.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
