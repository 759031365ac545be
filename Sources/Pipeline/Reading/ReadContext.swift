package import AppStoreReports
package import Metrics
package import SubscriptionModel

/// What every reading thread needs to know and none changes.
package struct ReadContext: Sendable {
  package let plan: RunPlan
  package let survey: Survey
  package let registries: Registries
  package let progress: RunProgress
  let filter: Filter
  /// How many charges each thread may hold in memory; `nil` for all.
  let memory: ChargeStore.Limit?
  /// The indices of files that another thread reads ahead.
  let filesReadAhead: Set<Int>
  /// Where receipts are kept until all are read.
  package let receipts: SharedReceiptStore
  /// What earlier runs have left, and later ones can use; `nil` for nothing.
  let memo: (any RunMemo)?
  /// Whether the tally of SUBSCRIBER reports is kept for later days.
  package let keepsTally: Bool

  /// Returns the last day on which the tally of SUBSCRIBER reports is settled: as-of, or any later day when the tally is
  /// kept for them.
  package func lastDay(_ completeness: Completeness) -> Day {
    keepsTally ? .last : completeness.asOf
  }

  package func emptyTally(_ source: Source, months: ClosedRange<Month>? = nil) -> Tally {
    var tally = Tally(
      source: source, views: plan.views, filter: filter, months: months ?? survey.months,
      monthSystem: plan.monthSystem)
    if plan.prices != nil, source.hasStandardPrices { tally.prices = PriceTally(filter: filter) }
    return tally
  }

  /// Returns an empty tally of chains whose charges have terms that are known by now: learning them takes each
  /// fold as long as hundreds of subscribers.
  package func emptyTally(_ terms: [ChargeTerms]) -> Tally {
    var tally = emptyTally(.subscribers)
    tally.prices?.learn(terms)
    return tally
  }
}

extension ReadContext {
  init(_ plan: RunPlan, _ survey: Survey, _ memo: (any RunMemo)?, _ progress: RunProgress) {
    // An as-of that cuts off rows would have another tally become that of the next run.
    let keepsTally =
      memo != nil && plan.sources.contains(.subscribers) && survey.cutoff[.subscribers] == nil
    let registries = memo?.registries(keepsTally: keepsTally) ?? Registries()
    self.init(
      plan: plan, survey: survey, registries: registries, progress: progress,
      filter: Filter(plan.filters, registries),
      memory: plan.memory.map { ChargeStore.Limit($0, jobs: plan.jobs) },
      filesReadAhead: LargeFiles.readAhead(
        survey.files.map { $0.isToBeUsed ? $0.file.byteCount : 0 }, jobs: plan.jobs),
      receipts: SharedReceiptStore(jobs: plan.jobs), memo: memo, keepsTally: keepsTally)
  }
}
