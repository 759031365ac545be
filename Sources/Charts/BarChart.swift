/// Horizontal bars around zero, one a row: contributions to a change, or sizes.
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

  package var isEmpty: Bool { cleanedRows.isEmpty }

  package func draw(into svg: inout SVGWriter) -> Double {
    let rows = cleanedRows
    let values = rows.flatMap { Interval.values($0.value, $0.low, $0.high) }
    let frame = RowFrame(
      rows.map { RowFrame.Row(name: $0.name, value: text(of: $0)) }, width: width,
      title: axisTitle, values: values, format: format, startsAtZero: true)
    frame.draw(into: &svg)
    for (index, row) in rows.enumerated() {
      let place = frame.rect(index)
      if row.isRest, index > 0 { drawSeparator(above: place, into: &svg) }
      draw(row, middle: place.middle, scale: frame.scale, into: &svg)
      svg.hit(place, [row.name.isolated + ": " + description(of: row)])
    }
    frame.axis.drawLine(at: 0, into: &svg, plot: frame.plot)
    guard rows.contains(where: \.mayBeChance) else { return frame.height }
    let legend = Legend(items: [(.hollowBar, ChartWords.mayBeChance)])
    legend.draw(into: &svg, x: frame.plot.x, y: frame.height, width: width - frame.plot.x)
    return frame.height + legend.height(in: width - frame.plot.x)
  }

  /// The rows without values that cannot be drawn.
  private var cleanedRows: [BarRow] {
    rows.compactMap { row in
      guard let value = row.value.plottable else { return nil }
      var row = row
      row.value = value
      (row.low, row.high) = Interval.cleaned(row.low, row.high)
      return row
    }
  }

  private func text(of row: BarRow) -> String {
    row.text?.isolated ?? format.text(row.value, isSigned: isSigned)
  }

  private func description(of row: BarRow) -> String {
    var words = text(of: row)
    if let low = row.low, let high = row.high {
      words += ChartWords.interval(
        format.text(low, isSigned: isSigned), format.text(high, isSigned: isSigned))
    }
    return row.mayBeChance ? words + ", " + ChartWords.mayBeChance : words
  }

  private func drawSeparator(above place: Rect, into svg: inout SVGWriter) {
    var line = Path()
    line.move(place.x, place.y)
    line.horizontal(place.right)
    svg.rule(line, opacity: 0.4)
  }

  /// Writes the bar and the line of its interval.
  private func draw(
    _ row: BarRow, middle: Double, scale: LinearScale, into svg: inout SVGWriter
  ) {
    let (zero, end) = (scale.position(0), scale.position(row.value))
    let bar = Rect(x: min(zero, end), y: middle - 8, width: abs(end - zero), height: 16)
    let style = SeriesStyle(row.value < 0 ? 1 : 0)
    if row.isRest, !row.mayBeChance {
      svg.group(.grey) { $0.rect(bar, ["fill": "currentColor"]) }
    } else if row.mayBeChance {
      svg.group(style) { svg in
        svg.rect(
          bar,
          [
            "class": "paper", "fill": Palette.paper, "stroke": "currentColor",
            "stroke-width": "1.5", "stroke-dasharray": "3 2",
          ])
      }
    } else {
      let fill = svg.fill(style)
      svg.group(style) { $0.rect(bar, ["fill": fill]) }
    }
    guard let low = row.low, let high = row.high else { return }
    svg.interval(from: scale.position(low), to: scale.position(high), middle: middle, caps: 4)
  }
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
