package import Storage

/// One copy of a transaction, from one response: METRICS.md section 3.
///
/// Dumps repeat a transaction in every capture, with different ids and fields. All copies are
/// collected, in 112 bytes each, and then grouped into events. Fields that a copy lacks are
/// missing, never guessed.
package struct TransactionCopy: Sendable {
  /// Where in a response the copy was; of copies made at the same time, a later case overrides an
  /// earlier one.
  package enum Origin: UInt8, Comparable, Sendable {
    /// `receipt.in_app`, a raw receipt, or the `receipt` object of an iOS 6 answer.
    case inApp
    /// `latest_receipt_info`, `latest_expired_receipt_info`, and transactions of V1 notifications and clients.
    case latest
    /// A decoded JWS of the App Store Server API or of a notification V2.
    case v2

    /// Orders origins in the order of the cases.
    package static func < (left: Origin, right: Origin) -> Bool { left.rawValue < right.rawValue }
  }

  /// The type of a product.
  package enum ProductType: UInt8, Sendable {
    /// Not stated.
    case missing
    case autoRenewable
    case nonRenewing
    /// A free subscription, raw type 4.
    case free
    /// A consumable or a non-consumable.
    case other
  }

  /// Whether the customer bought a product or gets it by Family Sharing.
  package enum Ownership: UInt8, Sendable {
    /// Not stated.
    case missing
    case purchased
    case family
  }

  /// The Boolean fields of a copy; an event has all flags of its copies.
  package struct Flags: OptionSet, Sendable {
    /// One bit for each flag.
    package let rawValue: UInt32

    /// Creates flags from their bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `is_trial_period`, or offerType 1 and FREE_TRIAL.
    package static let trial = Flags(rawValue: 1 << 0)
    /// `is_in_intro_offer_period`, or offerType 1 and any other discount.
    package static let intro = Flags(rawValue: 1 << 1)
    /// A promotional offer id, an offer code, or offerType 2, 3 or 4.
    package static let offer = Flags(rawValue: 1 << 2)
    /// An offer marked free (offerDiscountType FREE_TRIAL) that is not introductory.
    package static let freeOffer = Flags(rawValue: 1 << 3)
    /// `is_upgraded`.
    package static let upgraded = Flags(rawValue: 1 << 4)
    /// The notification has the subtype UPGRADE.
    package static let upgradeNotification = Flags(rawValue: 1 << 5)
    /// From a notification, V1 or V2.
    package static let inNotificationLog = Flags(rawValue: 1 << 6)
    /// The verifyReceipt answer has status 21006: expired.
    package static let hasExpiredStatus = Flags(rawValue: 1 << 7)
    /// `revocationType` REFUND_PRORATED, or a revocationPercentage below 100000.
    package static let prorated = Flags(rawValue: 1 << 8)
    /// `revocationType` FAMILY_REVOKE.
    package static let familyRevoke = Flags(rawValue: 1 << 9)
    /// The environment is a sandbox, Xcode or local testing.
    package static let nonProduction = Flags(rawValue: 1 << 10)
    /// `billingPlanType` MONTHLY: the charge is an instalment of a commitment.
    package static let commitment = Flags(rawValue: 1 << 11)
    /// The transaction has a `billingPlanType`.
    package static let hasBillingPlan = Flags(rawValue: 1 << 12)
    /// From a snapshot, whose rows are all current when the file was made: METRICS.md 3.7.
    package static let ofSnapshot = Flags(rawValue: 1 << 13)
    /// The transaction has a `signedDate` of its own.
    package static let hasSignedDate = Flags(rawValue: 1 << 14)
    /// offerDiscountType PAY_AS_YOU_GO.
    package static let payAsYouGo = Flags(rawValue: 1 << 15)
    /// A transaction of the same response has an appTransactionId, so weaker ids are not used to join
    /// it: METRICS.md 3.3.
    static let hasAppTransaction = Flags(rawValue: 1 << 16)
    /// The environment is Xcode or local testing: the records of one tester.
    package static let local = Flags(rawValue: 1 << 17)
    /// A refund of the purchase with this transaction id; the copy has its own date in place of that of the purchase.
    package static let refundOnly = Flags(rawValue: 1 << 18)
  }

  // MARK: Ids

  /// `appTransactionId`.
  package var appTransactionID = ReceiptID.none
  /// `original_transaction_id`.
  package var originalID = ReceiptID.none
  /// `transaction_id`.
  package var transactionID = ReceiptID.none
  /// `web_order_line_item_id`.
  package var lineItemID = ReceiptID.none
  private var milliunits = Int64.min
  /// The number of the response; all copies of one response belong to one customer.
  package var response: UInt32
  /// `appAccountToken` in lower case; blank if it is missing, all zeros or not a UUID.
  package var accountToken = Symbol.blank

  // MARK: Product

  /// The bundle id; blank if missing.
  package var app = Symbol.blank
  /// The product id.
  package var product = Symbol.blank
  /// The subscription group's id; blank if missing or all zeros.
  package var group = Symbol.blank

  // MARK: Times

  /// When the purchase was made; a transaction without it is rejected.
  package var purchase: Instant
  /// When the copy was made: METRICS.md 3.7.
  package var madeAt: Instant
  private var expiresSeconds: UInt32 = 0
  private var cancellationSeconds: UInt32 = 0
  private var originalPurchaseSeconds: UInt32 = 0

  // MARK: Price and country

  /// The price's currency; blank without a price.
  package var currency = Symbol.blank
  /// The 2-letter storefront code; blank if missing.
  package var country = Symbol.blank
  private var percentage: Int32 = -1

  // MARK: Place and details

  /// The file's index among all files of the run.
  package var file: UInt32
  /// The number of the row in the file, from 1.
  package var row: UInt32
  /// The number of the copy in its row, from 1; at most 65,535.
  package var number: UInt16

  /// The Boolean fields.
  package var flags: Flags = []
  /// Where in the response the copy was.
  package var origin: Origin
  /// The product's type.
  package var type = ProductType.missing
  /// Whether the customer bought the product or gets it by Family Sharing.
  package var ownership = Ownership.missing
  /// `billingPeriodNumber` of `commitmentInfo`, from 1; 0 if missing.
  package var instalmentNumber: UInt8 = 0
  /// `totalBillingPeriods` of `commitmentInfo`; 0 if missing.
  package var instalmentTotal: UInt8 = 0
  /// The place of its file's date among those of all snapshots, from 1; 0 for any other file.
  var delivery: UInt16 = 0
  /// The upper bits of ``refundedPrice``, with 0x80; 0 without one.
  private var refundedHigh: UInt8 = 0

  /// Creates a copy with all other fields missing.
  package init(
    response: UInt32, purchase: Instant, madeAt: Instant, origin: Origin, file: UInt32,
    row: UInt32, number: UInt16
  ) {
    self.response = response
    self.purchase = purchase
    self.madeAt = madeAt
    self.origin = origin
    self.file = file
    self.row = row
    self.number = number
  }
}

