/// One purchase, merged from all of its copies: METRICS.md 3.5.
///
/// For each field the last copy that states it wins, flags are OR-ed, and the purchase date is the earliest.
public struct ReceiptEvent: Sendable {
  /// When it was bought.
  public var purchase: Instant
  /// When the period ends, as Apple says.
  public var expires: Instant?
  /// When it was canceled by Apple: refunded, revoked or upgraded.
  public var cancellation: Instant?
  /// When its original id was first bought.
  public var originalPurchase: Instant?
  /// `original_transaction_id`.
  public var originalID = ReceiptID.none
  /// `transaction_id`.
  public var transactionID = ReceiptID.none
  /// `web_order_line_item_id`.
  public var lineItemID = ReceiptID.none
  /// The bundle id.
  public var app = Symbol.blank
  /// The product id.
  public var product = Symbol.blank
  /// The subscription group's id, once it is found; blank when it is unknown.
  public var group = Symbol.blank
  /// The price in milliunits of the currency.
  public var price: Int64?
  /// The price's currency.
  public var currency = Symbol.blank
  /// The 2-letter storefront code.
  public var country = Symbol.blank
  /// The refunded share of the price; 100000 is all of it.
  public var revocationPercentage: Int32?
  /// The product's type.
  public var type = TransactionCopy.ProductType.missing
  /// Who owns it; never missing.
  public var ownership = TransactionCopy.Ownership.missing
  /// `billingPeriodNumber`; 0 when no copy states it.
  public var instalmentNumber: UInt8 = 0
  /// `totalBillingPeriods`; 0 when no copy states it.
  public var instalmentTotal: UInt8 = 0
  /// The flags that are set in at least one copy.
  public var flags: TransactionCopy.Flags = []
  /// Whether any copy is V2 data; an upgrade is then never inferred.
  public var hasV2 = false
  /// When the newest record that holds it was made.
  public var madeAt: Instant
  /// Whether copies name several products or several groups.
  public var isInConflict = false
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
      } else if copy.origin == .v2 {
        refundDeniedAt = copy.madeAt
      }
    }
    if ownership == .missing { ownership = .purchased }
    // A refund is reversed when newer V2 data no longer have it: METRICS.md 3.8.
    if let stated = refundStatedAt, let denied = refundDeniedAt, denied > stated {
      cancellation = nil
      revocationPercentage = nil
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

  /// What kind of charge it is: METRICS.md section 1.
  public var kind: ChargeKind {
    if !flags.isDisjoint(with: [.offer, .freeOffer]) { return .offer }
    if flags.contains(.trial) { return .trial }
    guard flags.contains(.intro) else { return .standard }
    return price == 0 ? .trial : .intro
  }

  /// Whether it was paid: a price above 0 or, without a price, neither a trial nor a free offer.
  public var isPaid: Bool {
    if type == .free { return false }
    return price.map { $0 > 0 } ?? flags.isDisjoint(with: [.trial, .freeOffer])
  }

  /// Orders a chain's charges by start, then free before paid, then by end, then by ids.
  ///
  /// So the order is the same in every capture.
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
      return symbols[Int(product)].utf8.lexicographicallyPrecedes(symbols[Int(other.product)].utf8)
    }
    return last.isPlacedBefore(other.last)
  }
}
