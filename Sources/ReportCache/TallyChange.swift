import AppStoreReports
import Metrics
import Pipeline
import SubscriptionModel

/// Makes tonight's tally from that of the last run: what it said of the subscribers of whom something has
/// changed is taken back, and what is to be said of them now is added.
///
/// A subscriber has changed when a row of his came or went. What the others are on another day the tally says itself
/// (``Tally/settled(on:)``).
struct TallyChange: Sendable {
  /// What changed subscribers said then, and what they say now.
  struct Parts: Sendable {
    var then: SubscriberFold.Result
    var now: SubscriberFold.Result
    /// What all others say.
    var rest: Tally
    /// How many have changed.
    var subscriberCount: Int
    /// Which charges are taken for instalments, of all subscribers.
    var planned: PlannedTerms
  }

  /// A report of the last run, of this one, or mostly of both.
  struct Report: Sendable {
    /// Its place in the last run's record; `nil` for one that came.
    var lastPlace: Int?
    /// Its place in the order of this run's files; `nil` for one that is gone.
    var index: Int?
  }

  let last: TallyRecord
  private let lastCounts: Deferred<TallyCounts?>
  /// The completeness of the last run.
  let lastDays: Completeness
  let cache: CacheEntries
  let context: ReadContext
  private let days: Completeness
  /// All reports, in an order that is that of both runs.
  let reports: [Report]

  /// With more than one changed subscriber of so many, folding all is faster.
  private static let fewestPerChanged = 3

  /// Prepares a change; `nil` when the last tally is of other days, or of files in another order.
  ///
  /// - Parameters:
  ///   - cache: Holds the charges.
  ///   - context: The run.
  ///   - lastTally: The tally to be changed.
  ///   - extracts: The reports that count and have charges, in the order of all files.
  ///   - days: Which days of the data are there.
  init?(
    _ cache: CacheEntries, _ context: ReadContext, _ lastTally: LastTally,
    _ extracts: [ChargeExtract], _ days: Completeness
  ) {
    let last = lastTally.record
    let lastPlaces = extracts.map { last.place(of: $0.name) }
    let common = lastPlaces.compactMap { $0 }
    // Files that changed places may change which of two charges of a day comes first.
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

  /// Folds the changed subscribers as they were and as they are.
  ///
  /// - Parameter new: The charges of reports that came.
  /// - Returns: Both; `nil` when many have changed, charges are not in the cache any more, or the last counts cannot
  ///   be read.
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

  /// Decides anew which charges are instalments; `nil` when charges that the last run has counted are something else now.
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

  /// Returns tonight's numbers.
  func result(_ parts: Parts) -> SubscriberFold.Result {
    var result = SubscriberFold.Result(tally: parts.rest)
    result.tally.merge(parts.now.tally)
    result.tally.decide(by: days.asOf)
    result.subscriberCount =
      last.subscriberCount + parts.now.subscriberCount - parts.then.subscriberCount
    return result
  }

  /// Returns what increases have done; `nil` when there are others than in the last run, or prices are planned.
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
