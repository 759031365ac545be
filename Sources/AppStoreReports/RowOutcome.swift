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
