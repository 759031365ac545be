public import Synchronization

/// A value that only one thread at a time can use: a `Mutex` that ThreadSanitizer understands.
///
/// On Linux the sanitizer does not see that a waiting thread gets a mutex, and reports a race. Only its build has the
/// atomic, by which it sees it.
@usableFromInline
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let value: Mutex<Value>
  #if THREAD_SANITIZER
    @usableFromInline let isReleased = Atomic(true)
  #endif

  /// Creates a locked value.
  ///
  /// - Parameter value: The value.
  @inlinable
  package init(_ value: Value) {
    self.value = Mutex(value)
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
      #if THREAD_SANITIZER
        _ = isReleased.load(ordering: .acquiring)
        defer { isReleased.store(true, ordering: .releasing) }
      #endif
      return try body(&value)
    }
  }
}
