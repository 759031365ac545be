import Scanning
import Storage
import SubscriptionModel

/// The fields found in one JSON object, table row or purchase of a receipt.
///
/// Each value is converted when its key is read, so no text is kept and keys may come in any order.
/// At the end of the object, the keys found determine its kind.
struct ObjectFields {
  /// The keys found that determine the kind of an object, one bit for each group of keys.
  struct Marks: OptionSet {
    let rawValue: UInt32

    /// A key that only verifyReceipt answers and notifications V1 have.
    static let answer = Marks(rawValue: 1 << 0)
    /// A key that only iOS 6 transactions have.
    static let ios6 = Marks(rawValue: 1 << 1)
    static let notificationV1 = Marks(rawValue: 1 << 2)
    static let notificationV2 = Marks(rawValue: 1 << 3)
    /// The UUID or the body of a notification V2.
    static let notificationBody = Marks(rawValue: 1 << 4)
    /// `signedTransactions`, `revision` or `hasMore`: a page of transactions.
    static let history = Marks(rawValue: 1 << 5)
    /// `lastTransactions`: the newest transactions of a subscription group.
    static let statuses = Marks(rawValue: 1 << 6)
    /// `signedTransactionInfo` or `signedRenewalInfo`.
    static let signedInfo = Marks(rawValue: 1 << 7)
    static let appTransaction = Marks(rawValue: 1 << 8)
    static let errorCode = Marks(rawValue: 1 << 9)
    static let errorMessage = Marks(rawValue: 1 << 10)
    static let purchaseDate = Marks(rawValue: 1 << 11)
    /// The id of a transaction, of an original transaction, or of a product.
    static let anID = Marks(rawValue: 1 << 12)
    static let autoRenewStatus = Marks(rawValue: 1 << 13)
    /// `purchaseDate`, a key of JWS transactions.
    static let jwsTransaction = Marks(rawValue: 1 << 14)
    /// The marks that show that an object itself is a transaction or a renewal info.
    static let byItself: Marks = [.purchaseDate, .anID, .autoRenewStatus]
    /// `notificationHistory`: a page of notifications V2.
    static let notifications = Marks(rawValue: 1 << 15)
    /// A key that only in-app libraries have: a transaction of verifyReceipt with keys in camel case.
    static let ofLibrary = Marks(rawValue: 1 << 16)
    /// `is_trial_period` and `is_in_intro_offer_period`, Apple's own keys.
    static let isTrial = Marks(rawValue: 1 << 17)
    static let isIntro = Marks(rawValue: 1 << 18)
    /// An id is a number in a spreadsheet's format.
    static let rewrittenID = Marks(rawValue: 1 << 19)
    /// A price is not a whole number, 0 or more.
    static let unreadablePrice = Marks(rawValue: 1 << 20)
    /// An id is an object or an array, as exports of databases write large numbers.
    static let objectID = Marks(rawValue: 1 << 21)
    /// The marks that show that an object is more than a transaction or a renewal info.
    static let ofResponses: Marks = [
      .answer, .notificationV1, .notificationV2, .notificationBody, .history, .statuses,
      .signedInfo, .notifications, .ofLibrary,
    ]
  }

  /// A type of notification that says more than its transactions and renewal infos.
  enum NotificationType {
    case failedToRenew, cancelled

    /// Creates the type with Apple's name; nil for any other.
    init?(_ text: Span<UInt8>, _ range: Range<Int>) {
      if ScalarText.isWord("DID_FAIL_TO_RENEW", text, range) {
        self = .failedToRenew
      } else if ScalarText.isWord("CANCEL", text, range) {
        self = .cancelled
      } else {
        return nil
      }
    }
  }

  var marks: Marks = []

  // The response.
  var status: Int?
  var hasEnvironment = false
  var isNonProduction = false
  /// Whether the environment is Xcode or local testing: the records of one tester.
  var isLocal = false
  var isUpgradeNotification = false
  /// Whether a notification asks for consent to a price increase (subtype `PENDING`).
  var asksForConsent = false
  var notificationType: NotificationType?
  var notificationUUID: UInt128?
  var app = Symbol.blank
  /// When the response was requested from Apple: `request_date`.
  var requested = StatedInstant()
  /// When Apple signed the payload: `signedDate`.
  var signed = StatedInstant()
  /// When the receipt was made: `receipt_creation_date`.
  var created = StatedInstant()
  /// When the customer turned renewal on or off: `auto_renew_status_change_date`.
  var statusChanged = StatedInstant()

  /// The key of the first id that cannot be used.
  var keyOfFaultyID: ReceiptKey?

