package import Storage

/// One purchase, merged from all copies of its transaction: METRICS.md 3.5.
///
/// For each field, the value of the last copy that has one; all flags; and the earliest purchase
/// date.
package struct ReceiptEvent: Sendable {
  /// When the purchase was made.
  package var purchase: Instant
  /// When the period ends according to Apple.
  package var expires: Instant?
  /// When Apple canceled the purchase because of a refund, a revocation or an upgrade.
  package var cancellation: Instant?
  /// When the original transaction was made.
  package var originalPurchase: Instant?
  /// `original_transaction_id`.
  package var originalID = ReceiptID.none
  /// `transaction_id`.
  package var transactionID = ReceiptID.none
  /// `web_order_line_item_id`.
  package var lineItemID = ReceiptID.none
  /// The bundle id.
  package var app = Symbol.blank
  /// The product id.
  package var product = Symbol.blank
  /// The subscription group's id, after ``ReceiptHistory`` has determined it; blank if it is
  /// unknown.
  package var group = Symbol.blank
  /// The price in milliunits.
  package var price: Int64?
  /// The price's currency.
  package var currency = Symbol.blank
  /// The 2-letter storefront code.
  package var country = Symbol.blank
  /// The refunded share of the price; 100,000 is all of it.
  package var revocationPercentage: Int32?
  /// The refunded part of the price in milliunits, where a snapshot states it.
  package var refundedPrice: Int64?
  /// The product's type.
  package var type = TransactionCopy.ProductType.missing
  /// Whether the customer bought the product or gets it by Family Sharing; never missing.
  package var ownership = TransactionCopy.Ownership.missing
  /// `billingPeriodNumber`; 0 if no copy has it.
  package var instalmentNumber: UInt8 = 0
  /// `totalBillingPeriods`; 0 if no copy has it.
  package var instalmentTotal: UInt8 = 0
  /// The flags that are set in at least one copy.
  package var flags: TransactionCopy.Flags = []
  /// Whether any copy is from V2 data; upgrades are then not inferred.
  package var hasV2 = false
  /// The as-of of the newest response with a copy.
  package var madeAt: Instant
  /// Whether copies state several products or several groups.
  package var isInConflict = false
  /// The last copy; its place in the input breaks ties when events are sorted.
  private var last: TransactionCopy

  /// Merges the copies of one event.
  ///
  /// - Parameters:
  ///   - copies: At least one, in the order of METRICS.md 3.5.
  ///   - first: The first of them.
  init(_ copies: some Sequence<TransactionCopy>, first: TransactionCopy) {
    purchase = first.purchase
    madeAt = first.madeAt
    last = first
    var refundStatedAt: Instant?
    var refundDeniedAt: Instant?
    for copy in copies {
      merge(copy)
      if copy.cancellation != nil {
        refundStatedAt = copy.madeAt
      } else if copy.origin == .v2, copy.flags.contains(.hasSignedDate) {
        refundDeniedAt = copy.madeAt
      }
    }
    if ownership == .missing { ownership = .purchased }
    // A refund is reversed if newer signed V2 data have no revocation date: METRICS.md 3.8.
    if let stated = refundStatedAt, let denied = refundDeniedAt, denied > stated {
      cancellation = nil
      revocationPercentage = nil
      refundedPrice = nil
      flags.subtract([.prorated, .familyRevoke])
    }
  }

  private mutating func merge(_ copy: TransactionCopy) {
    purchase = min(purchase, copy.purchase)
    expires = copy.expires ?? expires
    cancellation = copy.cancellation ?? cancellation
    originalPurchase = copy.originalPurchase ?? originalPurchase
    if copy.originalID.isUsable { originalID = copy.originalID }
    if copy.transactionID.isUsable { transactionID = copy.transactionID }
    if copy.lineItemID.isUsable { lineItemID = copy.lineItemID }
    if copy.app != .blank { app = copy.app }
    isInConflict =
      isInConflict || Self.differ(product, copy.product) || Self.differ(group, copy.group)
    if copy.product != .blank { product = copy.product }
    if copy.group != .blank { group = copy.group }
    if let price = copy.price { (self.price, currency) = (price, copy.currency) }
    if copy.country != .blank { country = copy.country }
    revocationPercentage = copy.revocationPercentage ?? revocationPercentage
    refundedPrice = copy.refundedPrice ?? refundedPrice
    if copy.type != .missing { type = copy.type }
    if copy.instalmentNumber != 0 { instalmentNumber = copy.instalmentNumber }
    if copy.instalmentTotal != 0 { instalmentTotal = copy.instalmentTotal }
    if copy.ownership != .missing { ownership = copy.ownership }
    flags.formUnion(copy.flags)
    hasV2 = hasV2 || copy.origin == .v2
    madeAt = max(madeAt, copy.madeAt)
    last = copy
  }

  private static func differ(_ left: Symbol, _ right: Symbol) -> Bool {
    left != .blank && right != .blank && left != right
  }

  /// The kind of charge: METRICS.md section 1.
  package var kind: ChargeKind { flags.kind(price: price) }

  /// Whether the purchase was paid: a price above 0 or, without a price, neither a trial nor a free
  /// offer.
  package var isPaid: Bool {
    if type == .free { return false }
    return price.map { $0 > 0 } ?? flags.isDisjoint(with: [.trial, .freeOffer])
  }

  /// Orders a chain's charges by start, then free before paid, then by end, then by ids.
  ///
  /// The order does not depend on the order of the input.
  func precedes(_ other: ReceiptEvent, _ symbols: [String]) -> Bool {
    if purchase != other.purchase { return purchase < other.purchase }
    if isPaid != other.isPaid { return !isPaid }
    if expires != other.expires { return (expires?.seconds ?? 0) < (other.expires?.seconds ?? 0) }
    let ids = [
      (transactionID, other.transactionID), (lineItemID, other.lineItemID),
      (originalID, other.originalID),
    ]
    for (id, otherID) in ids where id != otherID { return id.precedes(otherID, symbols) }
    if product != other.product {
      return symbols[Int(product)].precedes(symbols[Int(other.product)])
    }
    return last.isPlacedBefore(other.last)
  }
}
