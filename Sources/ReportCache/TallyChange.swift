import AppStoreReports
import Metrics
import Pipeline
import SubscriptionModel

/// Makes tonight's tally from the last one: subtracts the changed subscribers' old counts and adds their new ones.
///
/// A subscriber has changed if a report with one of their rows is new or gone. The tally itself moves all other
/// subscribers to the new day (``Tally/settled(on:)``).
struct TallyChange: Sendable {
  /// The changed subscribers' old and new counts.
  struct Parts: Sendable {
    var then: SubscriberFold.Result
    var now: SubscriberFold.Result
    /// The last tally without the changed subscribers.
    var rest: Tally
    /// The number of changed subscribers.
    var subscriberCount: Int
    /// Which charges count as instalments, for all subscribers.
    var planned: PlannedTerms
  }

  /// A report of the last run, of this run or, mostly, of both.
  struct Report: Sendable {
    /// Its place in the last run's record; `nil` for a new report.
    var lastPlace: Int?
    /// Its place in the order of this run's files; `nil` if it is gone.
    var index: Int?
  }

  let last: TallyRecord
  private let lastCounts: Deferred<TallyCounts?>
  /// The completeness of the last run.
  let lastDays: Completeness
  let cache: CacheEntries
  let context: ReadContext
  private let days: Completeness
  /// All reports of both runs, in an order that agrees with each run's.
  let reports: [Report]

  /// If more than one in three subscribers changed, folding all charges is faster.
  private static let fewestPerChanged = 3

  /// Prepares a change; `nil` if first day, missing days or file order differ, or as-of went back.
  ///
  /// - Parameters:
  ///   - cache: The cache with the charges.
  ///   - context: The run.
  ///   - lastTally: The last run's tally.
  ///   - extracts: The reports that count and have charges, in file order.
  ///   - days: The first day, as-of and missing days of this run.
  init?(
    _ cache: CacheEntries, _ context: ReadContext, _ lastTally: LastTally,
    _ extracts: [ChargeExtract], _ days: Completeness
  ) {
    let last = lastTally.record
    let lastPlaces = extracts.map { last.place(of: $0.name) }
    let common = lastPlaces.compactMap { $0 }
    // The order of files decides which of two charges of a day comes first.
    guard zip(common, common.dropFirst()).allSatisfy(<), last.firstDay == days.firstDay,
      last.asOf <= days.asOf, last.missingDays == days.missingDays
    else { return nil }
    self.cache = cache
    self.context = context
    self.last = last
    lastCounts = lastTally.counts
    self.days = days
    lastDays = days.until(last.asOf)
    var reports: [Report] = []
    var nextLast = 0
    for (extract, lastPlace) in zip(extracts, lastPlaces) {
      if let lastPlace {
        reports += (nextLast..<lastPlace).map { Report(lastPlace: $0) }
        nextLast = lastPlace + 1
      }
      reports.append(Report(lastPlace: lastPlace, index: extract.index))
    }
    reports += (nextLast..<last.extracts.count).map { Report(lastPlace: $0) }
    self.reports = reports
  }

  /// Folds the charges of the changed subscribers as of both runs.
  ///
  /// - Parameter new: The charges read from new reports.
  /// - Returns: The counts of both runs; `nil` if too many subscribers changed, or an entry of charges or the last
  ///   counts cannot be read.
  func parts(_ new: [ChargeStore]) -> Parts? {
    guard let other = otherCharges(new) else { return nil }
    var changed = SubscriberSet()
    for chunk in other.partitions.lazy.flatMap(\.chunks) {
      for record in chunk { changed.insert(record.subscriber) }
    }
    guard changed.count * Self.fewestPerChanged <= last.subscriberCount,
      let common = commonCharges(of: changed)
    else { return nil }
    let bins = PartitionBins(common + [other], keeps: false)
    let then = ChangeFold.Side(isUsable: reports.map { $0.lastPlace != nil }, days: lastDays)
    let now = ChangeFold.Side(isUsable: reports.map { $0.index != nil }, days: days)
    guard let planned = planned(bins, then, now) else { return nil }
    let folded = ChangeFold.parts(bins, context, planned.terms, then: then, now: now)
    let empty = context.emptyTally(.subscribers)
    let before = Deferred(jobs: context.plan.jobs) { [self] in
      let then = SubscriberFold.Result(merging: folded.map(\.then), empty)
      var rest = lastCounts.value()?.tally
      rest?.subtract(then.tally)
      return (then: then, rest: rest)
    }
    let foldedNow = SubscriberFold.Result(merging: folded.map(\.now), empty)
    let (foldedThen, rest) = before.value()
    guard let rest else { return nil }
    return Parts(
      then: foldedThen, now: foldedNow, rest: rest, subscriberCount: changed.count,
      planned: planned)
  }

  /// Decides again which charges are instalments; `nil` if that changes for charges that the last run counted.
  private func planned(
    _ bins: PartitionBins, _ then: ChangeFold.Side, _ now: ChangeFold.Side
  ) -> PlannedTerms? {
    var signs = last.signs
    signs.merge(
      InstalmentSearch.signs(bins, isUsable: then.isUsable, context, lastDays), .minus)
    signs.merge(InstalmentSearch.signs(bins, isUsable: now.isUsable, context, days))
    let planned = PlannedTerms(signs, asOf: days.asOf, context)
    let lastPlans = PlannedTerms(last.signs, asOf: lastDays.asOf, context).plans
    return planned.plans.agree(with: lastPlans, on: last.signs) ? planned : nil
  }

  /// Returns tonight's tally.
  func result(_ parts: Parts) -> SubscriberFold.Result {
    var result = SubscriberFold.Result(tally: parts.rest)
    result.tally.merge(parts.now.tally)
    result.tally.decide(by: days.asOf)
    result.subscriberCount =
      last.subscriberCount + parts.now.subscriberCount - parts.then.subscriberCount
    return result
  }

  /// Returns the tally of price increases; `nil` if they differ from the last run's, or for planned prices.
  func part(
    of report: SourceReport, _ fold: PriceFold, _ parts: Parts, _ terms: [ChargeTerms]
  ) -> PriceFold.Part? {
    var lastReport = SourceReport(tally: report.tally, completeness: lastDays)
    lastReport.priceChanges = report.priceChanges
    let jobs = context.plan.jobs
    guard !fold.isOfPlan, let lastImpact = lastCounts.value()?.impact,
      let lastFold = PriceFold(lastReport, [], lastDay: .last),
      let then = lastFold.part(parts.then.chains, terms, jobs: jobs)?.impact,
      var now = fold.part(parts.now.chains, terms, jobs: jobs)?.impact,
      now.merge(lastImpact, .plus), now.merge(then, .minus)
    else { return nil }
    now.decide(by: days.asOf)
    return PriceFold.Part(impact: now, plan: nil)
  }
}
