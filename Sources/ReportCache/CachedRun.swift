import AppStoreReports
import Counting
import Files
import Pipeline
import Storage
import SubscriptionModel

/// Reads the cached results that one run reuses, and writes those for the next run.
final class CachedRun: RunMemo {
  private let cache: ExtractCache
  private let plan: RunPlan
  private let lastFiles: FileHashes
  /// The inputs of the last run's tally, read in the background; `nil` without Subscriber reports, and when
  /// the run begins again.
  private let lastTallyInputs: LastTallyInputs?
  private let state = Locked(State())

  /// The state that threads share.
  private struct State {
    /// The inputs of the last run's tally; `nil` before they are read, and if they cannot be used.
    var opened: LastTallyInputs.Opened?
    var lastTally: LastTally?
    /// Whether to skip reading charges that the last tally already counts.
    var skipsCharges = true
    var charges: [ChargesEntry] = []
    /// The files that the next run need not hash again, by path.
    var files: [ExactText: FileHashes.File] = [:]
  }

  /// Begins a run: starts to read the inputs of the last tally on another thread, while the run lists its files.
  init(_ cache: ExtractCache, _ plan: RunPlan) {
    self.cache = cache
    self.plan = plan
    lastTallyInputs = cache.entries.lastTallyInputs(plan)
    lastFiles = cache.entries.fileHashes(plan, ahead: cache.secondsAhead)
  }

  private init(restarting run: CachedRun) {
    cache = run.cache
    plan = run.plan
    lastFiles = run.lastFiles
    // The registries of the last tally may not fit the files when they are read again.
    lastTallyInputs = nil
  }

  func restarted() -> any RunMemo { CachedRun(restarting: self) }

  func text(of file: InputFile) -> RecognizedText? { lastFiles[file]?.text }

  func registries(keepsTally: Bool) -> Registries {
    guard keepsTally, let lastTallyInputs, let opened = entries.opened(lastTallyInputs) else {
      // Reuse cached registries only to update the cached tally: they may hold terms of reports that are gone.
      return Registries()
    }
    state.withLock { $0.opened = opened }
    return lastTallyInputs.registries
  }

  func begin(_ context: ReadContext) {
    guard let opened = state.withLock({ $0.opened }) else { return }
    let tally = entries.lastTally(context, opened)
    state.withLock { state in
      state.lastTally = tally
      // A run that keeps its charges, to explain tables, reads all of them.
      state.skipsCharges = !context.plan.keepsCharges
    }
  }

  func fileMemo(_ context: ReadContext) -> any FileMemo { CachedFiles(self, context) }

  var entries: CacheEntries { cache.entries }

  // MARK: Files

  /// Returns the SHA-256 and the length of a file; `nil` when it cannot be read.
  func storedBytes(of recognized: RecognizedFile, _ progress: RunProgress) -> StoredBytes? {
    let path = recognized.file.path
    let remembered = lastFiles[recognized.file]
    guard let sha256 = remembered?.sha256 ?? storedHash(of: path) else { return nil }
    if remembered == nil { progress.reach(.hashed, path) }
    if let file = remembered ?? lastFiles.file(recognized, sha256) {
      state.withLock { $0.files[path] = file }
    }
    return StoredBytes(sha256: sha256, count: recognized.file.byteCount)
  }

  /// Makes the next run hash a file again, because it changed after it was hashed.
  func removeHash(of file: InputFile) {
    state.withLock { $0.files[file.path] = nil }
  }

  /// Remembers the hashes that were computed, for the next run with the same inputs.
  func keepHashes() { entries.keep(state.withLock { $0.files }, after: lastFiles, plan) }

  // MARK: Charges

  /// Returns a report's terms if the last tally already counts its charges, so that they need not be read.
  func termsOfSkippedCharges(_ name: String) -> [UInt32]? {
    state.withLock { $0.skipsCharges ? $0.lastTally?.inputs.entry(named: name)?.terms : nil }
  }

  /// Adds the cache entry of a report's charges to those that the tally will name.
  func note(_ charges: ChargesEntry) { state.withLock { $0.charges.append(charges) } }

  func stopSkippingCharges() -> Bool {
    state.withLock { state in
      let hasSkipped = state.charges.contains { !$0.isRead }
      if hasSkipped { state.charges = [] }
      state.skipsCharges = false
      return hasSkipped
    }
  }

