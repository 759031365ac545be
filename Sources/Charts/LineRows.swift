/// Lines over the same months, a row each: as ``TimePlot``, on one scale, with the months below the last row.
package struct LineRows: Chart {
  package struct Row: Hashable, Sendable {
    package var name: String

    /// The months of all rows are the same.
    package var months: [TimePlot.Month]

    package init(_ name: String, _ months: [TimePlot.Month]) {
      (self.name, self.months) = (name, months)
    }
  }

  package var rows: [Row]
  package var format: ValueFormat

  package init(_ rows: [Row], _ format: ValueFormat) { (self.rows, self.format) = (rows, format) }

  package var isEmpty: Bool { rows.allSatisfy(\.months.isEmpty) }
  package var margins: ChartMargins { .rows }
  package var height: Double { Self.pitch * Double(rows.count) + 30 }

  /// The height of a row in pixels; a plot has room for months below it.
  private static let (pitch, plotHeight) = (74.0, 104.0)

  package func draw(into svg: inout SVGWriter) {
    let domain = Domain(rows.flatMap { TimePlotLayout.values($0.months) })
    let names = ChartText.rowNames(rows.map(\.name))
    for (index, row) in rows.enumerated() {
      let plot = TimePlot(
        row.months, format, height: Self.plotHeight, changeNote: "", gapNote: "")
      let layout = TimePlotLayout(plot, row: domain)
      svg.open(
        "svg",
        [
          "y": Coordinate.text(Self.pitch * Double(index)), "width": "100%",
          "height": Coordinate.text(Self.plotHeight), "overflow": "visible",
        ])
      svg.rowName(names[index], of: row.name, middle: 39, isStrong: false)
      layout.draw(into: &svg)
      if index == rows.count - 1 { layout.drawMonths(&svg) }
      svg.close("svg")
    }
  }
}
