import AppStoreReports
import Metrics
import Pipeline
import SubscriptionModel

/// Folds the chains of changed subscribers as they were and as they are, on one thread.
struct ChangeFold: ~Copyable {
  /// Which reports count, and which days are there.
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
    while true {
      let records = sort.nextSubscriber()
      if records.isEmpty { return }
      old.removeAll(keepingCapacity: true)
      new.removeAll(keepingCapacity: true)
      for record in records {
        if isThen[Int(record.order >> 32)] { old.append(record) }
        if isNow[Int(record.order >> 32)] { new.append(record) }
      }
      SubscriberFold.add(old[...], to: &then, new[...], to: &now)
    }
  }

  /// Folds all partitions, on all threads.
  ///
  /// - Parameters:
  ///   - bins: The charges of the changed subscribers, by the reports' places.
  ///   - context: The run.
  ///   - terms: The terms of charges, with their plans.
  ///   - then: What there was.
  ///   - now: What there is.
  /// - Returns: What was and what is of each thread's subscribers, but for what both say alike: their difference
  ///   is that of the runs.
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
