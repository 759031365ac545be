import AppStoreReports
package import Files
package import Pipeline
import Storage
package import Tables

/// Keeps the extract of each input file and the last tally between runs, so that a run reads only new files.
///
/// Its deinitializer waits until everything is written.
package final class ExtractCache: EarlierRuns, Sendable {
  let entries: CacheEntries
  /// Seconds added to the system's clock, so that tests need not wait until files are old enough to be remembered.
  let secondsAhead: Int64
  private let writing = Locked<[Deferred<Void>]>([])

  /// Opens a cache; creates it if nothing is at the path, or an empty folder.
  ///
  /// Entries of other versions are not used. `secondsAhead` are added to the system's clock, for tests: a run
  /// remembers only files written some seconds before it.
  package init(path: String, version: String, secondsAhead: Int64 = 0) throws(OutputError) {
    entries = CacheEntries(try CacheFolder(path: path), version: version)
    self.secondsAhead = secondsAhead
  }

  deinit { wait() }

  package var folderPath: String { entries.folder.path }

  package func begin(_ plan: RunPlan) -> any RunMemo { CachedRun(self, plan) }

  /// Returns the notes about entries since the last call, a line for each, sorted by bytes.
  package func takeNotes() -> [String] { entries.takeNotes() }

  /// Waits until everything is written, and returns the notes; the tally is written while tables are made.
  package func finish() -> [String] {
    wait()
    return takeNotes()
  }

  /// Whether an entry could not be written: the next run finds nothing to compare itself with.
  package var hasFailed: Bool { entries.hasFailed }

  /// Waits until everything is written.
  package func wait() {
    for writing in writing.withLock({ $0 }) { writing.value() }
  }

  /// Writes entries on another thread, which ``wait()`` waits for.
  func writeInBackground(jobs: Int, _ write: @escaping @Sendable (CacheEntries) -> Void) {
    let writing = Deferred(jobs: jobs) { [entries] in write(entries) }
    self.writing.withLock { $0.append(writing) }
  }
}

extension ExtractCache {
  /// Compares a run with the last one with the same inputs and settings.
  ///
  /// There is a line for each change of past data, in a report, headline number or finding; none for the first run, as `isFirst` says.
  /// `keep` makes the run the last one. Throws only if the run converts amounts.
  package func comparisonWithLastRun(
    _ result: RunResult
  ) throws(ConversionError) -> (lines: [String], isFirst: Bool, keep: () -> Void) {
    let name = RunSummary.name(result.plan)
    var summary = try RunSummary(result)
    let last = lastRun(name)
    if let last { summary.keepUnread(of: last) }
    var writer = ExtractWriter(Registries())
    summary.code(with: &writer)
    let (entries, bytes) = (entries, writer.bytes)
    return (
      last.map { RunComparison($0, summary).lines } ?? [], last == nil,
      { entries.keep(bytes, named: name, in: entries.folder.runs) }
    )
  }

  private func lastRun(_ name: String) -> RunSummary? {
    let about = "the last run"
    var reader = ExtractReader(Registries())
    var summary = RunSummary()
    guard entries.open(name, in: entries.folder.runs, about: about, with: &reader) else {
      return nil
    }
    summary.code(with: &reader)
    return entries.close(&reader, about: about) ? summary : nil
  }
}
