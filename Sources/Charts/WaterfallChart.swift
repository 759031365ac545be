/// From one total to another in signed steps, like a statement: one row each, from the top.
///
/// Totals are bars from zero; steps are bars from the running sum before to the one after, joined by thin lines.
/// Increases and decreases differ in colour, pattern and the sign of their text. Without totals it begins at 0.
package struct WaterfallChart: Chart {
  /// The rows, from the top.
  package var rows: [WaterfallRow]

  /// How values become text.
  package var format: ValueFormat

  /// Whether the axis must begin at 0. Otherwise it may begin higher, if the steps are small beside the totals; the
  /// chart then says where, and the bars of the totals are broken.
  package var startsAtZero: Bool

  /// The unit above the axis; may be empty.
  package var axisTitle: String

  package var width: Double

  /// Creates a waterfall.
  ///
  /// - Parameters:
  ///   - rows: The rows, from the top; those without a finite value are left out.
  ///   - format: How values become text.
  ///   - startsAtZero: Whether the axis must begin at 0.
  ///   - axisTitle: The unit above the axis.
  ///   - width: The width of the drawing, from 240.
  package init(
    rows: [WaterfallRow], format: ValueFormat, startsAtZero: Bool = true, axisTitle: String = "",
    width: Double = 720
  ) {
    self.rows = rows
    self.format = format
    self.startsAtZero = startsAtZero
    self.axisTitle = axisTitle
    self.width = width
  }

  package var isEmpty: Bool { true }

  package func draw(into svg: inout SVGWriter) -> Double { 0 }
}

/// A row of a ``WaterfallChart``.
package struct WaterfallRow: Hashable, Sendable {
  /// Whether a row is a total or changes one.
  package enum Kind: Hashable, Sendable {
    /// A bar from zero; the running sum is its value from here on.
    case total

    /// A change of the running sum.
    case step
  }

  /// The name, left of the bar.
  package var name: String

  /// The total, or the signed change; nil is a total with the running sum.
  package var value: Double?

  /// Whether the row is a total or a step.
  package var kind: Kind

  /// The exact value as text, where it is not the format's.
  package var text: String?

  /// Creates a total: the first row, a subtotal or the last row.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - value: The total; nil is the running sum.
  ///   - text: The exact value as text, where it is not the format's.
  /// - Returns: The row.
  package static func total(_ name: String, _ value: Double? = nil, text: String? = nil)
    -> WaterfallRow
  { WaterfallRow(name: name, value: value, kind: .total, text: text) }

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - change: The signed change of the running sum.
  ///   - text: The exact change as text, where it is not the format's.
  /// - Returns: The row.
  package static func step(_ name: String, _ change: Double, text: String? = nil) -> WaterfallRow {
    WaterfallRow(name: name, value: change, kind: .step, text: text)
  }
}
