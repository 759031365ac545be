public import Scanning

/// Whether a row is used, ignored or rejected.
public enum RowOutcome<Row> {
  /// The row is used.
  case row(Row)
  /// The row is good, but no table uses it.
  case ignored(IgnoredReason)
  /// The row could not be read. Indirect, so that good rows do not need the memory of a reject.
  indirect case rejected(Reject)
}

extension RowOutcome: Sendable where Row: Sendable {}

/// Why a good row is not in any table; the raw values appear in `health.csv`.
public enum IgnoredReason: String, CaseIterable, Sendable {
  /// No units and no refund.
  case zeroQuantity = "zero-quantity"
  /// A row of a SALES report that is not about a subscription.
  case otherProductTypes = "other product types"
}