  /// Returns the entries of charges of all reports that count, in file order.
  ///
  /// `nil` if a report that counts has no entry, because the file changed while it was read. Then all charges are
  /// folded, and no tally is kept, because the next run could not subtract the charges of this file.
  private func charges(_ reports: [FileReport]) -> [ChargesEntry]? {
    let charges = state.withLock { $0.charges }.sorted { $0.index < $1.index }
    let withEntry = Set(charges.map(\.index))
    let haveAllEntries = reports.indices.allSatisfy { index in
      reports[index].kind != .subscriber || !reports[index].isUsed || withEntry.contains(index)
    }
    guard haveAllEntries else { return nil }
    return charges.filter { reports[$0.index].isUsed && !$0.terms.isEmpty }
  }

  func updatedTally(
    _ reports: [FileReport], _ days: Completeness, _ charges: [ChargeStore], _ context: ReadContext
  ) -> (any UpdatedTally)? {
    guard let lastTally = state.withLock({ $0.lastTally }),
      let reportEntries = self.charges(reports),
      let updater = TallyUpdater(entries, context, lastTally, reportEntries, days)
    else { return nil }
    return updater.fold(charges)
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
    keepHashes()
  }

  /// Writes the tally for the next run, while this one makes its tables.
  private func keep(_ folded: FoldedChains, _ reports: [FileReport], _ context: ReadContext) {
    guard !folded.tally.hasDroppedFacts, let charges = charges(reports) else { return }
    // Two reports with the same bytes count twice but share one entry, so the next run could not subtract one of them.
    guard Set(charges.map(\.name)).count == charges.count else { return }
    let inputs = TallyInputs(charges, folded)
    let counts = TallyCounts(tally: folded.tally, impact: folded.impact)
    let (name, registries) = (TallyInputs.name(plan), context.registries)
    cache.writeInBackground(jobs: plan.jobs) { cache in
      var counts = counts
      // Only the stored tally needs it: tables settle the tally themselves.
      counts.tally.decide(by: inputs.asOf)
      cache.keep(inputs, counts, named: name, registries)
    }
  }
}

/// The cache entry of a report's charges.
package struct ChargesEntry: Sendable {
  /// The file's index in the order of all files of the run.
  var index: Int
  var name: String
  /// The file's terms, each by its number in the run.
  var terms: [UInt32]
  /// Whether the charges were read; not if the last tally already counts them.
  var isRead = true
}

/// Reads and writes the cache entries of files, one file after another, on one thread.
final class CachedFiles: FileMemo {
  private let run: CachedRun
  private let context: ReadContext
  private var entries: FileEntries

  init(_ run: CachedRun, _ context: ReadContext) {
    self.run = run
    self.context = context
    entries = FileEntries(run.entries, context)
  }

  // MARK: Reports and finance files

  func recall(
    _ file: RecognizedFile, _ index: Int, _ extract: inout FileExtract, _ charges: inout ChargeStore
  ) -> StoredBytes? {
    guard let bytes = run.storedBytes(of: file, context.progress),
      let recalled = entries.recall(
        file, index, bytes.sha256, &extract, skipping: run.termsOfSkippedCharges)
    else { return nil }
    if recalled.hasCharges { entries.forEachCharge(inFile: index) { charges.append($0) } }
    if let entry = recalled.charges { run.note(entry) }
    return bytes
  }

  func beginReport() { entries.beginReport() }

  func keep(_ charge: ChargeRecord) { entries.keep(charge) }

  /// Writes the entries of a file, unless it changed since it was listed: its rows may not match its header.
  func keep(
    _ extract: inout FileExtract, _ report: FileReport, of file: RecognizedFile, _ index: Int
  ) {
    guard file.file.isUnchanged else { return run.removeHash(of: file.file) }
    if let charges = entries.keep(&extract, report, of: file, index) { run.note(charges) }
  }

  // MARK: Dumps of receipts

  /// Reads the extract of a dump, and adds its responses to the run's receipts.
  func recallDump(_ file: RecognizedFile, _ index: Int) -> (
    extract: DumpExtract, bytes: StoredBytes
  )? {
    guard let bytes = run.storedBytes(of: file, context.progress),
      let extract = entries.recallDump(
        file, index, bytes.sha256, add: { context.receipts.add($0, $1) })
    else { return nil }
    return (extract, bytes)
  }

  func beginDump() { entries.beginDump() }

  func keepResponse(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    entries.keepResponse(transactions, renewals)
  }

  func keepDump(_ extract: DumpExtract, _ report: FileReport, of file: RecognizedFile) {
    entries.keepDump(extract, report, of: file)
  }

  func endDump() { entries.endDump() }
}
