import Scanning

/// Removes what unfinished outputs have put on disk when a run is stopped.
///
/// A signal handler may not do this itself; let a thread wait for the signal (`sigwait`), call
/// ``run()`` and exit. An output that is just being put in place is finished first, so the thread
/// waits for at most that.
public final class OutputCleanup: Sendable {
  /// The cleanup of this process, which every output uses unless told otherwise.
  public static let shared = OutputCleanup()

  private struct State {
    var isInterrupted = false
    var temporaryPaths: Set<String> = []
    /// Open lock files by their paths.
    var locks: [String: Int32] = [:]
  }

  private let state = Locked(State())

  /// Creates a cleanup of its own, for outputs that can be stopped apart from the others.
  public init() {}

  /// Removes every staging folder and temporary file, lets go of every lock, and stops their writers.
  ///
  /// Whatever is written afterwards throws ``OutputError/interrupted(path:)``.
  public func run() {
    state.withLock { state in
      state.isInterrupted = true
      for path in state.temporaryPaths { OutputFileSystem.removeTree(path) }
      for (path, descriptor) in state.locks { OutputLock.release(path, descriptor: descriptor) }
      state.temporaryPaths = []
      state.locks = [:]
    }
  }

  /// Takes a lock and remembers it.
  func takeLock(_ path: String, for folder: String) throws(OutputError) -> String? {
    try state.withLock { (state) throws(OutputError) -> String? in
      guard !state.isInterrupted else { throw .interrupted(path: folder) }
      let (descriptor, note) = try OutputLock.take(path, for: folder)
      state.locks[path] = descriptor
      return note
    }
  }

  /// Does work that leaves a temporary path behind, unless the run was stopped; ``run()`` waits.
  func write(temporary path: String, for output: String, _ body: () throws(OutputError) -> Void)
    throws(OutputError)
  {
    try state.withLock { (state) throws(OutputError) in
      guard !state.isInterrupted else { throw .interrupted(path: output) }
      state.temporaryPaths.insert(path)
      try body()
    }
  }

  /// Removes a temporary path, if it is still there, and lets go of a lock.
  func release(temporary path: String, lock: String? = nil) {
    state.withLock { state in
      if state.temporaryPaths.remove(path) != nil { OutputFileSystem.removeTree(path) }
      guard let lock, let descriptor = state.locks.removeValue(forKey: lock) else { return }
      OutputLock.release(lock, descriptor: descriptor)
    }
  }
}
