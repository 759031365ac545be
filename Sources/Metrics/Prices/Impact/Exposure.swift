import SubscriptionModel

/// What became of a chain that met a higher price, and what of that is shown beside it.
public enum ExposureFact: Int, CaseIterable, Sendable {
  /// Exposed, and the renewal has not come or is too young to be known. The others are in exactly one of
  /// the seven outcomes.
  case notReached
  case renewedNewPrice, renewedOldPrice, renewedOtherPrice, changedProduct
  case recovered, lapsed, pending
  /// Kept the old price by the developer's choice, so not exposed.
  case preserved
  // Of these.
  case changedToCheaper, lapsedPriceReason, refunded
  /// Renewed at the new price, less than 60 days before as-of.
  case refundUndecided
  // Consent of the exposed: asked, of these those that agreed or did not answer yet; all others.
  case consentAsked, consentGiven, consentPending, notified

  /// The outcomes that are renewals.
  static let continued: [ExposureFact] = [
    .renewedNewPrice, .renewedOldPrice, .renewedOtherPrice, .changedProduct,
  ]
  static let reached: [ExposureFact] = continued + [.recovered, .lapsed, .pending]
}

/// Proceeds at the first renewal after a change, in milliunits of whatever currency they are in.
struct ExposureMoney: Equatable, Sendable {
  /// Σ proceeds of the charges that continued.
  var actual: Int128 = 0
  /// Σ proceeds of the last charges at the old price, of all who were reached.
  var old: Int128 = 0
  /// Σ (new - old proceeds) over those who renewed the same product.
  var renewed: Int128 = 0
  /// Σ (new - old proceeds) over those who changed the product.
  var changed: Int128 = 0
  /// What a step of Apple's share changed, times the old price: Σ (new proceeds × old price - new price
  /// × old proceeds) over those who renewed at another share.
  var shareTimesOldPrice: Int128 = 0
  /// The currencies of these proceeds and how often they were met; sums of several mean nothing.
  var currencies: [Symbol: Int] = [:]

  mutating func merge(_ other: ExposureMoney, _ sign: MergeSign) {
    actual += sign.wideFactor * other.actual
    old += sign.wideFactor * other.old
    renewed += sign.wideFactor * other.renewed
    changed += sign.wideFactor * other.changed
    shareTimesOldPrice += sign.wideFactor * other.shareTimesOldPrice
    currencies.merge(other.currencies, sign)
  }
}

/// What became of a cohort's chains that met a higher price: METRICS.md section 6, exposed.
struct Exposure: Summable {
  private var counts = [Int](repeating: 0, count: ExposureFact.allCases.count)
  var money = ExposureMoney()
  /// How many periods of those who were reached ended on a day.
  var reachedEnds: [Day: Int] = [:]

  subscript(fact: ExposureFact) -> Int {
    get { counts[fact.rawValue] }
    set { counts[fact.rawValue] = newValue }
  }

  /// The last day on which a period of those who were reached ended.
  var lastReachedEnd: Day? { reachedEnds.keys.max() }

  /// Those whose renewal came, long enough before as-of to know whether it continued.
  var reached: Int { ExposureFact.reached.reduce(0) { $0 + self[$1] } }
  /// Those of them that continued within 2 days.
  var continued: Int { ExposureFact.continued.reduce(0) { $0 + self[$1] } }

  mutating func merge(_ other: Exposure, _ sign: MergeSign = .plus) {
    for fact in ExposureFact.allCases { self[fact] += sign.factor * other[fact] }
    money.merge(other.money, sign)
    reachedEnds.merge(other.reachedEnds, sign)
  }
}

extension Dictionary where Value == Int {
  /// Adds counts, or takes them back; what is not counted any more is not there.
  fileprivate mutating func merge(_ other: Self, _ sign: MergeSign) {
    for (key, count) in other {
      let sum = (self[key] ?? 0) + sign.factor * count
      self[key] = sum == 0 ? nil : sum
    }
  }
}

/// Who met which increase: as fine as any view of them.
struct ExposureKey: Hashable, Sendable {
  /// The index of the increase in its scope.
  var increase: Int
  var startMonth: DimensionValue
  var offer: DimensionValue
  var ordinal: RenewalOrdinal
}
