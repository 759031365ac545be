import AppStoreReports
import Counting
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel

/// Makes this run's tally from the last one: subtracts the changed subscribers' old counts and adds their new ones.
///
/// A subscriber has changed if a report with one of their rows is new or gone. ``Tally/settled(on:)`` counts
/// all other subscribers as of the new day.
struct TallyUpdater: Sendable {
  /// A report of the last run, of this run or, mostly, of both.
  struct Report: Sendable {
    /// Its index among the last tally's reports; `nil` for a new report.
    var lastIndex: Int?
    /// Its index in the order of this run's files; `nil` if it is gone.
    var index: Int?
  }

  let last: TallyInputs
  let lastCounts: Deferred<TallyCounts?>
  /// The completeness of the last run.
  let lastDays: Completeness
  let cache: CacheEntries
  let context: ReadContext
  let days: Completeness
  /// All reports of both runs, in an order that agrees with each run's.
  let reports: [Report]

  /// There must be so many subscribers for each changed one; with fewer, all charges are folded.
  private static let fewestPerChanged = 3

  /// Prepares an update; `nil` if first day, missing days, transfers or file order differ, or as-of went back.
  ///
  /// - Parameters:
  ///   - cache: The cache with the charges.
  ///   - context: The run.
  ///   - lastTally: The last run's tally.
  ///   - entries: The reports that count and have charges, in file order.
  ///   - days: The first day, as-of and missing days of this run.
  init?(
    _ cache: CacheEntries, _ context: ReadContext, _ lastTally: LastTally,
    _ entries: [ChargesEntry], _ days: Completeness
  ) {
    let last = lastTally.inputs
    let lastIndices = entries.map { last.index(of: $0.name) }
    let common = lastIndices.compactMap { $0 }
    // The order of files decides which of two charges of a day comes first.
    guard zip(common, common.dropFirst()).allSatisfy(<), last.firstDay == days.firstDay,
      last.asOf <= days.asOf, last.missingDays == days.missingDays,
      Self.agree(last.transfers, days.transfers, entries, lastIndices)
    else { return nil }
    self.cache = cache
    self.context = context
    self.last = last
    lastCounts = lastTally.counts
    var reports: [Report] = []
    var nextLast = 0
    for (entry, lastIndex) in zip(entries, lastIndices) {
      if let lastIndex {
        reports += (nextLast..<lastIndex).map { Report(lastIndex: $0) }
        nextLast = lastIndex + 1
      }
      reports.append(Report(lastIndex: lastIndex, index: entry.index))
    }
    reports += (nextLast..<last.entries.count).map { Report(lastIndex: $0) }
    self.reports = reports
    // The account of each report, in the order of both runs.
    let vendors = reports.map { report in
      report.index.map { days.transfers.vendor(ofFile: $0) }
        ?? last.transfers.vendor(ofFile: report.lastIndex ?? 0)
    }
    self.days = days.with(days.transfers.with(vendorOfFile: vendors))
    lastDays = self.days.until(last.asOf)
  }

  /// Returns whether the same apps moved in both runs, and the reports of both are of the same accounts.
  private static func agree(
    _ last: AppTransfers, _ now: AppTransfers, _ entries: [ChargesEntry], _ lastIndices: [Int?]
  ) -> Bool {
    last.agrees(with: now)
      && zip(entries, lastIndices).allSatisfy { entry, lastIndex in
        lastIndex.map { last.vendor(ofFile: $0) == now.vendor(ofFile: entry.index) } ?? true
      }
  }

