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
  /// What is known of files that have not changed since the last run.
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
