import AppStoreReports
import Metrics
import Pipeline
import Scanning
import SubscriptionModel

/// Reads from the cache what one run can reuse, and writes what the next run can.
final class CachedRun: RunMemo {
  private let cache: ExtractCache
  private let plan: RunPlan
  /// The hashes and headers of files from the last run.
  private let lastFiles: KnownFiles
  /// The last run's tally record, read in the background; `nil` if the run cannot use it.
  private let lastRecord: LastRecord?
  private let state = Locked(State())

  /// The state that threads share.
  private struct State {
    /// The last run's tally record; `nil` if the tally cannot be made from it.
    var opened: LastRecord.Opened?
    var lastTally: LastTally?
    /// Whether to skip reading charges that the last tally already counts.
    var leavesOut = true
    var charges: [ChargeExtract] = []
    /// The files that the next run need not hash again, by path.
    var files: [String: KnownFiles.File] = [:]
  }

  /// Begins a run: reads the last tally record while the run looks for its files.
  init(_ cache: ExtractCache, _ plan: RunPlan) {
    self.cache = cache
    self.plan = plan
    lastRecord = cache.entries.lastRecord(plan)
    lastFiles = cache.entries.knownFiles(plan, ahead: cache.secondsAhead)
  }

  private init(again run: CachedRun) {
    cache = run.cache
    plan = run.plan
    lastFiles = run.lastFiles
    // A second reading may contradict what the last tally put into its registries.
    lastRecord = nil
  }

  func again() -> any RunMemo { CachedRun(again: self) }

  func text(of file: InputFile) -> ScoutedText? { lastFiles[file]?.text }

  func registries(keepsTally: Bool) -> Registries {
    guard keepsTally, let lastRecord, let opened = entries.opened(lastRecord) else {
      // Reuse cached registries only to update the cached tally: they may hold terms of reports that are gone.
      return Registries()
    }
    state.withLock { $0.opened = opened }
    return lastRecord.registries
  }

  func begin(_ context: ReadContext) {
    guard let opened = state.withLock({ $0.opened }) else { return }
    let tally = entries.lastTally(context, opened)
    state.withLock { $0.lastTally = tally }
  }

  func fileMemo(_ context: ReadContext) -> any FileMemo { CachedFiles(self, context) }

  var entries: CacheEntries { cache.entries }

  // MARK: Files

  /// Returns the SHA-256 and the length of a file; `nil` when it cannot be read.
  func storedBytes(of scouted: ScoutedFile, _ progress: RunProgress) -> StoredBytes? {
    let path = scouted.file.path
    let known = lastFiles[scouted.file]
    guard let sha256 = known?.sha256 ?? storedHash(of: path) else { return nil }
    if known == nil { progress.reach(.hashed, path) }
    if let file = known ?? lastFiles.file(scouted, sha256) {
      state.withLock { $0.files[path] = file }
    }
    return StoredBytes(sha256: sha256, count: scouted.file.byteCount)
  }

  /// Makes the next run hash a file again, because it changed after it was hashed.
  func forgetHash(of file: InputFile) {
    state.withLock { $0.files[file.path] = nil }
  }

  // MARK: Charges

  /// Returns a report's terms if the last tally already counts its charges, so that they need not be read.
  func termsOfChargesLeftOut(_ name: String) -> [UInt32]? {
    state.withLock { $0.leavesOut ? $0.lastTally?.record.extract(named: name)?.terms : nil }
  }

  /// Remembers the cache entry of a report's charges.
  func note(_ charges: ChargeExtract) { state.withLock { $0.charges.append(charges) } }

  func stopLeavingOut() -> Bool {
    state.withLock { state in
      let hasLeftOut = state.charges.contains { !$0.isRead }
      if hasLeftOut { state.charges = [] }
      state.leavesOut = false
      return hasLeftOut
    }
  }

  /// Returns the entries of charges of all reports that count, in file order.
  ///
  /// `nil` when a report that counts has no entry, because the file changed while it was read. Then the tally
  /// cannot be updated: all charges are folded, and no tally is kept, because the next run could not tell what
  /// such a file added to it.
  private func charges(_ reports: [FileReport]) -> [ChargeExtract]? {
    let charges = state.withLock { $0.charges }.sorted { $0.index < $1.index }
    let withEntry = Set(charges.map(\.index))
    let isWhole = reports.indices.allSatisfy { index in
      reports[index].kind != .subscriber || !reports[index].isUsed || withEntry.contains(index)
    }
    guard isWhole else { return nil }
    return charges.filter { reports[$0.index].isUsed && !$0.terms.isEmpty }
  }

  func changedTally(
    _ reports: [FileReport], _ days: Completeness, _ charges: [ChargeStore], _ context: ReadContext
  ) -> (any ChangedTally)? {
    guard let lastTally = state.withLock({ $0.lastTally }), let extracts = self.charges(reports),
      let change = TallyChange(entries, context, lastTally, extracts, days)
    else { return nil }
    return change.fold(charges)
  }

  // MARK: End

  func end(
    _ reports: [FileReport], _ folded: FoldedChains?, isSound: Bool, _ context: ReadContext
  ) {
    if !isSound {
      entries.removeTally(plan)
    } else if let folded, context.keepsTally {
      keep(folded, reports, context)
    }
    entries.keep(state.withLock { $0.files }, after: lastFiles, plan)
  }

  /// Writes the tally for the next run, while this one makes its tables.
  private func keep(_ folded: FoldedChains, _ reports: [FileReport], _ context: ReadContext) {
    guard !folded.tally.hasDroppedFacts, let charges = charges(reports) else { return }
    // Two reports with the same bytes count twice but share one entry: keep no tally.
    guard Set(charges.map(\.name)).count == charges.count else { return }
    let record = TallyRecord(charges, folded)
    let counts = TallyCounts(tally: folded.tally, impact: folded.impact)
    let (name, registries) = (TallyRecord.name(plan), context.registries)
    cache.writeBeside(jobs: plan.jobs) { $0.keep(record, counts, named: name, registries) }
  }
}

/// The cache entry of a report's charges.
struct ChargeExtract: Sendable {
  /// The file's place in the order of all files of the run.
  var index: Int
  /// The name of the entry.
  var name: String
  /// For each of the file's terms, its number in the run.
  var terms: [UInt32]
  /// Whether the charges were read; not if the last tally already counts them.
  var isRead = true
}
