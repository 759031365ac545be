import Counting
import PriceImpact
import SubscriptionModel

/// The renewals of receipts that add to one column.
typealias ReceiptRenewalList = RenewalList<ReceiptRenewal>

/// A renewal of receipts that a row of `price_impact.csv` counts, with the rows that it rests on.
struct ReceiptRenewal: ListedRenewal {
  /// Apple's question for consent to the increase, and the answer.
  struct Consent: Sendable {
    /// The day of the first record that asks; `nil` if the customer was not asked.
    var asked: Day?
    /// The day of the latest record, and whether it says that the customer agreed.
    var latest: Day?
    var isGiven = false
  }

  /// The rows that it may rest on.
  struct Rows: Sendable {
    /// The first purchase of the chain.
    var first: ReceiptPlace
    var own: [ReceiptPlace]
    /// The last instalment of a term that began with ``own``.
    var last: [ReceiptPlace] = []
    var next: [ReceiptPlace] = []
    var refund: ReceiptPlace?
    /// The renewal info with the reason of the lapse.
    var reason: ReceiptPlace?
    /// The records that ask for consent and answer.
    var consent: [ReceiptPlace] = []
  }

  let addition: ImpactAddition
  let key: ChainKey
  /// The customer; `nil` where subscriptions are named by their first row.
  let customer: CustomerName?
  /// The period that ended, and the charge that followed it.
  let charge: PricedCharge
  let next: PricedCharge?
  /// Their terms, because each thread numbers terms in its own way.
  let own: ChargeTerms
  let new: ChargeTerms?
  /// The instants of the period.
  let start: Instant
  let end: Instant
  /// The day up to which the data of the subscription are complete.
  let asOf: Day
  /// The day on which the next charge was refunded in full.
  var refundDay: Day?
  var consent = Consent()
  var rows: Rows

  /// The rows that it rests on, in the order of time, each once.
  func evidence(of part: ImpactPart) -> [ReceiptPlace] {
    let refund = part == .refunded ? rows.refund : nil
    let all =
      rows.own + rows.last + (part.isOfConsent ? rows.consent : [])
      + [rows.reason].compactMap(\.self) + rows.next + [refund].compactMap(\.self)
    var seen: Set<ReceiptPlace> = []
    return all.filter { seen.insert($0).inserted }
  }

  static func precedes(_ left: ReceiptRenewal, _ right: ReceiptRenewal) -> Bool {
    if left.rows.first != right.rows.first { return left.rows.first < right.rows.first }
    let places = { (one: ReceiptRenewal) in
      (one.start, one.end, one.addition.dates.effective, one.addition.dates.existing)
    }
    if places(left) != places(right) { return places(left) < places(right) }
    return left.rows.own.lexicographicallyPrecedes(right.rows.own)
  }

  static func precedesByEvidence(_ left: ReceiptRenewal, _ right: ReceiptRenewal) -> Bool {
    let first = { (one: ReceiptRenewal) in
      (one.rows.own + one.rows.last + one.rows.next).min() ?? one.rows.first
    }
    let (own, other) = (first(left), first(right))
    return own == other ? precedes(left, right) : own < other
  }
}
