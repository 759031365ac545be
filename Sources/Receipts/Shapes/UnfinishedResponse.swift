/// A response while it is being parsed: its fields so far, and where its transactions begin in the
/// row.
///
/// Until the end of a response, its transactions and renewal infos have a temporary response
/// number. Other responses may be nested between them, and their common fields are complete only at
/// the end.
struct UnfinishedResponse {
  /// The temporary number of the response, which no finished response has.
  let temporaryNumber: UInt32
  /// The index in the row of the first transaction that may belong to the response.
  let firstTransaction: Int
  /// The index in the row of the first renewal info that may belong to the response.
  let firstRenewal: Int
  /// The number of faults in the row before this response; dropping the response does not change
  /// them.
  let faultCount: Int
  /// The number of the row's responses of a recognized kind before this one.
  let knownCount: Int
  /// The number of its transactions with a price that cannot be read.
  var unreadablePrices = 0
  /// The number of its transactions whose expiry or cancellation has no zone.
  var unplacedDates = 0
  /// The first of them, in words.
  var firstUnplacedDate: String?
  /// Whether any part is unverified; without verification, all parts are.
  var hasUnverified = false
  /// The indices in the row of the transactions in an array `latest_receipt_info`; empty without one.
  var latest = 0..<0
  /// The indices in the row of the transactions in `latest_expired_receipt_info`; empty without any.
  var expired = 0..<0
  /// The index in the row of the renewal info from its top level; nil without one.
  var topRenewal: Int?
  /// The fields found in all its parts.
  var fields = ObjectFields()

  /// Returns the kind of a response with these fields in its outermost object; nil if it is not
  /// recognized.
  func kind(of top: ObjectFields) -> ReceiptKind? {
    let marks = fields.marks
    let isAnswer = marks.contains(.answer)
    if fields.isNotificationV2 { return .notificationV2 }
    if fields.isNotificationV1 || marks.contains(.notificationV1) && top.hasRenewalFields {
      return .notificationV1
    }
    if marks.contains(.notifications) { return .notificationV2 }
    if marks.contains(.statuses) { return .apiStatus }
    if marks.contains(.history) { return .apiHistory }
    if marks.contains(.signedInfo) { return .apiTransaction }
    if isAnswer { return marks.contains(.ios6) ? .verifyReceiptIOS6 : .verifyReceipt }
    if top.isTransaction {
      if marks.contains(.ios6) { return .verifyReceiptIOS6 }
      return top.marks.contains(.ofLibrary) ? .verifyReceipt : .transaction
    }
    if top.isRenewalInfo { return .renewalInfo }
    if marks.contains(.appTransaction) { return .appTransaction }
    if marks.isSuperset(of: [.errorCode, .errorMessage]) { return .apiError }
    // A verifyReceipt answer may hold a status and nothing else.
    guard let status = fields.status else { return nil }
    let isAnswerStatus = 21_000...21_199 ~= status || status == 0 && fields.hasEnvironment
    return isAnswerStatus ? .verifyReceipt : nil
  }
}
