public import Pipeline
import Scanning

/// Keeps the extract of each input file and the last tally between runs, so that a run reads only new files.
///
/// Its deinitializer waits until everything is written.
public final class ExtractCache: EarlierRuns, Sendable {
  let entries: CacheEntries
  let clock: WallClock
  private let writing = Locked<[Deferred<Void>]>([])

  /// Opens a cache; creates it if nothing is at the path, or an empty folder.
  ///
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The tool's version; entries of other versions are not used.
  /// - Throws: `OutputError` when the folder cannot be created or trusted: see ``CacheFolder``.
  public convenience init(path: String, version: String) throws(OutputError) {
    try self.init(path: path, version: version, clock: .system)
  }

  /// Opens a cache with a given clock.
  ///
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The tool's version.
  ///   - clock: The time of a run; a run remembers only files written some seconds before it.
  /// - Throws: The same as the other initializer.
  package init(path: String, version: String, clock: WallClock) throws(OutputError) {
    entries = CacheEntries(try CacheFolder(path: path), version: version)
    self.clock = clock
  }

  deinit { wait() }

  package var folderPath: String { entries.folder.path }

  package func begin(_ plan: RunPlan) -> any RunMemo { CachedRun(self, plan) }

  /// Returns the notes about entries since the last call.
  ///
  /// - Returns: One line for each note, sorted by bytes.
  public func takeNotes() -> [String] { entries.takeNotes() }

  /// Waits until everything is written; the tally is written while tables are made.
  ///
  /// - Returns: The notes about entries since the last call.
  public func finish() -> [String] {
    wait()
    return takeNotes()
  }

  /// Waits until everything is written.
  package func wait() {
    for writing in writing.withLock({ $0 }) { writing.value() }
  }

  /// Writes entries in the background.
  func writeBeside(jobs: Int, _ write: @escaping @Sendable (CacheEntries) -> Void) {
    let writing = Deferred(jobs: jobs) { [entries] in write(entries) }
    self.writing.withLock { $0.append(writing) }
  }
}
