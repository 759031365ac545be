import SubscriptionModel

/// A response while it is being read: its fields so far, and where its copies begin in the row.
///
/// Its copies (transactions and renewal infos) carry a temporary number, for two reasons: other responses
/// may be nested between its parts, and most of what a copy needs is decided at the response's end.
struct OpenResponse {
  /// The temporary number that its copies carry; no finished response has it.
  let mark: UInt32
  let firstTransaction: Int
  let firstRenewal: Int
  /// The row's faults before this response; they stay when the response is dropped.
  let faultCount: Int
  /// The number of the row's responses of a recognized kind before this one.
  let knownCount: Int
  /// Whether any part is unverified, as all parts are without verification.
  var hasUnverified = false
  /// The fields of all its parts together.
  var fields = RecordFields()

  /// Returns the kind of the response, or nil if it is unknown.
  func kind(of top: RecordFields) -> ReceiptKind? {
    let marks = fields.marks
    let isAnswer = marks.contains(.answer)
    if marks.contains(.notificationV1), isAnswer || top.saysRenewal { return .notificationV1 }
    if marks.isSuperset(of: [.notificationV2, .notificationBody]) { return .notificationV2 }
    if marks.contains(.notifications) { return .notificationV2 }
    if marks.contains(.statuses) { return .apiStatus }
    if marks.contains(.history) { return .apiHistory }
    if marks.contains(.signedInfo) { return .apiTransaction }
    if isAnswer { return marks.contains(.ios6) ? .verifyReceiptIOS6 : .verifyReceipt }
    if top.isTransaction { return marks.contains(.ios6) ? .verifyReceiptIOS6 : .transaction }
    if top.isRenewalInfo { return .renewalInfo }
    if marks.contains(.appTransaction) { return .appTransaction }
    if marks.isSuperset(of: [.errorCode, .errorMessage]) { return .apiError }
    // A verifyReceipt answer may hold a status and nothing else.
    guard let status = fields.status else { return nil }
    let isApples = 21_000...21_199 ~= status || status == 0 && fields.saysEnvironment
    return isApples ? .verifyReceipt : nil
  }
}
