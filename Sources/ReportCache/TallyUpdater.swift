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
  /// `entries` are the reports that count and have charges, in file order, `days` those of this run.
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

  /// Folds the charges of the changed subscribers as of both runs; `new` are those read from new reports.
  ///
  /// `nil` if too many subscribers changed, if charges that the last run counted get another billing plan, or if an
  /// entry of charges or the last counts cannot be read.
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

/// Finds the charges of changed subscribers: those with a row in a report that is new or gone.
extension TallyUpdater {
  /// The charges that one thread has read from entries of the last run's reports.
  private struct Reading: ~Copyable {
    var reader: ExtractReader
    var columns = ChargeColumns()
    var chosen = ChosenCharges()
    var charges = ChargeStore()
    var isWhole = true

    init(_ context: ReadContext) { reader = ExtractReader(context.registries) }
  }

  /// Returns the charges of reports that are new or gone; `nil` if an entry cannot be read.
  ///
  /// The file number in a charge's order is the report's place in ``reports``.
  func otherCharges(_ new: [ChargeStore]) -> ChargeStore? {
    var reading = Reading(context)
    // A list, because each charge searches it: explanations read the charges of all reports.
    var placeOfIndex = [Int?](repeating: nil, count: context.survey.files.count)
    for (place, report) in reports.enumerated() {
      switch (report.lastIndex, report.index) {
      case (nil, let index?): placeOfIndex[index] = place
      case (_, nil): readAll(place, &reading)
      // A report of both runs: its charges are read from its entry, even if this run read the file again.
      default: break
      }
    }
    guard reading.isWhole else { return nil }
    for chunk in new.lazy.flatMap(\.partitions).flatMap(\.chunks) {
      for record in chunk {
        // Skip charges of unusable files, and of reports that the last run had already.
        guard let place = placeOfIndex[Int(record.order >> 32)] else { continue }
        var placed = record
        placed.order = UInt64(place) << 32 | record.order & 0xFFFF_FFFF
        reading.charges.append(placed)
      }
    }
    return reading.charges
  }

  /// Returns some subscribers' charges in reports of both runs; `nil` if an entry cannot be read.
  func commonCharges(of changed: SubscriberSet) -> [ChargeStore]? {
    if changed.count == 0 { return [] }
    let parts = Workers.run(
      count: reports.count, jobs: context.plan.jobs, makeState: { Reading(context) },
      work: { reading, place in
        guard reports[place].index != nil else { return }
        read(changed, place, &reading)
      },
      finish: { reading in (charges: reading.charges, isWhole: reading.isWhole) })
    guard parts.allSatisfy(\.isWhole) else { return nil }
    return parts.map(\.charges)
  }

  /// Reads all charges of a report that is gone.
  private func readAll(_ place: Int, _ reading: inout Reading) {
    read(place, &reading) { reading, terms in
      reading.columns.removeAll()
      reading.columns.codeCharges(with: &reading.reader)
      guard reading.reader.close(isWhole: false), reading.columns.hasTerms(below: terms.count)
      else { return false }
      reading.columns.forEach(inFile: place, terms) { reading.charges.append($0) }
      return true
    }
  }

  /// Reads some subscribers' charges in a report, if the last run had it.
  private func read(_ some: SubscriberSet, _ place: Int, _ reading: inout Reading) {
    read(place, &reading) { reading, terms in
      reading.chosen.read(of: some, with: &reading.reader, termsCount: terms.count)
      guard reading.reader.close(isWhole: false) else { return false }
      reading.chosen.forEach(inFile: place, terms) { reading.charges.append($0) }
      return true
    }
  }

  /// Opens the entry of a report's charges, if the last run had the report.
  ///
  /// An untrusted entry is rebuilt later, when the run reads all charges.
  private func read(
    _ place: Int, _ reading: inout Reading,
    charges: (_ reading: inout Reading, _ terms: [UInt32]) -> Bool
  ) {
    guard reading.isWhole, let lastIndex = reports[place].lastIndex else { return }
    let extract = last.entries[lastIndex]
    reading.isWhole =
      cache.open(extract.name, in: cache.folder.extracts, about: nil, with: &reading.reader)
      && charges(&reading, extract.terms)
  }
}

/// Folds the changed subscribers' charges twice, as of the last run and as of this one, on one thread.
///
/// Equal facts and open periods of both folds are counted in neither: most changed subscribers have
/// one more charge, and counting the rest twice took half of the time.
struct ChangeFold: ~Copyable {
  /// The reports and days of one of the two runs.
  struct Side: Sendable {
    var isUsable: [Bool]
    var days: Completeness
  }

  private var then: SubscriberFold
  private var now: SubscriberFold
  private let isThen: [Bool]
  private let isNow: [Bool]
  private let isEither: [Bool]
  private var sort = SubscriberSort()
  private var old: [ChargeRecord] = []
  private var new: [ChargeRecord] = []

  private init(
    _ context: ReadContext, _ terms: [ChargeTerms], _ empty: Tally, _ then: Side, _ now: Side
  ) {
    let fold = { (days: Completeness) in
      SubscriberFold(terms, days, empty, keepsChains: context.plan.prices != nil, lastDay: .last)
    }
    self.then = fold(then.days)
    self.now = fold(now.days)
    isThen = then.isUsable
    isNow = now.isUsable
    isEither = zip(isThen, isNow).map { $0 || $1 }
  }

  private mutating func add(_ parts: [ChargeStore.Partition]) {
    sort.load(parts.flatMap(\.chunks), isUsable: isEither)
    while let records = sort.nextSubscriber() {
      old.removeAll(keepingCapacity: true)
      new.removeAll(keepingCapacity: true)
      for record in records {
        if isThen[Int(record.order >> 32)] { old.append(record) }
        if isNow[Int(record.order >> 32)] { new.append(record) }
      }
      SubscriberFold.add(old[...], to: &then, new[...], to: &now)
    }
  }

  /// Folds all partitions on all threads; the charges of the changed subscribers are numbered by
  /// ``TallyUpdater/reports``.
  ///
  /// Returns the old and new counts of each thread's subscribers, without facts that are equal in both; the new ones
  /// minus the old ones are the change since the last run.
  static func parts(
    _ bins: PartitionBins, _ context: ReadContext, _ terms: [ChargeTerms], then: Side, now: Side
  ) -> [(then: SubscriberFold.Result, now: SubscriberFold.Result)] {
    let empty = context.emptyTally(terms)
    return Workers.run(
      count: ChargeStore.partitionCount, jobs: context.plan.jobs,
      makeState: { ChangeFold(context, terms, empty, then, now) },
      work: { $0.add(bins.take($1)) },
      finish: { (then: $0.then.result(), now: $0.now.result()) })
  }
}
