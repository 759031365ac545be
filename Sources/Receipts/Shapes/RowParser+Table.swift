import Scanning
import SubscriptionModel

/// Reads rows of tables; each becomes one response.
extension RowParser {
  /// What a row says beyond the fields of a transaction.
  private struct Remarks {
    var isTurnedOff = false
    var hasBillingIssue = false
    /// The price less refunds, in milliunits.
    var priceAfterRefund: Int?
    var event = ""
    var reason = ""
  }

  /// Reads a row.
  mutating func readRow(_ table: ReceiptTable, _ cells: borrowing CSVScanner) {
    row.kind = .receiptCSV
    if table.isOtherFile {
      ignoredReason = .otherRevenueCatFile
      return
    }
    if !table.missing.isEmpty { return noteMissing(table.missing) }
    var fields = ObjectFields()
    var remarks = Remarks()
    for (meaning, index, name) in table.columns {
      let range = trimmed(cells.text.span, cells[index])
      if range.isEmpty { continue }
      column = index + 1
      switch meaning {
      case .field(.receipt): return readReceiptCell(Array(cells.text[range]))
      case .field(.store):
        if !Self.isAppStore(cells.text.span, range) {
          ignoredReason = .otherStore
          return
        }
      case .field(let field):
        if let fault = fields.add(field, cells.text.span, range, &symbols) {
          return note(
            fault.code, found: .text(Reject.excerpt(cells.text.span, range)),
            expected: fault.expected, name: name)
        }
        if let fault = fields.faultOfTransaction {
          return note(
            fault.code, found: .text(Reject.excerpt(cells.text.span, range)),
            expected: fault.expected, name: name)
        }
      case .turnedOff:
        remarks.isTurnedOff = !DateText.isMissing(cells.text.span, range)
      case .billingIssue:
        remarks.hasBillingIssue = !DateText.isMissing(cells.text.span, range)
      case .priceAfterRefund:
        remarks.priceAfterRefund = ScalarText.roundedMilliunits(cells.text.span, range)
      case .event: remarks.event = Self.word(cells.text[range])
      case .reason: remarks.reason = Self.word(cells.text[range])
      }
    }
    column = 0
    var response = beginResponse()
    switch table.mapping.rows {
    case .records:
      if let price = fields.price, price < 0 {
        return note(
          .negativePrice, found: .words("a price below 0"),
          expected: "the price of the purchase; a refund is the date of its cancellation",
          name: table.columns.first { $0.meaning == .field(.price) }?.name)
      }
      addRecord(fields, to: &response)
    case .periods:
      let hasPrice = table.index(of: .field(.price)) != nil
      addPeriod(&fields, remarks, hasPrice: hasPrice, to: &response)
    case .events(let events, let reasons):
      let reason = reasons.firstIndex(of: remarks.reason)
      // Such an event says that the customer got the money back, not which purchase was refunded.
      let event = remarks.reason == "refund" ? .refund : events[remarks.event]
      addEvent(&fields, event, reason, to: &response)
    }
    finish(response, fields, of: .receiptCSV)
  }

  /// Returns a word of a table of events in small letters, with underscores in place of spaces.
  private static func word(_ text: ArraySlice<UInt8>) -> String {
    String(decoding: text, as: UTF8.self).lowercased().replacing(" ", with: "_")
  }

  /// Rejects a row of a table that lacks columns; one message about the file replaces those about its rows.
  private mutating func noteMissing(_ names: [String]) {
    note(
      .missingColumn, found: .words(names.map { "no column \"\($0)\"" }.joined(separator: ", ")),
      expected: "all columns that decide whose, what, when and where a purchase was")
  }

  /// Reads a cell with a raw receipt, a JWS or JSON.
  private mutating func readReceiptCell(_ text: [UInt8]) {
    key = .receipt
    if var kept = Self.json(in: text) {
      readKept(&kept) { parser, scanner throws(JSONReadError) in
        try parser.readObjects(&scanner, depth: 0)
      }
    } else {
      readEncoded(text, isTooLong: false)
    }
    row.kind = .receiptCSV
  }

