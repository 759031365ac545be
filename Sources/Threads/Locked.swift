package import Synchronization

#if THREAD_SANITIZER
  /// A `Mutex` that ThreadSanitizer understands.
  ///
  /// On Linux it does not see that a waiting thread gets a mutex. Without the atomic it reports a race.
  package struct Locked<Value: Sendable>: ~Copyable, Sendable {
    @usableFromInline let value: Mutex<Value>
    @usableFromInline let isReleased = Atomic(false)

    @inlinable
    package init(_ value: Value) {
      self.value = Mutex(value)
      isReleased.store(true, ordering: .releasing)
    }

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
#else
  /// A value that only one thread at a time can use.
  package typealias Locked = Mutex
#endif
