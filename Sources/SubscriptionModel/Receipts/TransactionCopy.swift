/// One copy of a transaction, as one record of a dump states it: METRICS.md section 3.
///
/// Dumps repeat a transaction in every capture, with other ids and other fields. Copies are kept flat and small
/// until all are read (112 bytes, with reserved numbers for "missing"); then they are grouped into events. Fields
/// that the record does not state are missing, never guessed.
public struct TransactionCopy: Sendable {
  /// Where in a record the copy was; of copies made at the same time, a later case overrides an earlier one.
  public enum Origin: UInt8, Comparable, Sendable {
    /// `receipt.in_app`, a raw receipt, or the `receipt` object of an iOS 6 answer.
    case inApp
    /// `latest_receipt_info`, `latest_expired_receipt_info`, and transactions of V1 notifications and clients.
    case latest
    /// A decoded JWS of the App Store Server API or of a notification V2.
    case v2

    /// Orders origins as their cases are listed.
    public static func < (left: Origin, right: Origin) -> Bool { left.rawValue < right.rawValue }
  }

  /// What kind of product was bought.
  public enum ProductType: UInt8, Sendable {
    /// The record does not say.
    case missing
    case autoRenewable
    case nonRenewing
    /// A free subscription, raw type 4.
    case free
    /// A consumable or a non-consumable.
    case other
  }

  /// Who owns it.
  public enum Ownership: UInt8, Sendable {
    /// The record does not say.
    case missing
    case purchased
    case family
  }

  /// The yes-or-no fields of a copy; flags of copies of one event are OR-ed.
  public struct Flags: OptionSet, Sendable {
    /// One bit a flag.
    public let rawValue: UInt16

    /// Creates flags from their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `is_trial_period`, or offerType 1 and FREE_TRIAL.
    public static let trial = Flags(rawValue: 1 << 0)
    /// `is_in_intro_offer_period`, or offerType 1 and any other discount.
    public static let intro = Flags(rawValue: 1 << 1)
    /// A promotional offer id, an offer code, or offerType 2, 3 or 4.
    public static let offer = Flags(rawValue: 1 << 2)
    /// An offer marked free (offerDiscountType FREE_TRIAL) that is not introductory.
    public static let freeOffer = Flags(rawValue: 1 << 3)
    /// `is_upgraded`.
    public static let upgraded = Flags(rawValue: 1 << 4)
    /// The notification that carries it has the subtype UPGRADE.
    public static let upgradeNotification = Flags(rawValue: 1 << 5)
    /// It occurs in a notification, V1 or V2.
    public static let inNotificationLog = Flags(rawValue: 1 << 6)
    /// Its answer has status 21006: expired.
    public static let answerSaysExpired = Flags(rawValue: 1 << 7)
    /// `revocationType` REFUND_PRORATED, or a revocationPercentage below 100000.
    public static let prorated = Flags(rawValue: 1 << 8)
    /// `revocationType` FAMILY_REVOKE.
    public static let familyRevoke = Flags(rawValue: 1 << 9)
    /// The record is of a sandbox, of Xcode or of local testing.
    public static let nonProduction = Flags(rawValue: 1 << 10)
    /// `billingPlanType` MONTHLY: the charge is an instalment of a commitment.
    public static let commitment = Flags(rawValue: 1 << 11)
    /// It has a `billingPlanType`.
    public static let statesPlan = Flags(rawValue: 1 << 12)
  }

  // MARK: Who

  /// `appTransactionId`.
  public var appTransactionID = ReceiptID.none
  /// `original_transaction_id`.
  public var originalID = ReceiptID.none
  /// `transaction_id`.
  public var transactionID = ReceiptID.none
  /// `web_order_line_item_id`.
  public var lineItemID = ReceiptID.none
  private var milliunits = Int64.min
  /// The response that holds it, a number of the run: everything inside one response is one customer.
  public var response: UInt32
  /// `appAccountToken` in lower case; blank when it is missing, nil or no UUID.
  public var accountToken = Symbol.blank

  // MARK: Which

  /// The bundle id; blank when the record does not say.
  public var app = Symbol.blank
  /// The product id.
  public var product = Symbol.blank
  /// The subscription group's id; blank when missing or all zeros.
  public var group = Symbol.blank

  // MARK: When

  /// When it was bought; a transaction without it is a reject.
  public var purchase: Instant
  /// The record's own as-of: METRICS.md 3.7.
  public var madeAt: Instant
  private var expiresSeconds: UInt32 = 0
  private var cancellationSeconds: UInt32 = 0
  private var originalPurchaseSeconds: UInt32 = 0

  // MARK: What

  /// The price's currency; blank without a price.
  public var currency = Symbol.blank
  /// The 2-letter storefront code; blank when the record does not say.
  public var country = Symbol.blank
  private var percentage: Int32 = -1

  // MARK: Where

  /// The file's place in the order of all files of the run.
  public var file: UInt32
  /// The number of the row in the file, from 1.
  public var row: UInt32
  /// The number of the copy in its row, from 1; 65,535 for all later ones.
  public var number: UInt16

  /// Its yes-or-no fields.
  public var flags: Flags = []
  /// Where in the record it was.
  public var origin: Origin
  /// The product's type.
  public var type = ProductType.missing
  /// Who owns it.
  public var ownership = Ownership.missing
  /// `billingPeriodNumber` of `commitmentInfo`, from 1; 0 when the record does not say.
  public var instalmentNumber: UInt8 = 0
  /// `totalBillingPeriods` of `commitmentInfo`; 0 when the record does not say.
  public var instalmentTotal: UInt8 = 0

  /// Creates a copy with only its response, its times and its place.
  public init(
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

// MARK: - What may be missing

extension TransactionCopy {
  /// When the period ends; `nil` when the record does not say.
  public var expires: Instant? {
    get { Instant(orNone: expiresSeconds) }
    set { expiresSeconds = newValue?.seconds ?? 0 }
  }

  /// `cancellation_date`, or `revocationDate`.
  public var cancellation: Instant? {
    get { Instant(orNone: cancellationSeconds) }
    set { cancellationSeconds = newValue?.seconds ?? 0 }
  }

  /// `original_purchase_date`.
  public var originalPurchase: Instant? {
    get { Instant(orNone: originalPurchaseSeconds) }
    set { originalPurchaseSeconds = newValue?.seconds ?? 0 }
  }

  /// The price in milliunits of the currency, quantity included; `nil` without a price or a currency.
  public var price: Int64? {
    get { milliunits == .min ? nil : milliunits }
    set { milliunits = newValue ?? .min }
  }

  /// `revocationPercentage`, 100000 for all of the price.
  public var revocationPercentage: Int32? {
    get { percentage < 0 ? nil : percentage }
    set { percentage = newValue ?? -1 }
  }
}

extension Instant {
  /// Creates an instant; `nil` for 0, which stands for a missing one.
  fileprivate init?(orNone seconds: UInt32) {
    if seconds == 0 { return nil }
    self.init(seconds: seconds)
  }
}
