import Counting
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel
import Threads

/// Folds kept charges once more, and collects the renewals that a row of `price_impact.csv` counts; one instance for each
/// thread.
struct ImpactContributionFold: ~Copyable {
  private(set) var found: FoundRenewals<ImpactContribution>
  private let row: ExplainedImpact
  private let charges: KeptCharges
  private var fold: ImpactFold
  private var history: ChainBuilder
  private var sort = SubscriberSort()
  /// Whether an increase concerns each of the terms; other subscribers are skipped, as in the run.
  private let isConcerned: [Bool]

  private init(
    _ row: ExplainedImpact, _ empty: FoundRenewals<ImpactContribution>,
    _ changes: [PriceChange], _ charges: KeptCharges
  ) {
    (self.row, self.charges, found) = (row, charges, empty)
    let fold = ImpactFold(changes: changes, completeness: charges.completeness, lastDay: nil)
    isConcerned = charges.terms.map(fold.concerns)
    self.fold = fold
    history = ChainBuilder(charges.terms, charges.completeness)
  }

  /// Returns the renewals that a row counts.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - empty: An empty list for each column.
  ///   - changes: The price changes of the run.
  ///   - charges: The charges of the run.
  ///   - jobs: The number of threads.
  ///   - leavingOut: Whether the renewals that the columns leave out are listed too.
  /// - Returns: The lists and the sums.
  static func found(
    _ row: ExplainedImpact, _ empty: [ImpactContributionList], _ changes: [PriceChange],
    _ charges: KeptCharges, jobs: Int, leavingOut: Bool
  ) -> FoundRenewals<ImpactContribution> {
    let empty = FoundRenewals(empty, leavingOut: leavingOut)
    let parts = Workers.run(
      count: ChargeStore.partitionCount, jobs: jobs,
      makeState: { ImpactContributionFold(row, empty, changes, charges) },
      work: { $0.add(charges.bins.take($1)) }, finish: { $0.found })
    return parts.reduce(into: empty) { $0.merge($1) }
  }

  private mutating func add(_ parts: [ChargeStore.Partition]) {
    sort.load(parts.flatMap(\.chunks), isUsable: charges.isUsable)
    while let records = sort.nextSubscriber() {
      guard records.contains(where: { isConcerned[Int($0.terms)] }) else { continue }
      history.build(records)
      addChains(of: records[records.startIndex].subscriber, rows: records.count)
    }
  }

  private mutating func addChains(of subscriber: UInt64, rows: Int) {
    var priced = PricedChains(charges.completeness, capacity: rows)
    priced.append(history, charges.terms)
    var chains: [PricedChain] = []
    priced.forEach { chains.append($0) }
    for (number, chain) in chains.enumerated() {
      let heard = fold.hear(chain, charges.terms)
      guard !heard.isEmpty else { continue }
      let places = chain.periods(ofChain: number, history)
      for one in heard {
        for addition in row.additions(of: one) {
          add(contribution(addition, chain, number, places, subscriber))
        }
      }
    }
  }

  private mutating func add(_ contribution: ImpactContribution) {
    found.add(contribution, isRenewed: contribution.charge.isContinued)
  }

  private func contribution(
    _ addition: ImpactAddition, _ chain: PricedChain, _ number: Int, _ places: [Int],
    _ subscriber: UInt64
  ) -> ImpactContribution {
    let own = history.chains[number].periods
    let index = addition.charge - chain.charges.startIndex
    let charge = chain.charges[addition.charge]
    let hasNext = index + 1 < places.count
    var contribution = ImpactContribution(
      addition: addition, key: chain.key, subscriber: subscriber, charge: charge,
      next: hasNext ? chain.charges[addition.charge + 1] : nil)
    contribution.rows.first = history.row(ofPeriod: own.lowerBound)
    contribution.rows.own = history.row(ofPeriod: places[index])
    if charges.terms[Int(charge.terms)].isInstalment {
      let end = hasNext ? places[index + 1] : own.upperBound
      let last = (places[index]..<end).last { history.periods[$0].start < charge.paidEnd }
      if let last { contribution.rows.last = history.row(ofPeriod: last) }
    }
    if hasNext {
      contribution.rows.next = history.row(ofPeriod: places[index + 1])
      addRefund(ofPeriod: places[index + 1], own.upperBound, to: &contribution)
    }
    return contribution
  }

  /// Adds the full refund of the next charge, or of a following one with the same start and terms.
  private func addRefund(
    ofPeriod next: Int, _ end: Int, to contribution: inout ImpactContribution
  ) {
    guard contribution.addition.has(.refunded) else { return }
    let first = history.periods[next]
    for place in next..<end {
      let period = history.periods[place]
      guard period.start == first.start, period.terms == first.terms else { return }
      let refund = history.refunds.firstIndex { $0.isFull && $0.charge?.period == place }
      guard let refund else { continue }
      contribution.refundDay = history.refunds[refund].day
      contribution.rows.refund = history.row(ofRefund: refund)
      return
    }
  }
}
