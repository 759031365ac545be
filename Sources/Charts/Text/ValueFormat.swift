/// The form of a chart's values on its axis.
package enum ValueFormat: Hashable, Sendable {
  /// Whole numbers.
  case count

  /// Fractions of one: 0.1 is `10%`.
  case percent

  /// Amounts with a number of decimals, from 0 to 6; the page names the unit.
  case amount(decimals: Int)

  /// The number by which values are multiplied before they are printed.
  var factor: Double { self == .percent ? 100 : 1 }

  /// The power of ten of the smallest step that ticks may have: 0 for counts; nil if there is none.
  var finestExponent: Int? {
    switch self {
    case .count: 0
    case .percent: nil
    case .amount(let decimals): -min(6, max(0, decimals))
    }
  }
}
