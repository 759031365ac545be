public import Metrics
public import SubscriptionModel

/// The obvious version of METRICS.md section 6, comparison and money, to compare with: every row asks its
/// questions of every charge again.
public struct ReferenceImpact {
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

    var isStandardPaid: Bool { terms.kind == .standard && terms.price.milliunits > 0 }
    var wasDue: Bool {
      ![.changedProduct, .boughtAgainSameDay, .refunded].contains(period.ending)
    }
    var isRenewed: Bool { period.fate == .continued }
    var tenure: String {
      guard let k else { return "unknown" }
      if k <= 3 { return "\(k)" }
      return k <= 6 ? "4–6" : k <= 12 ? "7–12" : "13+"
    }
    func isKeyed(_ key: PriceKey) -> Bool {
      terms.attributes.product == key.product && terms.attributes.country == key.country
        && terms.price.currency == key.currency
    }
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
  private(set) var startMonths: [String] = []
  private(set) var offers: [String] = []

  /// Prepares the rows of a world.
  ///
  /// - Parameters:
  ///   - world: The subscribers.
  ///   - changes: The changes of prices.
  ///   - missingDays: Days without a file.
  public init(_ world: WorldBuilder, changes: [PriceChange], missingDays: Set<Day> = []) {
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
      for index in chain.periods {
        let period = history.periods[index]
        let own = terms[Int(period.terms)]
        let isPassedOver = period.ending == .changedProduct || period.ending == .boughtAgainSameDay
        if own.price.milliunits > 0, !isPassedOver { k += 1 }
        let refund = history.refunds.first { $0.period == index && $0.isFull }
        charges.append(
          Charge(
            period: period, terms: own, chain: chains.count, isFirst: charges.isEmpty,
            k: chain.start == .known ? k : nil, fullRefundDay: refund?.day))
      }
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

  func isReached(_ charge: Charge) -> Bool { asOf - charge.period.end > 2 }

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
        && change.key.country == charge.terms.attributes.country && change.kind != .glitch
        && change.kind != .atDataEdge && first <= change.date && change.date <= last
    }
  }

  /// One row's increases: one, or those that are pooled.
  var subjects: [[PriceChange]] {
    let increases = changes.filter { $0.kind == .increase }
    var groups: [[PriceChange]] = increases.map { [$0] }
    for product in Set(increases.map(\.key.product)) {
      var rest = increases.filter { $0.key.product == product }.sorted { left, right in
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
