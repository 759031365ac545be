/// What a column of a table counts.
package enum Counted: Hashable, Sendable {
  /// A fact of the row's month.
  case fact(Fact)
  /// Chains that are active on the last day before the month.
  case activeBefore
  /// Chains that are active on the last day of the month.
  case activeAtEnd
  /// Paid charges of the month.
  case charge
  /// Refunds of the month, full or partial.
  case refund(isFull: Bool)
}
