import Scanning

/// Runs an asynchronous operation on the calling thread, to its end.
///
/// X509 validates asynchronously because policies may use the network; ours do not. The operation must
/// never wait for anything: it then needs no other thread, and blocks none.
///
/// - Parameter operation: What to run.
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
    preconditionFailure("an operation on the calling thread waits")
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
