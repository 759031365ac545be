/// From one amount to another, a row for each step.
///
/// It has no axis: its scale fits the amounts, which are dots on a line, and steps are bars.
package struct Waterfall: Chart {
  package enum Kind: Hashable, Sendable {
    /// An amount; a ring if data are missing.
    case stock(isIncomplete: Bool = false)

    /// A step, coloured by its sign.
    case flow

    /// A step that makes things better or worse, whatever its sign.
    case change(isBetter: Bool)

    /// A grey step, whatever its sign: it is unexplained, or may be chance.
    case unexplained
  }

  package struct Row: Hashable, Sendable {
    package var label: String
    package var kind: Kind

    /// The amount, or the change with its sign.
    package var value: Double

    /// The value with its sign or prefix, such as `−115` or `≥ 1,260`.
    package var text: String

    var isStock: Bool { if case .stock = kind { true } else { false } }

    package init(_ label: String, _ kind: Kind, _ value: Double, text: String) {
      (self.label, self.kind, self.value, self.text) = (label, kind, value, text)
    }
  }

  /// The rows from above; the first is a stock.
  package var rows: [Row]

  package init(_ rows: [Row]) { self.rows = rows }

  package var isEmpty: Bool { rows.isEmpty }
  package var margins: ChartMargins { .rows }
  package var height: Double { 30 * Double(rows.count) + 6 }

  /// The width of a bar in percent of the plot: 1 pixel or 2.
  private static let leastWidth = 0.4

  package func draw(into svg: inout SVGWriter) {
    let names = ChartText.rowNames(rows.map(\.label))
    let levels = levels
    let low = levels.map { min($0.from, $0.to) }.min() ?? 0
    let high = levels.map { max($0.from, $0.to) }.max() ?? 0
    // The amounts are at least a twentieth away from the ends.
    let scale = LinearScale(
      low: low, high: high > low ? high : low + max(1, low.magnitude), start: 5.36, end: 94.64)
    for (index, row) in rows.enumerated() {
      let y = 15 + 30 * Double(index)
      let (from, to) = (scale.position(levels[index].from), scale.position(levels[index].to))
      var (look, colour) = (ChartFill.unknown.rawValue, "val")
      switch row.kind {
      case .stock(let isIncomplete): look = isIncomplete ? "dot x" : "dot"
      case .flow where row.value < 0: (look, colour) = (ChartFill.taken.rawValue, "val c-out")
      case .change(isBetter: false): (look, colour) = (ChartFill.taken.rawValue, "val c-out")
      case .flow, .change: (look, colour) = (ChartFill.added.rawValue, "val c-in")
      case .unexplained: break
      }
      svg.rowName(names[index], of: row.label, middle: y, isStrong: row.isStock)
      if row.isStock {
        svg.level(y, from: 0, to: 100, "g")
        svg.dot(to, y, radius: 6, look)
      } else {
        // The smallest step is seen too, and joins the lines above and below it.
        let width = max(Self.leastWidth, abs(to - from))
        let bar = Rect(x: (from + to - width) / 2, y: y - 10, width: width, height: 20)
        svg.box(bar, look, title: row.label + ": " + row.text)
      }
      svg.label(row.text, colour, x: "100%", dx: 8, y: y + 5)
      guard index + 1 < rows.count else { continue }
      let (above, below) = (row.isStock ? 6.0 : 10, rows[index + 1].isStock ? 6.0 : 10)
      svg.upright(to, from: y + above, to: y + 30 - below, "cn")
    }
  }

  /// What each row begins and ends at.
  private var levels: [(from: Double, to: Double)] {
    var level = 0.0
    return rows.map { row in
      let from = level
      let value = row.value.plottable ?? 0
      if case .stock = row.kind { level = value } else { level += value }
      return (from: row.isStock ? level : from, to: level)
    }
  }
}
