public import Pipeline
import Scanning

/// Keeps between runs what each input file says and what was counted, so that a run reads only files that are new.
///
/// It lasts until all is written that runs have left.
public final class ExtractCache: EarlierRuns, Sendable {
  let entries: CacheEntries
  let clock: WallClock
  private let writing = Locked<[Deferred<Void>]>([])

  /// Opens a cache, and makes one where there is nothing or an empty folder.
  ///
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The tool's version: entries of others are not used.
  /// - Throws: `OutputError` when the folder cannot be made, or is not to be trusted: see ``CacheFolder``.
  public convenience init(path: String, version: String) throws(OutputError) {
    try self.init(path: path, version: version, clock: .system)
  }

  /// Opens a cache with a clock of its own.
  ///
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The tool's version.
  ///   - clock: Tells the time of a run, which remembers only files that were written some seconds before it.
  /// - Throws: What the other initializer throws.
  package init(path: String, version: String, clock: WallClock) throws(OutputError) {
    entries = CacheEntries(try CacheFolder(path: path), version: version)
    self.clock = clock
  }

  deinit { wait() }

  package var folderPath: String { entries.folder.path }

  package func begin(_ plan: RunPlan) -> any RunMemo { CachedRun(self, plan) }

  /// Returns what was wrong with entries since it was asked last.
  ///
  /// - Returns: One line each, sorted by bytes.
  public func takeNotes() -> [String] { entries.takeNotes() }

  /// Waits until all is written that runs have left: what was counted is written while tables are made.
  ///
  /// - Returns: What was wrong with entries since it was asked last.
  public func finish() -> [String] {
    wait()
    return takeNotes()
  }

  /// Waits until all is written that runs have left.
  package func wait() {
    for writing in writing.withLock({ $0 }) { writing.value() }
  }

  /// Writes entries while the run goes on.
  func writeBeside(jobs: Int, _ write: @escaping @Sendable (CacheEntries) -> Void) {
    let writing = Deferred(jobs: jobs) { [entries] in write(entries) }
    self.writing.withLock { $0.append(writing) }
  }
}
