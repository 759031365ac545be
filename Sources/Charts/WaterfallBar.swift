/// A row of a waterfall with its place on the axis.
struct WaterfallBar: Hashable {
  let name: String

  /// The value as text, made of isolated parts.
  let text: String
  let isTotal: Bool

  /// The running sum before the row; 0 for totals.
  let from: Double

  /// The running sum after the row.
  let to: Double

  /// Adds up rows.
  ///
  /// - Parameters:
  ///   - rows: The rows, from the top; those without a finite value are left out.
  ///   - format: How values become text.
  /// - Returns: The bars.
  static func bars(_ rows: [WaterfallRow], format: ValueFormat) -> [WaterfallBar] {
    var sum = 0.0
    return rows.compactMap { row in
      let isTotal = row.kind == .total
      guard let value = (row.value ?? (isTotal ? sum : .nan)).plottable else { return nil }
      let from = isTotal ? 0 : sum
      sum = (from + value).plottable ?? 0
      let text = row.text?.isolated ?? format.text(value, isSigned: !isTotal)
      return WaterfallBar(name: row.name, text: text, isTotal: isTotal, from: from, to: sum)
    }
  }
}
