import SubscriptionModel

/// A response that is being read: what is known of it so far, and where its copies begin.
///
/// Its copies carry a number that no finished response has, because a wrapper may hold other responses
/// among its own parts, and because most of what a copy needs is known at the end of the response.
struct OpenResponse {
  /// The number that its copies carry until it is finished.
  let mark: UInt32
  let firstTransaction: Int
  let firstRenewal: Int
  /// The row's faults before it, which stay when the response is dropped.
  let faultCount: Int
  /// How many responses of the row were known before it.
  let knownCount: Int
  /// Whether anything in it is not verified; all of it where nothing is.
  var hasUnverified = false
  /// What all of its parts state together.
  var fields = RecordFields()

  /// What the response is, unless nothing in it says so.
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
    // An answer may be a status and nothing else.
    guard let status = fields.status else { return nil }
    let isApples = 21_000...21_199 ~= status || status == 0 && fields.saysEnvironment
    return isApples ? .verifyReceipt : nil
  }
}