  // A transaction.
  var transactionID = ReceiptID.none
  var originalID = ReceiptID.none
  var lineItemID = ReceiptID.none
  var appTransactionID = ReceiptID.none
  var accountToken = Symbol.blank
  var product = Symbol.blank
  var group = Symbol.blank
  var purchase = StatedInstant()
  var originalPurchase = StatedInstant()
  var expires = StatedInstant()
  var cancellation = StatedInstant()
  var flags: TransactionCopy.Flags = []
  var offerType: Int?
  var isFreeOffer: Bool?
  var type = TransactionCopy.ProductType.missing
  var ownership = TransactionCopy.Ownership.missing
  var country = Symbol.blank
  /// The price in milliunits.
  var price: Int?
  var currency = Symbol.blank
  /// The refunded part of the price: 100,000 is all of it.
  var revocationPercentage: Int?
  /// The refunded part of the price in milliunits, where a table states it.
  var refundedMilliunits: Int?
  var instalmentNumber: UInt8 = 0
  var instalmentTotal: UInt8 = 0

  // A renewal info.
  /// The product to which the subscription renews.
  var renewalProduct = Symbol.blank
  var autoRenews: Bool?
  var renewsAfterTerm: Bool?
  var expirationIntent: UInt8 = 0
  var isInBillingRetry: Bool?
  var graceEnd = StatedInstant()
  var acceptsPriceIncrease: Bool?
  var winBackOffers: Symbol?

  /// Which date of the transaction is there and cannot be used; `nil` if none is: METRICS.md 3.6.
  ///
  /// The transaction counts as if it had no such date. A lost cancellation is named before the others.
  var unplacedDate: String? {
    if cancellation.isUnplaced {
      return Self.unplaced("the date of the refund or revocation", cancellation)
    }
    if expires.isUnplaced { return Self.unplaced("the expiry", expires) }
    let other = [requested, signed, graceEnd].first { $0.isUnplaced || $0.isUnreadable }
    return other.map { Self.unplaced("the date of the record or of grace", $0) }
  }

  private static func unplaced(_ name: String, _ date: StatedInstant) -> String {
    date.isWithoutZone ? "\(name) has no time zone" : name
  }

  /// Whether the object itself is a transaction.
  var isTransaction: Bool { marks.isSuperset(of: [.purchaseDate, .anID]) }

  /// Whether the object itself is a renewal info.
  var isRenewalInfo: Bool { marks.isSuperset(of: [.autoRenewStatus, .anID]) }

  /// Whether the object is a transaction or a renewal info of the App Store Server API, and nothing else.
  var isBareItem: Bool { (isTransaction || isRenewalInfo) && marks.isDisjoint(with: .ofResponses) }

  /// Whether the object is a notification V2, also with keys in snake case, such as those of V1.
  var isNotificationV2: Bool {
    if marks.isSuperset(of: [.notificationV2, .notificationBody]) { return true }
    return !marks.isDisjoint(with: [.notificationV1, .notificationV2]) && !marks.contains(.answer)
      && (marks.contains(.signedInfo) || notificationUUID != nil)
  }

  /// Whether the object is a notification V1, also with keys in camel case, such as those of V2.
  var isNotificationV1: Bool {
    if isNotificationV2 { return false }
    return marks.contains(.notificationV1) && (marks.contains(.answer) || hasRenewalFields)
      || marks.isSuperset(of: [.notificationV2, .answer])
  }

  /// Whether the object is the payload of a JWS, and not of a library: it is signed, or its keys are in camel case.
  private var isV2: Bool {
    (marks.contains(.jwsTransaction) || signed.value != nil) && !marks.contains(.ofLibrary)
  }

  /// Whether any renewal field was found.
  var hasRenewalFields: Bool {
    autoRenews != nil || expirationIntent != 0 || isInBillingRetry != nil
  }

  /// Adds the fields of a part that apply to the whole response.
  mutating func addResponse(of part: ObjectFields) {
    marks.formUnion(part.marks)
    if status == nil { status = part.status }
    addEnvironment(of: part)
    isUpgradeNotification = isUpgradeNotification || part.isUpgradeNotification
    asksForConsent = asksForConsent || part.asksForConsent
    notificationType = notificationType ?? part.notificationType
    notificationUUID = notificationUUID ?? part.notificationUUID
    if app == .blank { app = part.app }
    if requested.value == nil { requested = part.requested }
    if signed.value == nil { signed = part.signed }
    if created.value == nil { created = part.created }
    if statusChanged.value == nil { statusChanged = part.statusChanged }
  }

  /// Adds the environment of a transaction or a renewal info.
  mutating func addEnvironment(of part: ObjectFields) {
    hasEnvironment = hasEnvironment || part.hasEnvironment
    isNonProduction = isNonProduction || part.isNonProduction
    isLocal = isLocal || part.isLocal
  }
}

// MARK: - Faults

extension ObjectFields {
  /// A value that makes a transaction or a renewal info unusable.
  struct Fault {
    let code: Reject.Code
    let key: ReceiptKey
    let found: String
    let expected: String
  }

