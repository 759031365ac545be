import Counting
import Pipeline
import Storage
import SubscriptionModel

/// Folds kept charges once more on one thread, and collects the contributions to the cells of a row.
struct ContributionFold: CollectingFold, ~Copyable {
  private var subscribers: ExplainedSubscribers
  private(set) var lists: [ContributionList]
  private let columns: [Set<Counted>]

  init(
    _ row: CountedRow, _ columns: [Set<Counted>], _ empty: [ContributionList],
    _ charges: KeptCharges
  ) {
    subscribers = ExplainedSubscribers(
      row, columns.reduce(into: []) { $0.formUnion($1) }, charges)
    lists = empty
    self.columns = columns
  }

  mutating func add(_ parts: [ChargeStore.Partition], isUsable: [Bool]) {
    subscribers.load(parts, isUsable: isUsable)
    while let subscriber = subscribers.next() {
      for one in subscribers.found { add(one, subscriber: subscriber) }
    }
  }

  private mutating func add(_ found: CountedPeriod, subscriber: UInt64) {
    var contribution = Contribution(found, subscribers.history, subscriber: subscriber)
    contribution.firstEvidence = contribution.evidence.min() ?? 0
    for (place, counted) in columns.enumerated() where counted.contains(found.counted) {
      lists[place].add(contribution)
    }
  }
}

extension Contribution {
  /// Creates the contribution of a period or a refund that the fold has found.
  init(_ found: CountedPeriod, _ history: borrowing ChainBuilder, subscriber: UInt64) {
    counted = found.counted
    count = found.count
    price = found.price
    proceeds = found.proceeds
    key = found.key
    outcome = found.outcome
    self.subscriber = subscriber
    terms = 0
    if let refund = found.refund {
      terms = history.refunds[refund].terms
      refundDay = history.refunds[refund].day
      rows.refund = history.row(ofRefund: refund)
      rows.first = rows.refund
    }
    guard let place = found.period, let chain = found.chain else { return }
    let (period, own) = (history.periods[place], history.chains[chain].periods)
    self.period = period
    terms = period.terms
    rows.own = history.row(ofPeriod: place)
    rows.first = history.row(ofPeriod: own.lowerBound)
    if place > own.lowerBound {
      before = history.periods[place - 1]
      rows.before = history.row(ofPeriod: place - 1)
    }
    if place + 1 < own.upperBound {
      nextTerms = history.periods[place + 1].terms
      rows.next = history.row(ofPeriod: place + 1)
    }
    if found.refund == nil, period.ending == .refunded {
      let refund = history.refunds.firstIndex { $0.isFull && $0.charge?.period == place }
      if let refund { rows.refund = history.row(ofRefund: refund) }
    }
  }
}