  /// Folds the charges of the changed subscribers as of both runs.
  ///
  /// - Parameter new: The charges read from new reports.
  /// - Returns: This run's tally; `nil` if too many subscribers changed, if charges that the last run counted get another
  ///   billing plan, or if an entry of charges or the last counts cannot be read.
  func fold(_ new: [ChargeStore]) -> TallyUpdate? {
    guard let other = otherCharges(new) else { return nil }
    var changed = SubscriberSet()
    for chunk in other.partitions.lazy.flatMap(\.chunks) {
      for record in chunk { changed.insert(record.subscriber) }
    }
    guard changed.count * Self.fewestPerChanged <= last.subscriberCount,
      let common = commonCharges(of: changed)
    else { return nil }
    let bins = PartitionBins(common + [other], keeps: false)
    let then = ChangeFold.Side(isUsable: reports.map { $0.lastIndex != nil }, days: lastDays)
    let now = ChangeFold.Side(isUsable: reports.map { $0.index != nil }, days: days)
    guard let termsWithPlans = termsWithPlans(bins, then, now) else { return nil }
    let folded = ChangeFold.parts(bins, context, termsWithPlans.terms, then: then, now: now)
    let empty = context.emptyTally(.subscribers)
    let before = Deferred(jobs: context.plan.jobs) { [self] in
      let then = SubscriberFold.Result(merging: folded.map(\.then), empty)
      var rest = lastCounts.value()?.tally
      rest?.subtract(then.tally)
      return (then: then, rest: rest)
    }
    let foldedNow = SubscriberFold.Result(merging: folded.map(\.now), empty)
    let (foldedThen, rest) = before.value()
    guard var tally = rest else { return nil }
    tally.merge(foldedNow.tally)
    let count = last.subscriberCount + foldedNow.subscriberCount - foldedThen.subscriberCount
    return TallyUpdate(
      updater: self, oldChains: foldedThen.chains, newChains: foldedNow.chains,
      result: SubscriberFold.Result(tally: tally, subscriberCount: count),
      changedSubscribers: changed.count, termsWithPlans: termsWithPlans)
  }

  /// Decides again which charges are instalments; `nil` if that changes for charges that the last run counted.
  private func termsWithPlans(
    _ bins: PartitionBins, _ then: ChangeFold.Side, _ now: ChangeFold.Side
  ) -> TermsWithPlans? {
    var evidence = last.evidence
    evidence.merge(
      InstalmentSearch.evidence(bins, isUsable: then.isUsable, context, lastDays), .minus)
    evidence.merge(InstalmentSearch.evidence(bins, isUsable: now.isUsable, context, days))
    let termsWithPlans = TermsWithPlans(evidence, asOf: days.asOf, context)
    let lastPlans = TermsWithPlans(last.evidence, asOf: lastDays.asOf, context).plans
    return termsWithPlans.plans.agree(with: lastPlans, on: last.evidence) ? termsWithPlans : nil
  }
}

/// The last tally, minus the changed subscribers' old counts, plus their new counts.
struct TallyUpdate: UpdatedTally {
  let updater: TallyUpdater
  /// The changed subscribers' chains of the last run, if prices need them.
  let oldChains: [PricedChains]
  /// The changed subscribers' chains of this run, if prices need them.
  let newChains: [PricedChains]
  let result: SubscriberFold.Result
  let changedSubscribers: Int
  let termsWithPlans: TermsWithPlans

  /// Returns the tally of price increases; `nil` if the increases differ from the last
  /// run's, if its tally has none, or for planned prices.
  func prices(
    of prices: PriceReport, _ fold: PriceFold, _ terms: [ChargeTerms]
  ) -> PriceFold.Part? {
    let jobs = updater.context.plan.jobs
    guard !fold.isOfPlan, let lastImpact = updater.lastCounts.value()?.impact,
      let lastFold = PriceFold(prices.changes, updater.lastDays, [], lastDay: .last),
      let then = lastFold.part(oldChains, terms, jobs: jobs)?.impact,
      var now = fold.part(newChains, terms, jobs: jobs)?.impact,
      now.merge(lastImpact, .plus), now.merge(then, .minus)
    else { return nil }
    now.decide(by: updater.days.asOf)
    return PriceFold.Part(impact: now, plan: nil)
  }
}