  /// The fault of an id that was rewritten as a number, or is an object; `nil` without one: METRICS.md 3.16.
  var faultOfID: Fault? {
    let key = keyOfFaultyID ?? .transactionID
    if marks.contains(.objectID) {
      return Fault(
        code: .unknownShape, key: key, found: "an object", expected: "an id: a number or a text")
    }
    guard marks.contains(.rewrittenID) else { return nil }
    return Fault(
      code: .rewrittenID, key: key,
      found: "a number in scientific notation, with a decimal point or with thousands separators",
      expected: RewrittenNumber.expectedID)
  }

  /// Whether the keys are those of JWS payloads.
  private var isCamelCase: Bool { marks.contains(.jwsTransaction) && !marks.contains(.ofLibrary) }

  /// The fault of a transaction without a purchase date that can be used.
  var faultOfPurchase: Fault {
    let isThere = marks.contains(.purchaseDate)
    return Fault(
      code: .noPurchaseDate, key: isCamelCase ? .purchaseDateV2 : .purchaseDate,
      found: purchase.isWithoutZone
        ? "a date without a time zone" : isThere ? "a value that is not such a date" : "nothing",
      expected: purchase.isWithoutZone
        ? "milliseconds, or a date with its zone, such as 2026-01-31T08:00:00Z"
        : "the date of the purchase, from 2008 to 2099")
  }

  /// The fault of an id, or of a date that is none; `nil` without one: METRICS.md 3.16.
  var faultOfTransaction: Fault? {
    if let faultOfID { return faultOfID }
    let key: ReceiptKey? =
      if purchase.isUnreadable {
        isCamelCase ? .purchaseDateV2 : .purchaseDate
      } else if expires.isUnreadable {
        isCamelCase ? .expiresDateV2 : .expiresDate
      } else if cancellation.isUnreadable {
        isCamelCase ? .revocationDate : .cancellationDate
      } else {
        nil
      }
    return key.map {
      Fault(
        code: .notADate, key: $0, found: "another value",
        expected: "a number of milliseconds, or a date and time")
    }
  }
}

// MARK: - Copies

extension ObjectFields {
  /// Returns the transaction, or nil if it has no purchase date.
  func transaction(
    response: UInt32, origin: TransactionCopy.Origin, file: UInt32, row: UInt32, number: UInt16
  ) -> TransactionCopy? {
    guard let purchase = purchase.value else { return nil }
    var copy = TransactionCopy(
      response: response, purchase: purchase, madeAt: signed.value ?? Self.notYet,
      origin: isV2 ? .v2 : origin, file: file, row: row, number: number)
    if signed.value != nil { copy.flags.insert(.hasSignedDate) }
    copy.appTransactionID = appTransactionID
    copy.accountToken = accountToken
    copy.originalID = originalID
    copy.transactionID = transactionID
    copy.lineItemID = lineItemID
    copy.app = app
    copy.product = product
    copy.group = group
    copy.expires = expires.value
    copy.cancellation = cancellation.value
    copy.originalPurchase = originalPurchase.value
    copy.type = type
    copy.ownership = ownership
    copy.country = country
    copy.instalmentNumber = instalmentNumber
    copy.instalmentTotal = instalmentTotal
    copy.flags.formUnion(flags.union(offerFlags))
    if let price, currency != .blank {
      copy.price = Int64(price)
      copy.currency = currency
    }
    if let refundedMilliunits { copy.refundedPrice = Int64(refundedMilliunits) }
    if let revocationPercentage, let percentage = Int32(exactly: revocationPercentage) {
      copy.revocationPercentage = percentage
      if percentage < 100_000 { copy.flags.insert(.prorated) }
    }
    return copy
  }

  /// Returns the renewal info.
  func renewal(response: UInt32) -> RenewalCopy {
    var copy = RenewalCopy(response: response, madeAt: signed.value ?? Self.notYet)
    copy.originalID = originalID
    copy.product = product == .blank && !originalID.isUsable ? renewalProduct : product
    copy.graceEnd = graceEnd.value
    copy.expirationIntent = expirationIntent
    copy.autoRenews = autoRenews
    copy.renewsAfterTerm = renewsAfterTerm
    copy.isInBillingRetry = isInBillingRetry
    copy.acceptsPriceIncrease = acceptsPriceIncrease
    copy.winBackOffers = winBackOffers
    copy.isOfPeriod = flags.contains(.ofSnapshot)
    return copy
  }

  /// A placeholder until the as-of of the response is determined.
  static let notYet = Instant(seconds: 0)

  /// The flags of a signed transaction's offer (1 introductory, 2 promotional, 3 code, 4 win-back).
  private var offerFlags: TransactionCopy.Flags {
    switch offerType {
    // Xcode writes no offerDiscountType; an introductory offer with the price 0 is a free trial.
    case 1: isFreeOffer ?? (price == 0) ? .trial : .intro
    case 2, 3, 4: isFreeOffer == true ? [.offer, .freeOffer] : .offer
    default: []
    }
  }
}
