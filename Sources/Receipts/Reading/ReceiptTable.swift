import Scanning

/// A table of receipts: whose it is, and what its columns hold.
struct ReceiptTable {
  /// Whose table it is.
  enum Source {
    /// A raw receipt a row, or what the config says.
    case columns
    case revenueCat
    case adapty
  }

  let source: Source
  /// What the columns hold, by their numbers from 0.
  let columns: [(field: ReceiptColumns.Field, index: Int)]
  /// How many columns there are.
  let count: Int
  /// The columns that only RevenueCat and Adapty have.
  private(set) var unsubscribed: Int?
  private(set) var billingIssue: Int?
  private(set) var event: Int?
  private(set) var cancellationReason: Int?

  /// Looks at the header of a table; nil if receipts are not what it holds.
  init?(header: [String], columns: ReceiptColumns?) {
    count = header.count
    func index(_ names: [String]) -> Int? {
      names.lazy.compactMap { header.firstIndex(of: $0) }.first
    }
    func found(_ map: [(ReceiptColumns.Field, [String])]) -> [(ReceiptColumns.Field, Int)] {
      map.compactMap { field, names in index(names).map { (field, $0) } }
    }
    if header.contains("rc_original_app_user_id") {
      source = .revenueCat
      self.columns = found(ReceiptColumns.revenueCat)
      unsubscribed = index(["unsubscribe_detected_at"])
      billingIssue = index(["billing_issues_detected_at"])
    } else if header.contains("profile_id"), header.contains("event_type") {
      source = .adapty
      self.columns = found(ReceiptColumns.adapty)
      event = index(["event_type"])
      cancellationReason = index(["cancellation_reason"])
    } else {
      source = .columns
      let named = (columns?.headers ?? [:]).map { ($0, [$1]) }
      self.columns = found(named.isEmpty ? [(.receipt, ["receipt"])] : named)
      let fields = self.columns.map(\.field)
      guard header.count > 1, fields.contains(.receipt) || fields.contains(.purchaseDate) else {
        return nil
      }
    }
  }
}
