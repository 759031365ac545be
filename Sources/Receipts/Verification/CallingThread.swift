import Scanning

/// Runs an asynchronous operation on the calling thread, to its end.
///
/// X509 validates asynchronously so that policies may ask the network; ours ask nobody. The operation
/// must not wait for anything: then nothing needs another thread, and no thread is blocked.
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

/// Runs jobs at once where they are handed in.
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
