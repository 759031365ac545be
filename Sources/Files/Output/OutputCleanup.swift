import Storage
import SystemPackage

/// Removes the temporary files of unfinished outputs when a run is stopped.
///
/// A signal handler cannot do this: a thread must wait for the signal (`sigwait`), call ``run()`` and exit.
/// ``run()`` first waits for an output that is just being put in place, and for nothing else.
package final class OutputCleanup: Sendable {
  /// The cleanup of this process, used by every output by default.
  package static let shared = OutputCleanup()

  private struct State {
    var isInterrupted = false
    var temporaryPaths: Set<String> = []
    /// Open lock files by their paths.
    var locks: [String: FileDescriptor] = [:]
  }

  private let state = Locked(State())

  /// Creates a separate cleanup, for outputs that can be stopped independently of the others.
  package init() {}

  /// Removes every staging folder and temporary file, releases every lock, and stops their writers.
  ///
  /// Later writes throw ``OutputError/interrupted(path:)``.
  package func run() {
    state.withLock { state in
      state.isInterrupted = true
      for path in state.temporaryPaths { OutputFileSystem.removeTree(path) }
      for (path, descriptor) in state.locks { OutputLock.release(path, descriptor: descriptor) }
      state.temporaryPaths = []
      state.locks = [:]
    }
  }

  /// Takes the lock of a folder and registers it for release.
  ///
  /// Returns a note if an earlier process left the lock file behind.
  package func takeLock(_ path: String, for folder: String) throws(OutputError) -> String? {
    try state.withLock { (state) throws(OutputError) -> String? in
      guard !state.isInterrupted else { throw .interrupted(path: folder) }
      let (descriptor, note) = try OutputLock.take(path, for: folder)
      state.locks[path] = descriptor
      return note
    }
  }

  /// Runs a step that writes a temporary path, unless the run was stopped; ``run()`` waits for the step.
  package func write(
    temporary path: String, for output: String, _ body: () throws(OutputError) -> Void
  )
    throws(OutputError)
  {
    try state.withLock { (state) throws(OutputError) in
      guard !state.isInterrupted else { throw .interrupted(path: output) }
      state.temporaryPaths.insert(path)
      try body()
    }
  }

  /// Lets a temporary path stay, because from now on it has its content.
  package func keep(temporary path: String) {
    state.withLock { state in _ = state.temporaryPaths.remove(path) }
  }

  /// Removes a temporary path, if it still exists, and releases a lock.
  package func release(temporary path: String, lock: String? = nil) {
    state.withLock { state in
      if state.temporaryPaths.remove(path) != nil { OutputFileSystem.removeTree(path) }
      guard let lock, let descriptor = state.locks.removeValue(forKey: lock) else { return }
      OutputLock.release(lock, descriptor: descriptor)
    }
  }
}
