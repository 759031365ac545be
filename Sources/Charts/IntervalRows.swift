/// Points with intervals, a row each, above one axis with a line at zero.
package struct IntervalRows: Chart {
  package struct Row: Hashable, Sendable {
    package var name: String

    /// The value, a fraction of one for `.percent`; nil for none.
    package var value: Double?
    package var low: Double?
    package var high: Double?

    /// The value as text, above the point.
    package var text: String

    /// A value to compare with, and its text.
    package var mark: Double?
    package var markText: String

    package init(
      _ name: String, _ value: Double?, low: Double?, high: Double?, text: String,
      mark: Double? = nil, markText: String = ""
    ) {
      (self.name, self.value, self.low, self.high) = (name, value, low, high)
      (self.text, self.mark, self.markText) = (text, mark, markText)
    }
  }

  package var rows: [Row]
  package var format: ValueFormat

  package init(_ rows: [Row], _ format: ValueFormat) { (self.rows, self.format) = (rows, format) }

  package var isEmpty: Bool { rows.isEmpty }
  package var margins: ChartMargins { .rows }
  package var height: Double { 44 * Double(rows.count) + 24 }

  package func draw(into svg: inout SVGWriter) {
    let values = rows.flatMap { [$0.value, $0.low, $0.high, $0.mark] }.compactMap { $0?.plottable }
    let domain = Domain(values)
    let ticks = Ticks(low: domain.low, high: domain.high, format: format, limit: 5)
    let scale = LinearScale(ticks, from: 4, to: 96)
    let bottom = 44 * Double(rows.count)
    let texts = ChartText.tickTexts(ticks, format)
    for (place, value) in ticks.values.enumerated() {
      let x = scale.position(value)
      svg.upright(x, from: 0, to: bottom, value == 0 ? "g0" : "g")
      // A phone has room for every second one, and zero is one of them.
      let zero = ticks.values.firstIndex(of: 0) ?? 0
      let isLeftOut = (place - zero) % 2 != 0
      svg.label(
        texts[place], isLeftOut ? "ax m wl" : "ax m", x: Coordinate.percent(x), y: bottom + 16)
    }
    let names = ChartText.rowNames(rows.map(\.name))
    for (index, row) in rows.enumerated() {
      let y = 24 + 44 * Double(index)
      svg.rowName(names[index], of: row.name, middle: y, isStrong: false)
      if case (let low?, let high?) = Interval.cleaned(row.low, row.high) {
        svg.level(y, from: scale.position(low), to: scale.position(high), "ci")
      }
      if let value = row.value?.plottable {
        svg.dot(scale.position(value), y, radius: 6, "dot")
        svg.label(
          row.text, "val2 m", x: Coordinate.percent(scale.position(value)), y: y - 11)
      }
      guard let mark = row.mark?.plottable else { continue }
      let x = scale.position(mark)
      svg.upright(x, from: y - 13, to: y + 13, "mk2")
      let isAtEnd = x > 60
      svg.label(
        row.markText, isAtEnd ? "note e" : "note", x: Coordinate.percent(x),
        dx: isAtEnd ? -6 : 6, y: y + 20)
    }
  }
}
