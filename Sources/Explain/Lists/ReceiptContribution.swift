import Counting
import SubscriptionModel
import Tables

/// A period of receipts, or the refund of its charge, that a cell counts, with the rows that it rests on.
struct ReceiptContribution: ListedContribution {
  let found: CountedPeriod
  let period: ExplainedPeriod
  /// The period that an arrival follows.
  var before: ExplainedPeriod?
  /// The period that followed, or that replaced this one.
  var next: ExplainedPeriod?
  /// The time up to which the data of the subscription are complete.
  var asOf: Instant
  /// The subscription, where two sides are compared.
  var subscription: ReceiptSubscriptionKey?
  /// The customer; `nil` where subscriptions are named by their first row.
  var customer: CustomerName?
  /// The row of the subscription's first purchase.
  var first: ReceiptPlace
  /// The rows of the charge.
  var own: [ReceiptPlace]
  /// All rows that the contribution rests on, in the order of time.
  var evidence: [ReceiptPlace] = []
  /// Why the cell does not count the contribution; `nil` if it counts.
  var leftOut: LeftOutRule?

  /// Returns the number that the contribution adds to a cell; for a rank its gap in hundredths of days.
  func value(_ measure: Measure) -> Int128 {
    switch measure {
    case .count: Int128(found.count)
    case .price: Int128(found.price)
    // Receipts have no proceeds.
    case .proceeds: 0
    case .rank: Int128(found.gap ?? 0)
    }
  }

  var listPlace: UInt64 { Self.number(of: first) }
  var evidencePlace: UInt64 { Self.number(of: firstEvidence) }

  /// Contributions of receipts have lists of rows, and stay in memory.
  static func makeStore() -> ElementStore<ReceiptContribution>? { nil }

  private var firstEvidence: ReceiptPlace { evidence.min() ?? first }

  private static func number(of place: ReceiptPlace) -> UInt64 {
    UInt64(place.file) << 32 | UInt64(place.row)
  }

  /// Returns whether a contribution is listed before another: by the first row of the chain, then by time.
  static func precedes(_ left: ReceiptContribution, _ right: ReceiptContribution) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.period.start != right.period.start { return left.period.start < right.period.start }
    return left.own.lexicographicallyPrecedes(right.own)
  }

  /// Returns whether a contribution is listed before another: by file and row of the first row that it rests on.
  static func precedesByEvidence(
    _ left: ReceiptContribution, _ right: ReceiptContribution
  ) -> Bool {
    let (own, other) = (left.firstEvidence, right.firstEvidence)
    return own == other ? precedes(left, right) : own < other
  }
}
