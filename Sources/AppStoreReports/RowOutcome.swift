package import Scanning

/// The result of reading a row: used, ignored or rejected.
package enum RowOutcome<Row> {
  /// The row is used.
  case row(Row)
  /// The row is good, but no table uses it.
  case ignored(IgnoredReason)
  /// The row cannot be used. Indirect, so that good rows do not need the memory of a reject.
  indirect case rejected(Reject)
}

extension RowOutcome: Sendable where Row: Sendable {}
