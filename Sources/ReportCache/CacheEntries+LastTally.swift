import AppStoreReports
import Metrics
import Pipeline
import SubscriptionModel

/// What the last run counted that was asked the same.
extension CacheEntries {
  /// What it is called in notes.
  static let aboutTally = "the last tally"

  /// Begins to read from what the last run counted, while this one looks for its files.
  ///
  /// - Parameter plan: The run.
  /// - Returns: What is read; `nil` when the run has no use for it.
  func lastRecord(_ plan: RunPlan) -> LastRecord? {
    guard plan.sources.contains(.subscribers) else { return nil }
    let registries = Registries()
    let opened = Deferred(jobs: plan.jobs) { [self] in
      Result { () throws(CacheEntry.Fault) -> LastRecord.Opened? in
        var reader = ExtractReader(registries)
        var record = TallyRecord()
        guard try open(TallyRecord.name(plan), in: folder.tallies, with: &reader) else {
          return nil
        }
        record.code(with: &reader)
        guard reader.isValid else { throw .damaged }
        return (record, reader)
      }
    }
    return LastRecord(registries: registries, opened: opened)
  }

  /// Waits until the last record is read; `nil` when there is none to trust.
  func opened(_ last: LastRecord) -> LastRecord.Opened? {
    switch last.opened.value() {
    case .success(let opened): return opened
    case .failure(let fault):
      noteFault(fault, about: Self.aboutTally)
      return nil
    }
  }

  /// Returns what the last run counted.
  ///
  /// Its counts are read while the run reads its files, also if it turns out that all must be folded.
  func lastTally(_ context: ReadContext, _ opened: LastRecord.Opened) -> LastTally {
    let (record, reader) = opened
    let empty = context.emptyTally(.subscribers)
    let counts = Deferred(jobs: context.plan.jobs) { [self] () -> TallyCounts? in
      var reader = reader
      var counts = TallyCounts(tally: empty)
      counts.code(asOf: record.asOf, with: &reader)
      return close(&reader, about: Self.aboutTally) ? counts : nil
    }
    return LastTally(record: record, counts: counts)
  }

  /// Keeps what a run has counted.
  func keep(
    _ record: TallyRecord, _ counts: TallyCounts, named name: String, _ registries: Registries
  ) {
    var (record, counts) = (record, counts)
    var writer = ExtractWriter(registries)
    record.code(with: &writer)
    counts.code(asOf: record.asOf, with: &writer)
    keep(writer.bytes, named: name, in: folder.tallies)
  }

  /// Removes what the last run counted: the next one counts all anew.
  func removeTally(_ plan: RunPlan) {
    OutputFileSystem.removeTree(folder.tallies + "/" + TallyRecord.name(plan))
  }
}
