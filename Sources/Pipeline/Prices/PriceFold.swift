package import Counting
package import PriceImpact
import Storage
package import SubscriptionModel

/// The second pass over chains, when all price changes are found.
///
/// Measures the effect of increases, and counts the subscribers that planned prices will affect.
package struct PriceFold {
  /// The result of one thread; parts merge.
  package struct Part: Sendable {
    package var impact: ImpactTally?
    package var plan: PlanTally?

    package init(impact: ImpactTally?, plan: PlanTally?) {
      self.impact = impact
      self.plan = plan
    }

    mutating func merge(_ other: Part) {
      if let otherImpact = other.impact { impact?.merge(otherImpact) }
      if let otherPlan = other.plan { plan?.merge(otherPlan) }
    }

    /// Merges the parts of all threads; `nil` without any.
    static func merged(_ parts: [Part]) -> Part? {
      parts.dropFirst().reduce(into: parts.first) { $0?.merge($1) }
    }
  }

  private var impact: ImpactFold?
  private var plan: PlanFold?

  /// Creates a fold; `nil` when there is neither an increase to measure nor a planned price.
  ///
  /// `lastDay` is the latest as-of for which a later run may reuse the tally of increases; `nil` if no run will.
  package init?(
    _ changes: [PriceChange], _ completeness: Completeness, _ planned: [PlannedPrice],
    lastDay: Day?
  ) {
    let impact = ImpactFold(changes: changes, completeness: completeness, lastDay: lastDay)
    guard impact.isNeeded || !planned.isEmpty else { return nil }
    self.impact = impact.isNeeded ? impact : nil
    plan = planned.isEmpty ? nil : PlanFold(planned)
  }

  /// Returns whether an increase or planned price concerns a chain with a charge of these terms.
  func concerns(_ terms: ChargeTerms) -> Bool {
    impact?.concerns(terms) == true || plan?.concerns(terms) == true
  }

  mutating func add(_ chain: PricedChain, _ terms: [ChargeTerms]) {
    impact?.add(chain, terms)
    plan?.add(chain, terms)
  }

  mutating func add(_ chains: PricedChains, _ terms: [ChargeTerms]) {
    chains.forEach { add($0, terms) }
  }

  package var part: Part { Part(impact: impact?.tally, plan: plan?.tally) }

  package var planned: [PlannedPrice] { plan?.planned ?? [] }

  /// Whether prices are planned: as-of then affects every subscriber's result.
  package var isOfPlan: Bool { plan != nil }

  /// Folds kept chains on all threads.
  package func part(_ chains: [PricedChains], _ terms: [ChargeTerms], jobs: Int) -> Part? {
    .merged(
      Workers.run(
        count: chains.count, jobs: jobs, makeState: { self },
        work: { $0.add(chains[$1], terms) }, finish: { $0.part }))
  }

  /// Builds chains again from the charges of the usable files and folds them, on several threads.
  package func part(
    _ bins: PartitionBins, isUsable: [Bool], _ terms: [ChargeTerms], _ completeness: Completeness,
    jobs: Int
  ) -> Part? {
    .merged(
      Workers.run(
        count: ChargeStore.partitionCount, jobs: jobs,
        makeState: { PartitionPriceFold(self, terms: terms, completeness) },
        work: { $0.add(bins.take($1), isUsable: isUsable) }, finish: { $0.result() }))
  }
}

/// The second pass, on one thread, when chains did not fit in memory: builds them again from charges.
struct PartitionPriceFold: ~Copyable {
  private var fold: PriceFold
  private var builder: ChainBuilder
  private var sort = SubscriberSort()
  private let terms: [ChargeTerms]
  private let completeness: Completeness
  /// Whether an increase or planned price concerns each of the terms; other subscribers are skipped.
  private let isConcerned: [Bool]

  init(_ fold: PriceFold, terms: [ChargeTerms], _ completeness: Completeness) {
    self.fold = fold
    builder = ChainBuilder(terms, completeness)
    self.terms = terms
    self.completeness = completeness
    isConcerned = terms.map(fold.concerns)
  }

  mutating func add(_ parts: [ChargeStore.Partition], isUsable: [Bool]) {
    sort.load(parts.flatMap(\.chunks), isUsable: isUsable)
    while let records = sort.nextSubscriber() {
      guard records.contains(where: { isConcerned[Int($0.terms)] }) else { continue }
      builder.build(records)
      var chains = PricedChains(completeness, capacity: records.count)
      chains.append(builder, terms)
      fold.add(chains, terms)
    }
  }

  consuming func result() -> PriceFold.Part { fold.part }
}

/// The second pass over the chains of receipts, on one thread.
struct ReceiptPriceFold: ~Copyable {
  private var history: ReceiptHistory
  private var fold: PriceFold
  private var terms: ReceiptTerms
  private var numbers: [Int] = []

  init(_ fold: PriceFold, _ history: consuming ReceiptHistory, _ terms: ReceiptTerms) {
    self.history = history
    self.fold = fold
    self.terms = terms
  }

  mutating func add(_ customers: Range<Int>) {
    for customer in customers {
      history.build(customer)
      for chain in history.chains where chain.isInRates {
        terms.number(chain, history.periods, into: &numbers)
        guard numbers.contains(where: { fold.concerns(terms.all[$0]) }) else { continue }
        fold.add(history.pricedChain(chain, terms: numbers), terms.all)
      }
    }
  }

  consuming func result() -> PriceFold.Part { fold.part }
}
