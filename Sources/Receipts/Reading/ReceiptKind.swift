/// What a record of a receipt dump is; raw values are the words of `health.csv`.
public enum ReceiptKind: String, CaseIterable, Sendable {
  /// An answer of verifyReceipt, as since iOS 7.
  case verifyReceipt = "verify-receipt"
  /// An answer of verifyReceipt to a transaction receipt of iOS 6, or the flat object in it.
  case verifyReceiptIOS6 = "verify-receipt-ios6"
  /// A server notification, version 1.
  case notificationV1 = "notification-v1"
  /// A server notification, version 2, signed or decoded.
  case notificationV2 = "notification-v2"
  /// A page of the transaction history, the refund history or an order.
  case apiHistory = "api-history"
  /// The statuses of a customer's subscriptions.
  case apiStatus = "api-status"
  /// The answer of the App Store Server API about one transaction.
  case apiTransaction = "api-transaction"
  /// A transaction by itself, signed or decoded.
  case transaction
  /// A renewal info by itself, signed or decoded.
  case renewalInfo = "renewal-info"
  /// A raw app receipt, as since iOS 7.
  case appReceipt = "app-receipt"
  /// A raw transaction receipt of iOS 6.
  case ios6Receipt = "ios6-receipt"
  /// What Apple signs about the app itself; it holds no purchase.
  case appTransaction = "app-transaction"
  /// An error that the App Store Server API answered.
  case apiError = "api-error"
  /// A row of a table: an export of RevenueCat or Adapty, or one that the config describes.
  case receiptCSV = "receipt-csv"
  /// Several of these.
  case mixed

  /// The kind of things of both kinds.
  func joined(with other: ReceiptKind) -> ReceiptKind { self == other ? self : .mixed }
}
