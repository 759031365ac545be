import SubscriptionModel

/// Steps that need the whole response.
extension RecordReader {
  /// Adds the renewal info that iOS 6 answers and notifications V1 have at their top level.
  mutating func addRenewal(
    of top: RecordFields, _ kind: ReceiptKind, to response: OpenResponse
  ) {
    // `pending_renewal_info`, if present, holds the same and more.
    guard kind == .verifyReceiptIOS6 || kind == .notificationV1, top.saysRenewal,
      !row.renewals[response.firstRenewal...].contains(where: { $0.response == response.mark })
    else { return }
    var renewal = top.renewal(response: response.mark)
    if !renewal.originalID.isUsable {
      let newest = row.transactions[response.firstTransaction...]
        .filter { $0.response == response.mark }.max { $0.purchase < $1.purchase }
      guard let newest else { return }
      renewal.originalID = newest.originalID
    }
    row.renewals.append(renewal)
  }

  /// Returns the as-of of a response (METRICS.md 3.7); nil if it has no copies or states no date.
  func madeAt(_ response: OpenResponse, _ top: RecordFields, _ kind: ReceiptKind) -> Instant? {
    var newest: Instant?
    var newestSigned: Instant?
    var count = 0
    for copy in row.transactions[response.firstTransaction...]
    where copy.response == response.mark {
      count += 1
      newest = later(newest, later(copy.purchase, copy.cancellation))
      if copy.madeAt != RecordFields.notYet { newestSigned = later(newestSigned, copy.madeAt) }
    }
    for renewal in row.renewals[response.firstRenewal...] where renewal.response == response.mark {
      count += 1
      if renewal.madeAt != RecordFields.notYet {
        newestSigned = later(newestSigned, renewal.madeAt)
      }
    }
    if count == 0 { return nil }
    let fields = response.fields
    if let stated = fields.requested.value ?? fields.signed.value ?? newestSigned { return stated }
    newest = later(newest, fields.created.value)
    newest = later(newest, later(fields.statusChanged.value, top.cancellation.value))
    return later(newest, newestExpiry(response))
  }

  /// The newest purchase of a subscription; a response may hold several copies of it.
  private struct NewestPurchase {
    var purchase: Instant
    var expires: Instant?
    var cancellation: Instant?

    /// When it ended: at the expiry, or at the refund, after which Apple leaves the expiry.
    var end: Instant? {
      guard let expires, let cancellation else { return expires }
      return min(expires, cancellation)
    }
  }

  /// Returns the newest end of the subscriptions that the response reports as expired.
  ///
  /// A subscription ends with its newest purchase: at that purchase's expiry, or at its refund if earlier.
  private func newestExpiry(_ response: OpenResponse) -> Instant? {
    let isAllExpired = response.fields.status == 21_006
    let expired = Set(
      row.renewals[response.firstRenewal...].lazy
        .filter { $0.response == response.mark && $0.expirationIntent != 0 }.map(\.originalID))
    guard isAllExpired || !expired.isEmpty else { return nil }
    var last: [ReceiptID: NewestPurchase] = [:]
    for copy in row.transactions[response.firstTransaction...]
    where copy.response == response.mark && (isAllExpired || expired.contains(copy.originalID)) {
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
  /// `in_app` itself never states the ownership (METRICS.md 3.13).
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
