/// The form of a chart's values as text.
package enum ValueFormat: Hashable, Sendable {
  /// Whole numbers: 1234 is `1,234`.
  case count

  /// Fractions of one: 0.1 is `10.0 %`, with a no-break space before the sign.
  case percent

  /// Differences of fractions, in percentage points: 0.005 is `0.5 pp`, with a no-break space before the unit.
  case points

  /// Amounts with a number of decimals, from 0 to 6: 1234.5 with 2 is `1,234.50`.
  ///
  /// The page names the unit.
  case amount(decimals: Int)

  /// Returns a value as text for a label.
  ///
  /// - Parameter value: The value.
  /// - Returns: Such as `1,234`, `10.0 %` or `-1,234.50`; `–` if the value is not finite. Halves are rounded away from
  ///   zero. From 10^15 on as `1.5e15`.
  package func text(_ value: Double) -> String {
    guard let value = value.plottable else { return "–" }
    return DecimalText.text(value * factor, decimals: decimals) + unit
  }

  /// Returns a change as text, with its sign.
  ///
  /// - Parameter value: The change.
  /// - Returns: Such as `+1,234` or `-0.5 %`; a change that is rounded to zero has no sign.
  package func signedText(_ value: Double) -> String {
    let text = text(value)
    let digits = UInt8(ascii: "1")...UInt8(ascii: "9")
    return value > 0 && text.utf8.contains(where: digits.contains) ? "+" + text : text
  }

  /// Returns a value as text, with its sign if it is a change.
  func text(_ value: Double, isSigned: Bool) -> String {
    isSigned ? signedText(value) : text(value)
  }

  /// The number by which values are multiplied before they are printed.
  var factor: Double {
    switch self {
    case .percent, .points: 100
    case .count, .amount: 1
    }
  }

  /// The text after the digits.
  var unit: String {
    switch self {
    case .percent: "\u{A0}%"
    case .points: "\u{A0}pp"
    case .count, .amount: ""
    }
  }

  private var decimals: Int {
    switch self {
    case .count: 0
    case .percent, .points: 1
    case .amount(let decimals): min(6, max(0, decimals))
    }
  }

  /// The power of ten of the smallest step that ticks may have: 0 for counts; nil if there is none.
  var finestExponent: Int? {
    switch self {
    case .count: 0
    case .percent, .points: nil
    case .amount: -decimals
    }
  }
}
