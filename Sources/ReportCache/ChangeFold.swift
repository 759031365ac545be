import AppStoreReports
import Counting
import Pipeline
import Storage
import SubscriptionModel

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

  /// Folds all partitions on all threads.
  ///
  /// - Parameters:
  ///   - bins: The charges of the changed subscribers, numbered by ``TallyUpdater/reports``.
  ///   - context: The run.
  ///   - terms: All terms of charges, with their billing plans.
  ///   - then: The reports and days of the last run.
  ///   - now: The reports and days of this run.
  /// - Returns: The old and new counts of each thread's subscribers, without facts that are equal in both; the new
  ///   ones minus the old ones are the change since the last run.
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
