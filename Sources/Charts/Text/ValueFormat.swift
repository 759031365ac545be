/// How the values of a chart become text.
package enum ValueFormat: Hashable, Sendable {
  /// Whole numbers: 1234 is `1,234`.
  case count

  /// Fractions of one: 0.1 is `10.0 %`, with a no-break space before the sign.
  case percent

  /// Amounts with a number of decimals, from 0 to 6: 1234.5 with 2 is `1,234.50`. The page names the unit.
  case amount(decimals: Int)

  /// Returns a value as text for a label.
  ///
  /// - Parameter value: The value.
  /// - Returns: Such as `1,234`, `10.0 %` or `-1,234.50`; `–` if the value is not finite. Halves are rounded away from
  ///   zero. From 10^15 on as `1.5e15`.
  package func text(_ value: Double) -> String { "" }

  /// Returns a change as text, with its sign.
  ///
  /// - Parameter value: The change.
  /// - Returns: Such as `+1,234` or `-0.5 %`; `0` without a sign.
  package func signedText(_ value: Double) -> String { "" }
}
