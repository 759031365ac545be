import SubscriptionModel

/// Steps at the end of a response, when all of it was parsed.
extension RowParser {
  /// Adds the renewal info from the top level of an iOS 6 answer or a notification V1.
  mutating func addRenewal(
    of top: ObjectFields, _ kind: ReceiptKind, to response: UnfinishedResponse
  ) {
    // `pending_renewal_info`, if present, holds the same fields and more.
    guard kind == .verifyReceiptIOS6 || kind == .notificationV1, top.hasRenewalFields,
      !row.renewals[response.firstRenewal...].contains(where: {
        $0.response == response.temporaryNumber
      })
    else { return }
    if let fault = top.faultOfID { return note(fault) }
    var renewal = top.renewal(response: response.temporaryNumber)
    if !renewal.originalID.isUsable {
      let newest = row.transactions[response.firstTransaction...]
        .filter { $0.response == response.temporaryNumber }.max { $0.purchase < $1.purchase }
      guard let newest else { return }
      renewal.originalID = newest.originalID
    }
    append(renewal)
  }

  /// Returns the as-of of a response (METRICS.md 3.7); nil if it has no date, transaction or
  /// renewal info.
  func madeAt(_ response: UnfinishedResponse, _ top: ObjectFields) -> Instant? {
    var newest: Instant?
    var newestSigned: Instant?
    var count = 0
    for copy in row.transactions[response.firstTransaction...]
    where copy.response == response.temporaryNumber {
      count += 1
      newest = later(newest, later(copy.purchase, copy.cancellation))
      if copy.madeAt != ObjectFields.notYet { newestSigned = later(newestSigned, copy.madeAt) }
    }
    for renewal in row.renewals[response.firstRenewal...]
    where renewal.response == response.temporaryNumber {
      count += 1
      if renewal.madeAt != ObjectFields.notYet {
        newestSigned = later(newestSigned, renewal.madeAt)
      }
    }
    if count == 0 { return nil }
    let fields = response.fields
    if let stated = fields.requested.value ?? fields.signed.value ?? newestSigned { return stated }
    newest = later(newest, fields.created.value)
    newest = later(newest, later(fields.statusChanged.value, top.cancellation.value))
    return later(newest, latestExpiredEnd(response))
  }

  /// The newest purchase of a subscription, merged from its copies in a response.
  private struct NewestPurchase {
    var purchase: Instant
    var expires: Instant?
    var cancellation: Instant?

    /// When the purchase ended: at its refund, otherwise at its expiry.
    ///
    /// Apple does not change the expiry after a refund.
    var end: Instant? {
      guard let expires, let cancellation else { return expires }
      return min(expires, cancellation)
    }
  }

  /// Returns the latest end of the subscriptions that the response reports as expired.
  ///
  /// A subscription ends with its newest purchase: at the purchase's expiry, or at its refund if
  /// earlier.
  private func latestExpiredEnd(_ response: UnfinishedResponse) -> Instant? {
    let isAllExpired = response.fields.status == 21_006
    let expired = Set(
      row.renewals[response.firstRenewal...].lazy
        .filter { $0.response == response.temporaryNumber && $0.expirationIntent != 0 }
        .map(\.originalID))
    guard isAllExpired || !expired.isEmpty else { return nil }
    var last: [ReceiptID: NewestPurchase] = [:]
    for copy in row.transactions[response.firstTransaction...]
    where copy.response == response.temporaryNumber
      && (isAllExpired || expired.contains(copy.originalID))
    {
      let own = NewestPurchase(
        purchase: copy.purchase, expires: copy.expires, cancellation: copy.cancellation)
      guard let other = last[copy.originalID], other.purchase >= own.purchase else {
        last[copy.originalID] = own
        continue
      }
      if other.purchase > own.purchase { continue }
      last[copy.originalID] = NewestPurchase(
        purchase: own.purchase, expires: later(other.expires, own.expires),
        cancellation: later(other.cancellation, own.cancellation))
    }
    return last.values.lazy.compactMap(\.end).max()
  }

  private func later(_ first: Instant?, _ second: Instant?) -> Instant? {
    guard let first, let second else { return first ?? second }
    return max(first, second)
  }

  /// Copies the ownership of a transaction to its `in_app` copies in the same response.
  ///
  /// `in_app` has no field for it (METRICS.md 3.13).
  mutating func shareOwnership(from first: Int, _ response: UInt32) {
    let copies = row.transactions[first...].lazy.filter { $0.response == response }
    guard copies.contains(where: { $0.origin == .inApp && $0.ownership == .missing }),
      copies.contains(where: { $0.ownership != .missing })
    else { return }
    var owners: [ReceiptID: TransactionCopy.Ownership] = [:]
    for copy in copies where copy.ownership != .missing {
      owners[copy.transactionID] = copy.ownership
    }
    for index in first..<row.transactions.count
    where row.transactions[index].response == response
      && row.transactions[index].origin == .inApp
      && row.transactions[index].ownership == .missing
    {
      let id = row.transactions[index].transactionID
      if id.isUsable, let owner = owners[id] { row.transactions[index].ownership = owner }
    }
  }
}
