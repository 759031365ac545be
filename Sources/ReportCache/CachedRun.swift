import AppStoreReports
import Metrics
import Pipeline
import Scanning
import SubscriptionModel

/// What a run takes from the cache and leaves in it.
final class CachedRun: RunMemo {
  private let cache: ExtractCache
  private let plan: RunPlan
  /// The hashes and headers of files as they were in the last run.
  private let lastFiles: KnownFiles
  /// What the last run counted, while it is read; `nil` when the run has no use for it.
  private let lastRecord: LastRecord?
  private let state = Locked(State())

  /// What threads share.
  private struct State {
    /// What the last run counted; `nil` when the tally cannot be made from it.
    var opened: LastRecord.Opened?
    var lastTally: LastTally?
    /// Whether charges that are in the last tally are left out.
    var leavesOut = true
    var charges: [ChargeExtract] = []
    /// The hashes that the next run need not make again, by path.
    var files: [String: KnownFiles.File] = [:]
  }

  /// Begins a run; its record of the last tally is read while the run looks for its files.
  init(_ cache: ExtractCache, _ plan: RunPlan) {
    self.cache = cache
    self.plan = plan
    lastRecord = cache.entries.lastRecord(plan)
    lastFiles = cache.entries.knownFiles(plan, cache.clock)
  }

  private init(again run: CachedRun) {
    cache = run.cache
    plan = run.plan
    lastFiles = run.lastFiles
    // What is read again may contradict what was put into the registries of the last tally.
    lastRecord = nil
  }

  func again() -> any RunMemo { CachedRun(again: self) }

  func text(of file: InputFile) -> ScoutedText? { lastFiles[file]?.text }

  func registries(keepsTally: Bool) -> Registries {
    guard keepsTally, let lastRecord, let opened = entries.opened(lastRecord) else {
      // Registries that know the terms of reports that are gone are good for nothing but changing their tally.
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

  /// Leaves it to the next run to hash a file again that was just hashed.
  func forgetHash(of file: InputFile) {
    state.withLock { $0.files[file.path] = nil }
  }

  // MARK: Charges

  /// Returns the terms of a report's charges when the last tally has them, so that they need not be read.
  func termsOfChargesLeftOut(_ name: String) -> [UInt32]? {
    state.withLock { $0.leavesOut ? $0.lastTally?.record.extract(named: name)?.terms : nil }
  }

  /// Notes where the charges of a report are.
  func note(_ charges: ChargeExtract) { state.withLock { $0.charges.append(charges) } }

  func stopLeavingOut() -> Bool {
    state.withLock { state in
      let hasLeftOut = state.charges.contains { !$0.isRead }
      if hasLeftOut { state.charges = [] }
      state.leavesOut = false
      return hasLeftOut
    }
  }

  /// Where the charges of all reports that count are, in the order of files.
  ///
  /// `nil` when a report that counts has no entry, because it changed while it was read. The next run cannot know what
  /// such a file has added to a tally, and this one cannot add it to the last: so all charges are folded, and no tally
  /// is kept.
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
    return change.parts(charges).map { ChangedSubscribers(change, $0) }
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

  /// Keeps the tally for the next run; it is written while this one makes its tables.
  private func keep(_ folded: FoldedChains, _ reports: [FileReport], _ context: ReadContext) {
    guard !folded.tally.hasDroppedFacts, let charges = charges(reports) else { return }
    // Two reports of the same bytes count twice, but have one entry.
    guard Set(charges.map(\.name)).count == charges.count else { return }
    let record = TallyRecord(charges, folded)
    let counts = TallyCounts(tally: folded.tally, impact: folded.impact)
    let (name, registries) = (TallyRecord.name(plan), context.registries)
    cache.writeBeside(jobs: plan.jobs) { $0.keep(record, counts, named: name, registries) }
  }
}

/// Where the charges of a report are in the cache.
struct ChargeExtract: Sendable {
  /// The file's place in the order of all files of the run.
  var index: Int
  /// The name of the entry.
  var name: String
  /// The run's number of each of the file's terms.
  var terms: [UInt32]
  /// Whether the charges were read; they are left out when the last tally has them.
  var isRead = true
}
