#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A thread of the operating system.
///
/// Used in place of a Dispatch queue, which waits for ever when the system has no thread left. Here
/// ``init(_:)`` returns nil, and the caller can do the work on its own thread.
package final class SystemThread: Sendable {
  /// The thread; `nil` after ``join()``.
  private let thread: Locked<pthread_t?>

  /// Starts a thread.
  ///
  /// Returns nil, with nothing done, if the system has no thread or no memory for one.
  ///
  /// - Parameter body: The work of the thread.
  package init?(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    // Safe: the thread owns this reference to the body; it is released here if there is no thread.
    let argument = unsafe Unmanaged.passRetained(ThreadBody(body))
    let code = unsafe pthread_create(&thread, nil, startOfThread, argument.toOpaque())
    guard code == 0 else {
      unsafe argument.release()
      return nil
    }
    self.thread = Locked(thread)
  }

  deinit {
    if let thread = thread.withLock({ $0 }) { _ = pthread_detach(thread) }
  }

  /// Waits for the thread to end.
  package func join() {
    thread.withLock { thread in
      guard let running = thread else { return }
      pthread_join(running, nil)
      thread = nil
    }
  }

  /// Runs a body on several threads at once, including this one, and waits for all.
  ///
  /// - Parameters:
  ///   - count: The largest number of threads; if the system has fewer, fewer run the body.
  ///   - body: The work of each thread, which takes tasks from a common list; called at least once.
  package static func run(_ count: Int, _ body: @Sendable () -> Void) {
    withoutActuallyEscaping(body) { body in
      var threads: [SystemThread] = []
      for _ in 1..<max(1, count) {
        guard let thread = SystemThread(body) else { break }
        threads.append(thread)
      }
      body()
      for thread in threads { thread.join() }
    }
  }
}

/// The work of a thread, as an object whose address can be passed through the system.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func startOfThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument = unsafe argument {
    // Safe: the argument was retained in init for this one call.
    unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
  }
  return nil
}
