/// Estimates with their intervals, one a row, around a line at a reference value.
///
/// The numbers stand in a column on the right: `-2.1 % (-4.0 % to -0.2 %)`. Intervals that hold the reference have a
/// hollow marker.
package struct ForestPlot: Chart {
  /// The rows, from the top; rows of the same group that follow each other stand below its name.
  package var rows: [ForestRow]

  /// How values become text.
  package var format: ValueFormat

  /// The value of the vertical line, such as 0 for differences; nil draws none.
  package var reference: Double?

  /// Whether values are changes, and have a `+` where they are positive.
  package var isSigned: Bool

  /// What the axis measures; may be empty.
  package var axisTitle: String

  package var width: Double

  /// Creates a plot of estimates.
  ///
  /// - Parameters:
  ///   - rows: The rows; rows without a finite estimate are left out.
  ///   - format: How values become text.
  ///   - reference: The value of the vertical line; nil draws none.
  ///   - isSigned: Whether values are changes.
  ///   - axisTitle: What the axis measures.
  ///   - width: The width of the drawing, from 240.
  package init(
    rows: [ForestRow], format: ValueFormat, reference: Double? = 0, isSigned: Bool = false,
    axisTitle: String = "", width: Double = 720
  ) {
    self.rows = rows
    self.format = format
    self.reference = reference
    self.isSigned = isSigned
    self.axisTitle = axisTitle
    self.width = width
  }

  package var isEmpty: Bool { true }

  package func draw(into svg: inout SVGWriter) -> Double { 0 }
}

/// A row of a ``ForestPlot``.
package struct ForestRow: Hashable, Sendable {
  /// The name, left of the interval.
  package var name: String

  /// The estimate.
  package var estimate: Double

  /// The lower end of the interval; nil if there is none.
  package var low: Double?

  /// The upper end of the interval; nil if there is none.
  package var high: Double?

  /// The group, whose name stands above its rows; empty is none.
  package var group: String

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - estimate: The estimate.
  ///   - low: The lower end of its interval.
  ///   - high: The upper end of its interval.
  ///   - group: The group.
  package init(
    name: String, estimate: Double, low: Double? = nil, high: Double? = nil, group: String = ""
  ) {
    self.name = name
    self.estimate = estimate
    self.low = low
    self.high = high
    self.group = group
  }
}
