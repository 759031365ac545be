import Storage
import SubscriptionModel

/// Completes the renewal infos of a response when all of it was parsed: METRICS.md 3.10.
extension RowParser {
  /// Adds the renewal info from the top level of an iOS 6 answer or a notification V1.
  mutating func addRenewal(
    of top: ObjectFields, _ kind: ReceiptKind, to response: inout UnfinishedResponse
  ) {
    // `pending_renewal_info`, if present, holds the same fields and more.
    guard kind == .verifyReceiptIOS6 || kind == .notificationV1, top.hasRenewalFields,
      !hasRenewals(response)
    else { return }
    if let fault = top.faultOfID { return note(fault) }
    var renewal = top.renewal(response: response.temporaryNumber)
    guard let id = subscription(of: top, response) else { return }
    (renewal.originalID, renewal.product) = (id, top.product)
    response.topRenewal = row.renewals.count
    append(renewal)
  }

  /// Gives the transaction that a notification V1 cancels at its top level the date, unless it has one.
  mutating func fillCancellation(of top: ObjectFields, _ response: UnfinishedResponse) {
    guard let cancellation = top.cancellation.value else { return }
    let own = transactions(response)
    let newest = own.max { $0.purchase < $1.purchase }
    let isMeant = { (copy: TransactionCopy) in
      guard copy.response == response.temporaryNumber else { return false }
      if top.lineItemID.isUsable { return copy.lineItemID == top.lineItemID }
      return copy.purchase == newest?.purchase && copy.originalID == newest?.originalID
    }
    guard own.filter(isMeant).allSatisfy({ $0.cancellation == nil }) else { return }
    for index in response.firstTransaction..<row.transactions.count
    where isMeant(row.transactions[index]) {
      row.transactions[index].cancellation = cancellation
    }
  }

  private func hasRenewals(_ response: UnfinishedResponse) -> Bool {
    row.renewals[response.firstRenewal...].contains { $0.response == response.temporaryNumber }
  }

  /// Returns the original id that the top level of a response speaks of: its own, otherwise that of the newest
  /// transaction of the product to which it renews, otherwise that of the newest transaction.
  private func subscription(of top: ObjectFields, _ response: UnfinishedResponse) -> ReceiptID? {
    if top.originalID.isUsable { return top.originalID }
    let own = transactions(response)
    return newestOriginalID(own, of: top.renewalProduct)
      ?? own.max { $0.purchase < $1.purchase }?.originalID
  }

  private func transactions(_ response: UnfinishedResponse) -> [TransactionCopy] {
    row.transactions[response.firstTransaction...]
      .filter { $0.response == response.temporaryNumber }
  }

  /// Returns the original id of the newest purchase of a product.
  private func newestOriginalID(_ copies: [TransactionCopy], of product: Symbol) -> ReceiptID? {
    guard product != .blank else { return nil }
    return copies.filter { $0.product == product && $0.originalID.isUsable }
      .max { $0.purchase < $1.purchase }?.originalID
  }

  /// Finds the subscriptions of renewal infos without original id, as answers had before November 2018.
  mutating func findSubscriptions(_ response: UnfinishedResponse) {
    let first = response.firstRenewal
    guard row.renewals[first...].contains(where: { isWithoutSubscription($0, response) }) else {
      return
    }
    let own = transactions(response)
    let ids = Set(own.map(\.originalID).filter(\.isUsable))
    for index in first..<row.renewals.count
    where isWithoutSubscription(row.renewals[index], response) {
      let id = newestOriginalID(own, of: row.renewals[index].product)
      row.renewals[index].originalID = id ?? (ids.count == 1 ? ids.first : nil) ?? .none
    }
  }

  private func isWithoutSubscription(
    _ renewal: RenewalCopy, _ response: UnfinishedResponse
  ) -> Bool {
    renewal.response == response.temporaryNumber && !renewal.originalID.isUsable
  }

  /// Notes the billing retry that `DID_FAIL_TO_RENEW` stands for, unless the subscription's renewal info states it.
  mutating func addFailedRenewal(
    of top: ObjectFields, _ kind: ReceiptKind, to response: UnfinishedResponse
  ) {
    guard response.fields.notificationType == .failedToRenew,
      kind == .notificationV1 || kind == .notificationV2,
      let id = failedSubscription(top, kind, response), id.isUsable
    else { return }
    var hasOwn = false
    for index in response.firstRenewal..<row.renewals.count
    where row.renewals[index].response == response.temporaryNumber
      && row.renewals[index].originalID == id
    {
      hasOwn = true
      if row.renewals[index].isInBillingRetry == nil { row.renewals[index].isInBillingRetry = true }
    }
    guard !hasOwn else { return }
    var renewal = top.renewal(response: response.temporaryNumber)
    (renewal.originalID, renewal.product) = (id, top.product)
    renewal.isInBillingRetry = renewal.isInBillingRetry ?? true
    append(renewal)
  }

  private func failedSubscription(
    _ top: ObjectFields, _ kind: ReceiptKind, _ response: UnfinishedResponse
  ) -> ReceiptID? {
    guard kind == .notificationV2 else { return subscription(of: top, response) }
    let renewal = row.renewals[response.firstRenewal...].first {
      $0.response == response.temporaryNumber
    }
    return renewal?.originalID
      ?? transactions(response).max { $0.purchase < $1.purchase }?.originalID
  }

  /// Notes which subscriptions an array `latest_receipt_info` has, for the renewal infos of the answer.
  ///
  /// Those without one get an absent one, if their newest purchase has expired. The top level of a notification is no
  /// such info.
  mutating func addAbsentRenewals(to response: UnfinishedResponse, _ madeAt: Instant) {
    guard !response.latest.isEmpty else { return }
    var newest: [(id: ReceiptID, purchase: Instant, expiry: Instant?)] = []
    var places: [ReceiptID: Int] = [:]
    var place = 0
    for copy in row.transactions[response.latest] where copy.originalID.isUsable {
      // Most copies follow one of the same subscription.
      if newest.isEmpty || newest[place].id != copy.originalID {
        place = places[copy.originalID] ?? newest.count
        places[copy.originalID] = place
        if place == newest.count { newest.append((copy.originalID, copy.purchase, copy.expires)) }
      }
      if newest[place].purchase < copy.purchase {
        newest[place] = (copy.originalID, copy.purchase, copy.expires)
      } else if newest[place].purchase == copy.purchase, let expires = copy.expires {
        newest[place].expiry = max(newest[place].expiry ?? expires, expires)
      }
    }
    for index in response.firstRenewal..<row.renewals.count
    where row.renewals[index].response == response.temporaryNumber && index != response.topRenewal {
      let own = places.removeValue(forKey: row.renewals[index].originalID).map { newest[$0] }
      row.renewals[index].newestPurchase = own?.purchase
      row.renewals[index].newestExpiry = own?.expiry
    }
    let absent = places.values.map { newest[$0] }.filter { own in
      own.expiry.map { $0 <= madeAt } ?? false
    }
    for own in absent.sorted(by: { $0.id.value < $1.id.value }) {
      var renewal = RenewalCopy(response: response.temporaryNumber, madeAt: madeAt)
      renewal.originalID = own.id
      renewal.expirationIntent = 1
      renewal.autoRenews = false
      (renewal.newestPurchase, renewal.newestExpiry) = (own.purchase, own.expiry)
      renewal.isAbsent = true
      append(renewal)
    }
  }
}
