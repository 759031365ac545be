/// Horizontal bars around zero, one a row: what changed a figure, or the size of things.
///
/// The value stands beside its bar with its sign if `isSigned`. A thin line shows the interval. Bars that may be chance
/// are hollow; the rest is grey.
package struct BarChart: Chart {
  /// The rows, from the top.
  package var rows: [BarRow]

  /// How values become text.
  package var format: ValueFormat

  /// Whether values are changes, and have a `+` where they are positive.
  package var isSigned: Bool

  /// What the bars measure, above the axis, such as `change in percentage points`; may be empty.
  package var axisTitle: String

  package var width: Double

  /// Creates a chart of horizontal bars.
  ///
  /// - Parameters:
  ///   - rows: The rows, from the top; rows without a finite value are left out.
  ///   - format: How values become text.
  ///   - isSigned: Whether values are changes, and have a `+` where they are positive.
  ///   - axisTitle: What the bars measure.
  ///   - width: The width of the drawing, from 240.
  package init(
    rows: [BarRow], format: ValueFormat, isSigned: Bool = false, axisTitle: String = "",
    width: Double = 720
  ) {
    self.rows = rows
    self.format = format
    self.isSigned = isSigned
    self.axisTitle = axisTitle
    self.width = width
  }

  package var isEmpty: Bool { true }

  package func draw(into svg: inout SVGWriter) -> Double { 0 }
}

/// A bar of a ``BarChart``.
package struct BarRow: Hashable, Sendable {
  /// The name, left of the bar.
  package var name: String

  /// The value, from zero to the right, negative to the left.
  package var value: Double

  /// The lower end of the interval; nil if there is none.
  package var low: Double?

  /// The upper end of the interval; nil if there is none.
  package var high: Double?

  /// Whether chance may explain the value: a hollow bar, explained below the chart.
  package var mayBeChance: Bool

  /// Whether the bar stands for all others together: a grey bar below a thin line.
  package var isRest: Bool

  /// The exact value as text, where it is not the format's.
  package var text: String?

  /// Creates a bar.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - value: The value.
  ///   - low: The lower end of its interval.
  ///   - high: The upper end of its interval.
  ///   - mayBeChance: Whether chance may explain the value.
  ///   - isRest: Whether the bar stands for all others together.
  ///   - text: The exact value as text, where it is not the format's.
  package init(
    name: String, value: Double, low: Double? = nil, high: Double? = nil, mayBeChance: Bool = false,
    isRest: Bool = false, text: String? = nil
  ) {
    self.name = name
    self.value = value
    self.low = low
    self.high = high
    self.mayBeChance = mayBeChance
    self.isRest = isRest
    self.text = text
  }
}
