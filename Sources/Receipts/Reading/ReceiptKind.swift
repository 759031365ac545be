/// The kind of a response or row in a receipt dump; raw values appear in `health.csv`.
package enum ReceiptKind: String, CaseIterable, Sendable {
  /// A verifyReceipt answer in the format used since iOS 7.
  case verifyReceipt = "verify-receipt"
  /// A verifyReceipt answer to an iOS 6 transaction receipt, or only the transaction in it.
  case verifyReceiptIOS6 = "verify-receipt-ios6"
  /// A server notification, version 1.
  case notificationV1 = "notification-v1"
  /// A server notification, version 2, signed or decoded.
  case notificationV2 = "notification-v2"
  /// A page of the transaction history or the refund history, or the answer to an order lookup.
  case apiHistory = "api-history"
  /// The statuses of all of a customer's subscriptions, from the App Store Server API.
  case apiStatus = "api-status"
  /// An App Store Server API answer about one transaction.
  case apiTransaction = "api-transaction"
  /// A transaction on its own, signed or decoded.
  case transaction
  /// A renewal info on its own, signed or decoded.
  case renewalInfo = "renewal-info"
  /// A raw app receipt, the format used since iOS 7.
  case appReceipt = "app-receipt"
  /// A raw iOS 6 transaction receipt.
  case ios6Receipt = "ios6-receipt"
  /// An AppTransaction, Apple's signed data about the app itself; it holds no purchase.
  case appTransaction = "app-transaction"
  /// An error answer of the App Store Server API.
  case apiError = "api-error"
  /// A row of a table: an export of RevenueCat or Adapty, or one described in the config.
  case receiptCSV = "receipt-csv"
  /// More than one kind.
  case mixed

  /// Returns the common kind of two responses or rows, or `mixed`.
  func joined(with other: ReceiptKind) -> ReceiptKind { self == other ? self : .mixed }
}