extension TransactionCopy.Flags {
  /// Returns the kind of charge: METRICS.md section 1.
  ///
  /// - Parameter price: The price in milliunits; `nil` without one.
  /// - Returns: The kind.
  package func kind(price: Int64?) -> ChargeKind {
    if !isDisjoint(with: [.offer, .freeOffer]) { return .offer }
    if contains(.trial) { return .trial }
    guard contains(.intro) else { return .standard }
    return price == 0 ? .trial : .intro
  }
}

// MARK: - Optional fields

extension TransactionCopy {
  /// When the period ends; `nil` if missing.
  package var expires: Instant? {
    get { Instant(orNone: expiresSeconds) }
    set { expiresSeconds = newValue?.seconds ?? 0 }
  }

  /// `cancellation_date`, or `revocationDate`.
  package var cancellation: Instant? {
    get { Instant(orNone: cancellationSeconds) }
    set { cancellationSeconds = newValue?.seconds ?? 0 }
  }

  /// `original_purchase_date`.
  package var originalPurchase: Instant? {
    get { Instant(orNone: originalPurchaseSeconds) }
    set { originalPurchaseSeconds = newValue?.seconds ?? 0 }
  }

  /// The price in milliunits for the whole quantity; `nil` without a price or a currency.
  package var price: Int64? {
    get { milliunits == .min ? nil : milliunits }
    set { milliunits = newValue ?? .min }
  }

  /// `revocationPercentage`; 100,000 for the whole price.
  package var revocationPercentage: Int32? {
    get { percentage < 0 || refundedHigh != 0 ? nil : percentage }
    set { percentage = newValue ?? -1 }
  }

  /// The refunded part of the price in milliunits, less than 2^39; only snapshots state it, in place of a percentage.
  package var refundedPrice: Int64? {
    get {
      guard refundedHigh != 0 else { return nil }
      return Int64(refundedHigh & 0x7F) << 32 | Int64(UInt32(bitPattern: percentage))
    }
    set {
      let amount = newValue.flatMap { 0..<(1 << 39) ~= $0 ? $0 : nil }
      percentage = amount.map { Int32(truncatingIfNeeded: $0) } ?? -1
      refundedHigh = amount.map { UInt8(truncatingIfNeeded: $0 >> 32) | 0x80 } ?? 0
    }
  }
}

extension Instant {
  /// Creates an instant; `nil` for 0, the value of a missing instant.
  fileprivate init?(orNone seconds: UInt32) {
    if seconds == 0 { return nil }
    self.init(seconds: seconds)
  }
}
