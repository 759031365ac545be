import SubscriptionModel

/// Steps at the end of a response, when all of it was parsed.
extension RowParser {
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
        .filter { $0.response == response.temporaryNumber && $0.saysExpired }
        .map(\.originalID))
    let end = endOfExpired(response)
    guard isAllExpired || !expired.isEmpty else { return end }
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
    return later(end, last.values.lazy.compactMap(\.end).max())
  }

  /// Returns the latest end of the transactions in `latest_expired_receipt_info`, which a cancellation does not date.
  private func endOfExpired(_ response: UnfinishedResponse) -> Instant? {
    guard response.fields.notificationType != .cancelled else { return nil }
    return row.transactions[response.expired].lazy.compactMap { copy in
      copy.expires.map { min($0, copy.cancellation ?? $0) }
    }.max()
  }

  private func later(_ first: Instant?, _ second: Instant?) -> Instant? {
    guard let first, let second else { return first ?? second }
    return max(first, second)
  }
}

extension RenewalCopy {
  /// Whether the info says that the subscription has expired.
  fileprivate var saysExpired: Bool { expirationIntent != 0 || isInBillingRetry == true }
}
