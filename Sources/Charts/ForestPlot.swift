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

  package var isEmpty: Bool { cleanedRows.isEmpty }

  package func draw(into svg: inout SVGWriter) -> Double {
    let lines = lines
    let rows = lines.compactMap(\.row)
    let values = rows.flatMap { Interval.values($0.estimate, $0.low, $0.high) }
    let frame = RowFrame(
      texts(of: lines), width: width, title: axisTitle,
      values: values + [reference?.plottable].compactMap { $0 }, format: format,
      startsAtZero: false)
    frame.draw(into: &svg)
    if let reference = reference?.plottable {
      frame.axis.drawLine(at: reference, into: &svg, plot: frame.plot)
    }
    for (index, line) in lines.enumerated() {
      guard let row = line.row else { continue }
      let place = frame.rect(index)
      draw(row, middle: place.middle, scale: frame.scale, into: &svg)
      let group = row.group.isEmpty ? "" : row.group.isolated + ", "
      svg.hit(place, [group + row.name.isolated + ": " + description(of: row)])
    }
    return frame.height
  }

  /// A line of the plot: the name of a group, or a row.
  private struct Line {
    let group: String
    let row: ForestRow?
  }

  /// The rows without values that cannot be drawn.
  private var cleanedRows: [ForestRow] {
    rows.compactMap { row in
      guard let estimate = row.estimate.plottable else { return nil }
      var row = row
      row.estimate = estimate
      (row.low, row.high) = Interval.cleaned(row.low, row.high)
      return row
    }
  }

  /// The rows, each group below its name.
  private var lines: [Line] {
    var lines: [Line] = []
    for row in cleanedRows {
      if row.group != lines.last?.group ?? "", !row.group.isEmpty {
        lines.append(Line(group: row.group, row: nil))
      }
      lines.append(Line(group: row.group, row: row))
    }
    return lines
  }

  /// The names and values; without intervals if there is no room for them.
  private func texts(of lines: [Line]) -> [RowFrame.Row] {
    let full = lines.compactMap(\.row).map { description(of: $0) }
    let fits = full.allSatisfy { TextStyle.label.width($0) <= width * 0.36 }
    return lines.map { line in
      guard let row = line.row else {
        return RowFrame.Row(name: line.group, value: "", isStrong: true)
      }
      let value = fits ? description(of: row) : format.text(row.estimate, isSigned: isSigned)
      return RowFrame.Row(name: row.name, value: value)
    }
  }

  private func description(of row: ForestRow) -> String {
    let estimate = format.text(row.estimate, isSigned: isSigned)
    guard let low = row.low, let high = row.high else { return estimate }
    return estimate
      + ChartWords.interval(
        format.text(low, isSigned: isSigned), format.text(high, isSigned: isSigned))
  }

  /// Writes the interval and the marker of the estimate.
  private func draw(
    _ row: ForestRow, middle: Double, scale: LinearScale, into svg: inout SVGWriter
  ) {
    var holdsReference = false
    if let low = row.low, let high = row.high, let reference {
      holdsReference = low <= reference && reference <= high
    }
    var marker = Path()
    Marker.square.add(to: &marker, scale.position(row.estimate), middle, radius: 5)
    svg.group(SeriesStyle(0)) { svg in
      if let low = row.low, let high = row.high {
        svg.interval(from: scale.position(low), to: scale.position(high), middle: middle, caps: 4)
      }
      if holdsReference {
        svg.path(
          marker,
          [
            "class": "paper", "fill": Palette.paper, "stroke": "currentColor",
            "stroke-width": "1.6",
          ])
      } else {
        svg.path(marker, ["fill": "currentColor"])
      }
    }
  }
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
