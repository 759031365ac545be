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
