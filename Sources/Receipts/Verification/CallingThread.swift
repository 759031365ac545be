import Storage

/// Runs an asynchronous operation on the calling thread, and returns its result.
///
/// X509 validates asynchronously because policies may use the network; our policies do not. An
/// operation that never waits finishes on this thread, so no other thread is needed or blocked.
///
/// - Parameter operation: The operation; it must never wait.
/// - Returns: Its result.
func runOnCallingThread<Result: Sendable>(
  _ operation: @escaping @Sendable () async -> Result
) -> Result {
  let outcome = Outcome<Result>()
  Task(executorPreference: CallingThread.shared) {
    let result = await operation()
    outcome.result.withLock { $0 = result }
  }
  guard let result = outcome.result.withLock({ $0 }) else {
    preconditionFailure("the operation waited")
  }
  return result
}

/// Runs each job immediately on the thread that enqueues it.
private final class CallingThread: TaskExecutor {
  static let shared = CallingThread()

  func enqueue(_ job: consuming ExecutorJob) {
    // Safe: the executor lives as long as the program.
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

private final class Outcome<Result: Sendable>: Sendable {
  let result = Locked<Result?>(nil)
}