  private static func isAppStore(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let names = ["app_store", "mac_app_store", "AppStore", "AppleAppStore", "apple"]
    return names.contains { ScalarText.isWord($0, text, range) }
  }

  /// Adds a row of records: a transaction, a renewal info, or both.
  private mutating func addRecord(_ fields: ObjectFields, to response: inout UnfinishedResponse) {
    // A row with a price or an expiry is a transaction, even where its purchase date is blank.
    if !fields.hasRenewalFields || fields.marks.contains(.purchaseDate) || fields.price != nil
      || fields.expires.value != nil
    {
      add(transaction: fields, .latest, to: &response)
      // A row whose transaction cannot be used is rejected, whatever else it says.
      if row.transactions.isEmpty { return }
    }
    if fields.hasRenewalFields { add(renewal: fields, to: &response) }
  }

  /// Adds a row of a period: a transaction, and the renewal info of this period: METRICS.md 3.10 and 3.16.
  private mutating func addPeriod(
    _ fields: inout ObjectFields, _ remarks: Remarks, hasPrice: Bool,
    to response: inout UnfinishedResponse
  ) {
    guard fields.originalID.isUsable || fields.expires.value == nil else {
      return note(
        .missingValue, found: .words("nothing"),
        expected: "the id of the subscription's first transaction, which shows whose period it is",
        name: "original_store_transaction_id")
    }
    fields.flags.insert(.ofSnapshot)
    let isRefunded = fields.cancellation.value != nil
    let rest = remarks.priceAfterRefund
    if hasPrice {
      if isRefunded, let price = fields.price, let rest, 0 < rest, rest < price {
        fields.flags.insert(.prorated)
        fields.refundedMilliunits = price - rest
      }
    } else if isRefunded {
      // The price before the refund is not known.
      if rest != 0 { fields.flags.insert(.prorated) }
    } else {
      fields.price = rest
    }
    add(transaction: fields, .latest, to: &response)
    guard !row.transactions.isEmpty, fields.expires.value != nil else { return }
    var renewal = fields
    renewal.autoRenews = !remarks.isTurnedOff
    if remarks.hasBillingIssue { renewal.isInBillingRetry = true }
    add(renewal: renewal, to: &response)
  }

  /// Adds a refund of the purchase with the row's transaction id.
  private mutating func addRefund(
    _ fields: inout ObjectFields, to response: inout UnfinishedResponse
  ) {
    guard fields.transactionID.isUsable else {
      return note(
        .noPurchaseDate, found: .words("a refund that names no purchase"),
        expected: "an event with the id of the refunded transaction")
    }
    fields.flags.insert(.refundOnly)
    fields.cancellation = fields.purchase
    (fields.expires, fields.price) = (StatedInstant(), nil)
    add(transaction: fields, .latest, to: &response)
  }

  /// Adds a row of an event: a transaction, or a renewal info.
  private mutating func addEvent(
    _ fields: inout ObjectFields, _ event: TableMapping.Event?, _ reason: Int?,
    to response: inout UnfinishedResponse
  ) {
    switch event {
    case .trial:
      fields.flags.insert(.trial)
      add(transaction: fields, .latest, to: &response)
    case .purchase: add(transaction: fields, .latest, to: &response)
    case .refund: addRefund(&fields, to: &response)
    case .renewal(let isOn):
      fields.autoRenews = isOn
      add(renewal: fields, to: &response)
    case .expiry:
      fields.expirationIntent = reason.map { UInt8($0 + 1) } ?? 0
      add(renewal: fields, to: &response)
    case .billingIssue:
      fields.isInBillingRetry = true
      add(renewal: fields, to: &response)
    case nil: break
    }
  }
}
