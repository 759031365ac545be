import AppStoreReports
import Metrics
import SubscriptionModel

/// What every reading thread needs to know and none changes.
struct ReadContext: Sendable {
  let plan: RunPlan
  let registries: Registries
  let files: [ScoutedFile]
  let progress: RunProgress
  /// For each source the day after which rows are ignored; `nil` when none are.
  let cutoff: [Source: Day]
  /// Whether there is a finance file to reconcile SALES with.
  let readsFinance: Bool
  /// The first and last month that tables can have.
  let months: ClosedRange<Month>
  let filter: Filter
  /// How many charges each thread may hold in memory; `nil` for all.
  let memory: ChargeStore.Limit?
  /// The indices of files that another thread reads ahead.
  let filesReadAhead: Set<Int>
  /// Where receipts are kept until all are read.
  let receipts: SharedReceiptStore
  /// What the last run counted, to be changed instead of counting all again; `nil` to count all.
  var lastTally: LastTally?
  /// The hashes and headers of unchanged files, from the last run.
  let knownFiles: KnownFiles

  /// Returns the last day on which the tally of SUBSCRIBER reports is settled: as-of, or any later day when the tally is
  /// kept for the next run.
  func lastDay(_ completeness: Completeness) -> Day {
    keepsTally ? .last : completeness.asOf
  }

  func emptyTally(_ source: Source, months: ClosedRange<Month>? = nil) -> Tally {
    var tally = Tally(
      source: source, views: plan.views, filter: filter, months: months ?? self.months,
      monthSystem: plan.monthSystem)
    if plan.prices != nil, source.hasStandardPrices { tally.prices = PriceTally(filter: filter) }
    return tally
  }

  /// Returns an empty tally of chains whose charges have terms that are known by now: learning them takes each
  /// fold as long as hundreds of subscribers.
  func emptyTally(_ terms: [ChargeTerms]) -> Tally {
    var tally = emptyTally(.subscribers)
    tally.prices?.learn(terms)
    return tally
  }
}

extension ReadContext {
  init(
    _ plan: RunPlan, _ files: [ScoutedFile], _ known: KnownFiles, _ progress: RunProgress,
    _ last: LastRecord?
  ) {
    var cutoff: [Source: Day] = [:]
    var lastDay = Day(number: 0)
    for source in Source.allCases {
      let own = files.filter { $0.source == source && $0.isToBeUsed && $0.day != nil }
      lastDay = max(lastDay, own.compactMap(\.day).max() ?? lastDay)
      if let asOf = plan.asOf, Self.reaches(beyond: asOf, own) { cutoff[source] = asOf }
    }
    let record = cutoff[.subscribers] == nil ? plan.cache?.opened(last) : nil
    // Registries that know the terms of reports that are gone are good for nothing but changing their tally.
    let registries = record.flatMap { _ in last?.registries } ?? Registries()
    // Rows of the last day's report may be of the next month, and what they begin counts in the one after it.
    let lastMonth = plan.monthSystem.month(of: lastDay) + 2
    self.init(
      plan: plan, registries: registries, files: files, progress: progress, cutoff: cutoff,
      readsFinance: files.contains { $0.kind.isFinance && $0.isToBeUsed },
      months: Self.firstMonth...max(Self.firstMonth, lastMonth),
      filter: Filter(plan.filters, registries),
      memory: plan.memory.map { ChargeStore.Limit($0, jobs: plan.jobs) },
      filesReadAhead: LargeFiles.readAhead(
        files.map { $0.isToBeUsed ? $0.file.byteCount : 0 }, jobs: plan.jobs),
      receipts: SharedReceiptStore(jobs: plan.jobs),
      knownFiles: known)
    lastTally = record.flatMap { plan.cache?.lastTally(self, $0) }
  }

  /// Whether a source has a report of a day after as-of that can be read to its end.
  private static func reaches(beyond asOf: Day, _ files: [ScoutedFile]) -> Bool {
    files.filter { ($0.day ?? asOf) > asOf && $0.kind != .subscription }
      .sorted { ($1.day ?? asOf) < ($0.day ?? asOf) }
      .contains { (try? Scout.hashText(of: $0.file).get()) != nil }
  }

  /// The App Store opened in July 2008; rows dated earlier than that year are rejected.
  private static let firstMonth = Month(year: 2008, month: 1)
}
