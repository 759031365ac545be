import Counting
package import PriceImpact
import Storage
package import SubscriptionModel

/// The obvious version of METRICS.md section 6, comparison and money, to compare with: every row asks its
/// questions of every charge again.
package struct ReferenceImpact {
  /// A charge, and all that a row may ask about it.
  struct Charge {
    let period: ReferencePeriod
    let terms: ChargeTerms
    /// The number of its chain in the world.
    let chain: Int
    let isFirst: Bool
    /// How many paid periods had been completed with it; `nil` where the start is not known.
    let k: Int?
    let fullRefundDay: Day?
    /// METRICS.md 10.6: a term is one period, and its instalment's proceeds count 12 times.
    let isTerm: Bool
    let isDefaulted: Bool
    let isRunning: Bool
    /// Whether its position is not known: it takes no part.
    let isOfUnknownPosition: Bool

    var proceedsFactor: Int128 { isTerm ? 12 : 1 }
    var isStandardPaid: Bool {
      // METRICS.md 10.7: contingent prices take no part either.
      terms.kind == .standard && terms.price.milliunits > 0 && !isOfUnknownPosition
        && !terms.isContingent
    }
    var wasDue: Bool {
      // A defaulted term is left out like one ended by a refund.
      !isDefaulted
        && ![.changedProduct, .boughtAgainSameDay, .refunded, .transferred].contains(period.ending)
    }
    var isRenewed: Bool { period.fate == .continued }
    var tenure: String {
      guard let k else { return "unknown" }
      if k <= 3 { return "\(k)" }
      return k <= 6 ? "4–6" : k <= 12 ? "7–12" : "13+"
    }
    func isKeyed(_ key: PriceKey) -> Bool { PriceKey(terms) == key }
  }

  /// How a row's cohort is told apart.
  enum Dimension: String {
    case none = ""
    case startMonth = "start_month"
    case tenure, offer
  }

  static let tenures = ["1", "2", "3", "4–6", "7–12", "13+", "unknown"]

  let firstFileDay: Day
  let asOf: Day
  let missingDays: Set<Day>
  let symbols: [String]
  let changes: [PriceChange]
  /// The charges of each chain, in order.
  private(set) var chains: [[Charge]] = []
  private(set) var all: [Charge] = []
  /// Every charge of each chain, for its units.
  private(set) var bought: [[(start: Day, terms: ChargeTerms)]] = []
  private(set) var startMonths: [String] = []
  private(set) var offers: [String] = []

  /// Prepares the rows of a world.
  ///
  /// - Parameters:
  ///   - world: The subscribers.
  ///   - changes: The changes of prices.
  ///   - missingDays: Days without a file.
  package init(_ world: WorldBuilder, changes: [PriceChange], missingDays: Set<Day> = []) {
    firstFileDay = world.firstFileDay
    asOf = world.asOf
    symbols = world.symbols
    self.changes = changes
    self.missingDays = missingDays
    for subscriber in world.subscribers.indices { add(world.reference(subscriber), world.terms) }
    all = chains.flatMap { $0 }
  }

  private mutating func add(_ history: ReferenceChains, _ terms: [ChargeTerms]) {
    for chain in history.chains {
      var k = 0
      var charges: [Charge] = []
      let own = history.periods[chain.periods].map { ($0, terms[Int($0.terms)]) }
      for priced in ReferencePricedPeriod.periods(of: own, asOf: asOf) {
        let period = priced.period
        let isPassedOver = period.ending == .changedProduct || period.ending == .boughtAgainSameDay
        // METRICS.md 10.4: a term that is complete counts, whatever cut its last instalment.
        let counts = !isPassedOver || priced.isComplete
        if priced.terms.price.milliunits > 0, counts, !priced.isOfUnknownPosition { k += 1 }
        // Of a term, the refund of its first instalment, or the one that ended it.
        let refund = [priced.index, priced.lastIndex].lazy.compactMap { index in
          history.refunds.first {
            $0.period == chain.periods.lowerBound + index && $0.isFull
          }
        }.first
        charges.append(
          Charge(
            period: period, terms: priced.terms, chain: chains.count, isFirst: charges.isEmpty,
            k: chain.start == .known ? k : nil, fullRefundDay: refund?.day, isTerm: priced.isTerm,
            isDefaulted: priced.isDefaulted, isRunning: priced.isRunning,
            isOfUnknownPosition: priced.isOfUnknownPosition))
      }
      bought.append(own.map { ($0.0.start, $0.1) })
      chains.append(charges)
      switch chain.start {
      case .known: startMonths.append(charges[0].period.start.month.description)
      case .before: startMonths.append("before \(firstFileDay.month)")
      case .idReset: startMonths.append("id reset")
      }
      offers.append(chain.start == .known ? "\(charges[0].terms.kind)" : "unknown")
    }
  }

  // MARK: Who is compared

  func start(_ increase: PriceChange) -> Day { increase.effectiveExisting ?? increase.date }

  /// The period with which each chain met the price of an increase, or would have.
  ///
  /// METRICS.md section 6, exposed; those whose next charge is preserved come apart.
  func meetings(
    _ increase: PriceChange, where isOfGroup: (Charge) -> Bool
  ) -> (exposed: [Charge], preserved: [Charge]) {
    var exposed: [Charge] = []
    var preserved: [Charge] = []
    for charges in chains where charges[0].period.start < increase.date {
      let earliest = charges.first { charge in
        charge.isStandardPaid && isOfGroup(charge) && charge.period.start < start(increase)
          && charge.period.end >= start(increase)
          && (charge.period.nextStart.map { $0 >= start(increase) } ?? true)
      }
      guard let charge = earliest, charge.wasDue else { continue }
      if let next = next(charge), next.terms.isPreserved {
        preserved.append(charge)
      } else {
        exposed.append(charge)
      }
    }
    return (exposed, preserved)
  }

  func next(_ charge: Charge) -> Charge? {
    let charges = chains[charge.chain]
    // Charges of one day are told apart by what came before them: the period's end and its next charge.
    let index = charges.lastIndex { $0.period == charge.period && $0.terms == charge.terms }
    return index.flatMap { $0 + 1 < charges.count ? charges[$0 + 1] : nil }
  }

  func isReached(_ charge: Charge) -> Bool {
    !charge.isRunning && asOf - charge.period.end > 2
  }

  /// All due standard paid periods of a group that ended in some days, decided at as-of.
  func due(from first: Day, to last: Day, where isOfGroup: (Charge) -> Bool) -> [Charge] {
    all.filter { charge in
      charge.isStandardPaid && charge.wasDue && charge.period.end >= first
        && charge.period.end <= last && isReached(charge) && isOfGroup(charge)
    }
  }

  /// Whether a product in a storefront has no change in days but glitches and what is at the data's edge.
  func isQuiet(_ charge: Charge, from first: Day, to last: Day) -> Bool {
    !changes.contains { change in
      change.key.product == charge.terms.attributes.product
        && change.key.plan == charge.terms.plan
        && change.key.country == charge.terms.attributes.country && change.kind != .glitch
        && change.kind != .atDataEdge && first <= change.date && change.date <= last
    }
  }

  /// One row's increases: one, or those that are pooled.
  var subjects: [[PriceChange]] {
    let increases = changes.filter { $0.kind == .increase }
    var groups: [[PriceChange]] = increases.map { [$0] }
    for product in Set(increases.map { [$0.key.product, Symbol($0.key.plan.rawValue)] }) {
      var rest = increases.filter {
        [$0.key.product, Symbol($0.key.plan.rawValue)] == product
      }.sorted { left, right in
        [left.date.number, start(left).number, Int32(left.key.country)]
          .lexicographicallyPrecedes(
            [right.date.number, start(right).number, Int32(right.key.country)])
      }
      while let first = rest.first {
        let group = rest.filter { $0.date - first.date <= 14 }
        if group.count > 1 { groups.append(group) }
        rest.removeFirst(group.count)
      }
    }
    return groups
  }
}
