/// The layout of a CSV file of receipts: its exporter, and the fields in its columns.
struct ReceiptTable {
  /// The service that exported the table.
  ///
  /// The associated values are the indices of columns that only its tables have; `nil` if the
  /// header lacks one.
  enum Exporter {
    /// No service: the table has a raw receipt in each row, or columns named in the config.
    case columns
    case revenueCat(unsubscribed: Int?, billingIssue: Int?)
    case adapty(event: Int?, cancellationReason: Int?)
  }

  let exporter: Exporter
  /// The columns that are read: the field and the column's index from 0.
  let columns: [(field: ReceiptColumns.Field, index: Int)]
  /// The number of columns.
  let count: Int

  /// Recognizes a table by its header; nil if it does not hold receipts.
  ///
  /// - Parameters:
  ///   - header: The names of the columns.
  ///   - columns: The columns that the config names; without them, a table of raw receipts has a
  ///     column `receipt`.
  init?(header: [String], columns: ReceiptColumns?) {
    count = header.count
    func index(_ names: [String]) -> Int? {
      names.lazy.compactMap { header.firstIndex(of: $0) }.first
    }
    func found(_ map: [(ReceiptColumns.Field, [String])]) -> [(ReceiptColumns.Field, Int)] {
      map.compactMap { field, names in index(names).map { (field, $0) } }
    }
    if header.contains("rc_original_app_user_id") {
      exporter = .revenueCat(
        unsubscribed: index(["unsubscribe_detected_at"]),
        billingIssue: index(["billing_issues_detected_at"]))
      self.columns = found(ReceiptColumns.revenueCat)
    } else if header.contains("profile_id"), header.contains("event_type") {
      exporter = .adapty(
        event: index(["event_type"]), cancellationReason: index(["cancellation_reason"]))
      self.columns = found(ReceiptColumns.adapty)
    } else {
      exporter = .columns
      let named = (columns?.headers ?? [:]).map { ($0, [$1]) }
      self.columns = found(named.isEmpty ? [(.receipt, ["receipt"])] : named)
      let fields = self.columns.map(\.field)
      guard header.count > 1, fields.contains(.receipt) || fields.contains(.purchaseDate) else {
        return nil
      }
    }
  }
}
