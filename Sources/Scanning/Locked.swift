public import Synchronization

/// A value that several threads use, one after the other.
///
/// On Linux, ThreadSanitizer does not see the handover of a mutex that a thread waits for, and reports a
/// race in any program with one. The atomic makes the handover visible; the mutex alone does the locking.
public struct Locked<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let value: Mutex<Value>
  @usableFromInline let handOver = Atomic(false)

  /// Creates the lock.
  ///
  /// - Parameter value: The guarded value.
  @inlinable
  public init(_ value: Value) {
    self.value = Mutex(value)
    handOver.store(true, ordering: .releasing)
  }

  /// Calls a function while holding the lock.
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
