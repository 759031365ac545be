import Counting
import Storage
import SubscriptionModel

/// The outcome of a chain that met a higher price, or a further property of that renewal.
package enum ExposureFact: Int, CaseIterable, Sendable {
  /// Exposed, and the renewal is still to come or too recent to be decided.
  ///
  /// Every other exposed chain is *reached* and has exactly one of the seven outcomes from `renewedNewPrice` to
  /// `pending`.
  case notReached
  case renewedNewPrice, renewedOldPrice, renewedOtherPrice, changedProduct
  case recovered, lapsed, pending
  /// Keeps the old price by the developer's choice, so not exposed.
  case preserved
  // Properties of some outcomes, counted in addition to them.
  case changedToCheaper, lapsedPriceReason, refunded
  /// Renewed at the new price less than 60 days before as-of, so a refund may still come.
  case refundUndecided
  // Consent of the exposed: asked; of these, agreed or no answer so far. `notified` are all others.
  case consentAsked, consentGiven, consentPending, notified

  /// The outcomes that count as renewals.
  static let continued: [ExposureFact] = [
    .renewedNewPrice, .renewedOldPrice, .renewedOtherPrice, .changedProduct,
  ]
  static let reached: [ExposureFact] = continued + [.recovered, .lapsed, .pending]
}

/// Proceeds of the renewals at which chains met a higher price, in milliunits of their currency.
struct ExposureMoney: Equatable, Sendable {
  /// The sum of the proceeds of the charges that continued a period.
  var actual: Int128 = 0
  /// The sum of the proceeds of the last charges at the old price, of all reached chains.
  var old: Int128 = 0
  /// The sum of new minus old proceeds of the chains that renewed the same product.
  var renewed: Int128 = 0
  /// The sum of new minus old proceeds of the chains that changed the product.
  var changed: Int128 = 0
  /// The effect of a different proceeds share, times the old price.
  ///
  /// This is the sum of `new proceeds × old price - new price × old proceeds` of the chains that renewed the product
  /// at another share of the price.
  var shareTimesOldPrice: Int128 = 0

  mutating func merge(_ other: ExposureMoney, _ sign: MergeSign) {
    actual += sign.wideFactor * other.actual
    old += sign.wideFactor * other.old
    renewed += sign.wideFactor * other.renewed
    changed += sign.wideFactor * other.changed
    shareTimesOldPrice += sign.wideFactor * other.shareTimesOldPrice
  }
}

/// The outcomes of a cohort's chains that met a higher price: METRICS.md section 6, "Who met it".
struct Exposure: Summable {
  private var counts = [Int](repeating: 0, count: ExposureFact.allCases.count)
  var money = ExposureMoney()
  /// The number of chains by the currency of their proceeds; with several currencies `money` is meaningless.
  var currencies: [Symbol: Int] = [:]
  /// The number of reached chains by the day on which their period ended.
  var reachedEnds: [Day: Int] = [:]

  init() {}

  subscript(fact: ExposureFact) -> Int {
    get { counts[fact.rawValue] }
    set { counts[fact.rawValue] = newValue }
  }

  /// The last day on which a period of a reached chain ended.
  var lastReachedEnd: Day? { reachedEnds.keys.max() }

  /// The number of chains whose period ended more than 2 days before as-of, so that it is decided whether it continued.
  var reached: Int { ExposureFact.reached.reduce(0) { $0 + self[$1] } }
  /// The number of reached chains that continued within 2 days.
  var continued: Int { ExposureFact.continued.reduce(0) { $0 + self[$1] } }

  mutating func merge(_ other: Exposure, _ sign: MergeSign = .plus) {
    for fact in counts.indices { counts[fact] += sign.factor * other.counts[fact] }
    money.merge(other.money, sign)
    currencies.merge(other.currencies, sign)
    reachedEnds.merge(other.reachedEnds, sign)
  }

  init(_ chain: ChainExposure) { add(chain) }

  mutating func add(_ chain: ChainExposure) {
    chain.forEachFact { self[$0] += 1 }
    money.merge(chain.money, .plus)
    if let currency = chain.oldCurrency { currencies[currency, default: 0] += 1 }
    if let currency = chain.newCurrency, currency != chain.oldCurrency {
      currencies[currency, default: 0] += 1
    }
    if let end = chain.reachedEnd { reachedEnds[end, default: 0] += 1 }
  }
}

/// The key of exposure counts: the increase and every dimension that a view can group by.
struct ExposureKey: Hashable, Sendable {
  /// The index of the increase in its scope.
  var increase: Int
  var startMonth: DimensionValue
  var offer: DimensionValue
  var ordinal: RenewalOrdinal
}

extension ExposureKey {
  /// Creates the key of a chain that met an increase at a renewal.
  init(increase: Int, _ chain: PricedChain, _ ordinal: RenewalOrdinal) {
    self.init(
      increase: increase, startMonth: chain.key.value(of: .startMonth) ?? .unknown,
      offer: chain.key.value(of: .offer) ?? .unknown, ordinal: ordinal)
  }
}

/// The outcome of one chain that met a higher price, added to the ``Exposure`` of its cohort.
///
/// A value without allocated memory, because each exposed chain makes one.
struct ChainExposure: Equatable {
  /// One bit for each ``ExposureFact`` that holds.
  private var facts: UInt32 = 0
  var money = ExposureMoney()
  /// The currency of the last charge at the old price; `nil` without proceeds.
  var oldCurrency: Symbol?
  /// The currency of the charge that continued it; `nil` without one, or without proceeds.
  var newCurrency: Symbol?
  /// The day on which the period of a reached chain ended.
  var reachedEnd: Day?

  mutating func insert(_ fact: ExposureFact) { facts |= 1 << UInt32(fact.rawValue) }

  /// Returns whether a fact holds.
  func contains(_ fact: ExposureFact) -> Bool { facts & 1 << UInt32(fact.rawValue) != 0 }

  /// Calls `body` with each fact that holds.
  func forEachFact(_ body: (ExposureFact) -> Void) {
    var rest = facts
    while rest != 0 {
      if let fact = ExposureFact(rawValue: rest.trailingZeroBitCount) { body(fact) }
      rest &= rest - 1
    }
  }
}
