import Scanning
import SubscriptionModel

/// Reads rows of tables; each becomes one response.
extension RowParser {
  /// Reads a row.
  mutating func readRow(_ table: ReceiptTable, _ cells: borrowing CSVScanner) {
    row.kind = .receiptCSV
    var fields = ObjectFields()
    for (field, index) in table.columns {
      let range = trimmed(cells.text.span, cells[index])
      if range.isEmpty { continue }
      column = index + 1
      if field == .receipt {
        key = .receipt
        readEncoded(Array(cells.text[range]), isTooLong: false)
        row.kind = .receiptCSV
        return
      }
      if field == .store, !Self.isAppStore(cells.text.span, range) {
        ignoredReason = .otherStore
        return
      }
      if let fault = fields.add(field, cells.text.span, range, &symbols) {
        return note(
          fault.code, found: .text(Reject.excerpt(cells.text.span, range)),
          expected: fault.expected, name: field.rawValue)
      }
    }
    column = 0
    var response = beginResponse()
    switch table.exporter {
    case .columns: addRow(fields, to: &response)
    case .revenueCat(let unsubscribed, let billingIssue):
      addRevenueCat(fields, unsubscribed, billingIssue, cells, to: &response)
    case .adapty(let event, let reason): addAdapty(fields, event, reason, cells, to: &response)
    }
    finish(response, fields, of: .receiptCSV)
  }

  private static func isAppStore(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let names = ["app_store", "mac_app_store", "AppStore", "AppleAppStore", "apple"]
    return names.contains { ScalarText.isWord($0, text, range) }
  }

  /// Adds a row of a table described in the config: a transaction, a renewal info, or both.
  private mutating func addRow(_ fields: ObjectFields, to response: inout UnfinishedResponse) {
    if !fields.hasRenewalFields || fields.marks.contains(.purchaseDate) {
      add(transaction: fields, .latest, to: &response)
    }
    if fields.hasRenewalFields { add(renewal: fields, to: &response) }
  }

  /// Adds a row of RevenueCat: a transaction, and the renewal info at the row's last update.
  private mutating func addRevenueCat(
    _ fields: ObjectFields, _ unsubscribed: Int?, _ billingIssue: Int?,
    _ cells: borrowing CSVScanner, to response: inout UnfinishedResponse
  ) {
    add(transaction: fields, .latest, to: &response)
    guard let end = fields.expires.value else { return }
    func isFilled(_ column: Int?) -> Bool {
      column.map { !trimmed(cells.text.span, cells[$0]).isEmpty } ?? false
    }
    let isUnsubscribed = isFilled(unsubscribed)
    let hasBillingIssue = isFilled(billingIssue)
    var renewal = fields
    renewal.autoRenews = !isUnsubscribed
    if hasBillingIssue { renewal.isInBillingRetry = true }
    if let madeAt = fields.requested.value, end <= madeAt {
      renewal.expirationIntent = hasBillingIssue ? 2 : isUnsubscribed ? 1 : 0
    }
    add(renewal: renewal, to: &response)
  }
}

// MARK: - Adapty

extension RowParser {
  /// Adds a row of Adapty: one event, either a transaction or a renewal info.
  ///
  /// A refund event states neither the id nor the date of the refunded purchase, so it is rejected
  /// as a transaction without a purchase date.
  private mutating func addAdapty(
    _ fields: ObjectFields, _ event: Int?, _ cancellationReason: Int?,
    _ cells: borrowing CSVScanner, to response: inout UnfinishedResponse
  ) {
    var fields = fields
    let range = event.map { trimmed(cells.text.span, cells[$0]) } ?? 0..<0
    switch String(decoding: cells.text[range], as: UTF8.self) {
    case "trial_started":
      fields.flags.insert(.trial)
      add(transaction: fields, .latest, to: &response)
    case "subscription_started", "subscription_initial_purchase", "subscription_renewed",
      "trial_converted", "non_subscription_purchase":
      add(transaction: fields, .latest, to: &response)
    case "subscription_refunded", "non_subscription_purchase_refunded":
      fields.purchase = StatedInstant()
      add(transaction: fields, .latest, to: &response)
    case "subscription_renewal_cancelled", "trial_renewal_cancelled", "auto_renew_off",
      "auto_renew_off_subscription":
      fields.autoRenews = false
      add(renewal: fields, to: &response)
    case "subscription_renewal_reactivated", "trial_renewal_reactivated", "auto_renew_on",
      "auto_renew_on_subscription":
      fields.autoRenews = true
      add(renewal: fields, to: &response)
    case "subscription_expired", "trial_expired", "subscription_cancelled", "trial_cancelled":
      let reason = cancellationReason.map { trimmed(cells.text.span, cells[$0]) } ?? 0..<0
      fields.expirationIntent = Self.intent(cells.text.span, reason)
      add(renewal: fields, to: &response)
    case "billing_issue_detected", "entered_grace_period":
      fields.isInBillingRetry = true
      add(renewal: fields, to: &response)
    default: break
    }
  }

  /// Returns Apple's number for Adapty's cancellation reason, such as 2 for `billing_error`; 0 for
  /// other words.
  private static func intent(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt8 {
    let words = [
      "voluntarily_cancelled", "billing_error", "price_increase", "product_was_not_available",
    ]
    let index = words.firstIndex { ScalarText.isWord($0, text, range) }
    return index.map { UInt8($0 + 1) } ?? 0
  }
}
