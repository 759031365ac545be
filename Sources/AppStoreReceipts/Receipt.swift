import Receipts
import SubscriptionModel

/// One answer or notification of Apple, one signed transaction, or one row of an export.
///
/// Dumps repeat a transaction in every answer about its customer. A receipt with only renewal infos,
/// which are about the next charge, has no transactions.
///
/// ```swift
/// let receipts = Array(dump)
/// print(receipts.map(\.transactions.count))  // [1, 1]
/// ```
public struct Receipt: Sendable {
  /// An environment of the App Store.
  ///
  /// ```swift
  /// let production = receipts.filter { $0.environment != .sandbox }
  /// print(production.count)  // 2
  /// ```
  public enum Environment: String, Sendable {
    /// Real purchases.
    case production
    /// The sandbox, Xcode or local testing.
    case sandbox
    /// Not stated; `subreport` counts such receipts as production.
    case missing
  }

  /// The kind, such as `verify-receipt`, `notification-v2`, `api-history` or `transaction`.
  ///
  /// ```swift
  /// print(receipts[0].kind)  // transaction
  /// ```
  public let kind: String

  /// The instant when Apple made the receipt; its transactions are those known at that time.
  ///
  /// ```swift
  /// print(receipts[0].madeAt)  // 2026-09-20T00:00:00Z
  /// ```
  public let madeAt: String

  /// The App Store environment.
  ///
  /// ```swift
  /// print(receipts[0].environment)  // production
  /// ```
  public let environment: Environment

  /// The app's bundle id; empty if the receipt does not state it.
  ///
  /// ```swift
  /// print(receipts[0].app)  // com.example.larkspur
  /// ```
  public let app: String

  /// Whether every part has a signature that leads to one of the root certificates given to
  /// ``ReceiptFile/init(_:roots:columns:)``.
  ///
  /// `false` for unsigned receipts, and if no root was given.
  ///
  /// ```swift
  /// print(receipts[0].isVerified)  // false
  /// ```
  public let isVerified: Bool

  /// The transactions, in the order of the receipt.
  ///
  /// ```swift
  /// let transactions = receipts.flatMap(\.transactions)
  /// print(transactions.count)  // 2
  /// ```
  public let transactions: [Transaction]

  init(_ response: ReceiptResponse, _ copies: ArraySlice<TransactionCopy>, _ texts: [String]) {
    kind = response.kind.rawValue
    madeAt = response.madeAt.description
    environment =
      switch response.environment {
      case .production: .production
      case .nonProduction: .sandbox
      case .missing: .missing
      }
    app = texts[Int(response.app)]
    isVerified = response.isVerified
    transactions = copies.map { Transaction($0, texts) }
  }
}

extension Receipt {
  /// A purchase or renewal, as one receipt describes it.
  ///
  /// Fields that the receipt lacks are `nil` or empty, never guessed.
  ///
  /// ```swift
  /// let renewals = transactions.filter { $0.id != $0.originalID }
  /// print(renewals.count)  // 1
  /// ```
  public struct Transaction: Hashable, Sendable {
    /// Apple's id of the transaction; a restored purchase has another id.
    ///
    /// ```swift
    /// print(transactions[1].id)  // 2000000000000002
    /// ```
    public let id: String

    /// The id of the first transaction of the subscription, the same in all its renewals.
    ///
    /// ```swift
    /// print(transactions[1].originalID)  // 2000000000000001
    /// ```
    public let originalID: String

    /// The product's id.
    ///
    /// ```swift
    /// print(transactions[1].product)  // plus.month
    /// ```
    public let product: String

    /// The instant of the purchase or renewal, which begins the period.
    ///
    /// ```swift
    /// print(transactions[1].purchasedAt)  // 2026-08-15T00:00:00Z
    /// ```
    public let purchasedAt: String

    /// The instant of the subscription's first purchase.
    ///
    /// ```swift
    /// print(transactions[1].originallyPurchasedAt ?? "")  // 2026-08-01T00:00:00Z
    /// ```
    public let originallyPurchasedAt: String?

    /// The instant at which the period ends; `nil` for a product without periods.
    ///
    /// ```swift
    /// print(transactions[1].expiresAt ?? "")  // 2026-09-15T00:00:00Z
    /// ```
    public let expiresAt: String?

    /// The instant at which Apple gave money back or revoked the purchase.
    ///
    /// ```swift
    /// print(transactions[1].revokedAt ?? "never")  // never
    /// ```
    public let revokedAt: String?

    /// The price in thousandths of the currency, for the whole quantity: 9.99 is 9,990.
    ///
    /// Answers of verifyReceipt and notifications V1 have no prices.
    ///
    /// ```swift
    /// print(transactions[1].priceMilliunits ?? 0)  // 9990
    /// ```
    public let priceMilliunits: Int64?

    /// The code of the price's currency; empty without a price.
    ///
    /// ```swift
    /// print(transactions[1].currency)  // EUR
    /// ```
    public let currency: String

    /// The storefront's 2-letter code.
    ///
    /// ```swift
    /// print(transactions[1].country)  // DE
    /// ```
    public let country: String

    /// The offer; `nil` at the standard price.
    ///
    /// ```swift
    /// print(transactions[0].offer == .freeTrial)  // true
    /// ```
    public let offer: Offer?
  }

  /// A kind of offer.
  ///
  /// ```swift
  /// let trials = transactions.filter { $0.offer == .freeTrial }
  /// print(trials.count)  // 1
  /// ```
  public enum Offer: String, Sendable {
    /// A free introductory period.
    case freeTrial
    /// A paid introductory period.
    case introductory
    /// A promotional offer, an offer code or a win-back offer, free or paid.
    case promotional
  }
}

extension Receipt.Transaction {
  init(_ copy: TransactionCopy, _ texts: [String]) {
    id = copy.transactionID.text(texts)
    originalID = copy.originalID.text(texts)
    product = texts[Int(copy.product)]
    purchasedAt = copy.purchase.description
    originallyPurchasedAt = copy.originalPurchase?.description
    expiresAt = copy.expires?.description
    revokedAt = copy.cancellation?.description
    priceMilliunits = copy.price
    currency = texts[Int(copy.currency)]
    country = texts[Int(copy.country)]
    offer =
      switch copy.flags.kind(price: copy.price) {
      case .standard: nil
      case .trial: .freeTrial
      case .intro: .introductory
      case .offer: .promotional
      }
  }
}
