package import Synchronization

/// A value that only one thread at a time can use.
///
/// The mutex does the locking. The atomic is for ThreadSanitizer on Linux: it does not see that a
/// waiting thread gets a mutex, and without the atomic it reports a race.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let value: Mutex<Value>
  @usableFromInline let isReleased = Atomic(false)

  /// Creates a locked value.
  ///
  /// - Parameter value: The value.
  @inlinable
  package init(_ value: Value) {
    self.value = Mutex(value)
    isReleased.store(true, ordering: .releasing)
  }

  /// Calls a function while holding the lock.
  ///
  /// - Parameter body: Uses the value.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws.
  @inlinable
  package borrowing func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try value.withLock { (value) throws(Failure) in
      _ = isReleased.load(ordering: .acquiring)
      defer { isReleased.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
