/// The texts of an axis: all but 0 have the same unit and, unless shortened, the same number of decimals, such as `0`,
/// `2.5k`, `5.0k`.
struct TickText {
  /// The power of ten that the unit stands for: 3 for `k`.
  private let shift: Int

  /// The unit: nothing, `k`, `M`, `bn`, `tn`, or a power of ten such as `e15`.
  private let unit: String

  private let decimals: Int
  private let format: ValueFormat

  /// Chooses decimals and unit.
  ///
  /// - Parameters:
  ///   - ticks: The ticks of the axis.
  ///   - format: How values become text.
  init(_ ticks: Ticks, format: ValueFormat) {
    let percent = format.factor == 1 ? 0 : 2
    let finest = ticks.step.finestDigit + percent
    let largest = max(ticks.low.magnitude, ticks.high.magnitude) * format.factor
    let first = DecimalText.exponent(of: largest)
    (shift, unit) = Self.unit(first: first, finest: finest, isPercent: percent > 0)
    decimals = max(0, shift - finest)
    self.format = format
  }

  private static func unit(first: Int, finest: Int, isPercent: Bool) -> (Int, String) {
    if first >= (isPercent ? 9 : 15) || first < -6 { return (first, "e\(first)") }
    let units = [(12, 12, "tn"), (9, 9, "bn"), (6, 6, "M"), (4, 3, "k")]
    guard !isPercent, let (_, shift, name) = units.first(where: { first >= $0.0 }) else {
      return (0, "")
    }
    // 100,001 is shorter than 100.001k.
    return shift - finest <= 2 || first >= 9 ? (shift, name) : (0, "")
  }

  /// Returns the text of a tick.
  ///
  /// - Parameters:
  ///   - index: The multiple of the step.
  ///   - step: The step between ticks.
  ///   - isShort: Whether zeros at the end are left out: `12k`, not `12.0k`.
  /// - Returns: Such as `0`, `2.5k` or `10 %`.
  func text(_ index: Int, of step: TickStep, isShort: Bool = false) -> String {
    if index == 0 { return "0" + format.unit }
    var digits = index * step.tenths
    var exponent = step.exponent - 1 + (format.factor == 1 ? 0 : 2) - shift + decimals
    while exponent > 0 { (digits, exponent) = (digits * 10, exponent - 1) }
    while exponent < 0 { (digits, exponent) = (digits / 10, exponent + 1) }
    var decimals = decimals
    while isShort, decimals > 0, digits.isMultiple(of: 10) {
      (digits, decimals) = (digits / 10, decimals - 1)
    }
    return DecimalText.text(digits, decimals: decimals) + unit + format.unit
  }
}
