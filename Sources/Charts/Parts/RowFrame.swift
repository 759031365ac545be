/// The frame of charts with a row for each bar: names on the left, the plot, values on the right.
struct RowFrame {
  /// A row as text.
  struct Row {
    /// A text of any origin.
    let name: String

    /// Made of isolated parts.
    let value: String
    var isStrong = false

    var style: TextStyle { isStrong ? .strong : .label }
  }

  let rows: [Row]
  let width: Double
  let plot: Rect
  let axis: HorizontalAxis
  private let title: String

  /// The lines of each row's name.
  private let names: [[String]]

  /// The height of a row.
  private let rowHeight: Double

  private static let lineHeight = 15.0
  private static let gap = 12.0

  /// Measures the frame.
  ///
  /// - Parameters:
  ///   - rows: The rows, from the top.
  ///   - width: The width of the drawing.
  ///   - title: The name of the axis, a text of any origin; may be empty.
  ///   - values: The plottable values that the axis covers.
  ///   - format: How values become text.
  ///   - startsAtZero: Whether zero belongs to the axis.
  init(
    _ rows: [Row], width: Double, title: String, values: [Double], format: ValueFormat,
    startsAtZero: Bool
  ) {
    self.rows = rows
    self.width = width
    let widestName = rows.map { $0.style.width($0.name) }.max() ?? 0
    let widestValue = rows.map { $0.style.width($0.value) }.max() ?? 0
    let valueWidth = min(widestValue, width * 0.42)
    let nameWidth = min(widestName, width * 0.34)
    let names = Self.lines(rows, width: nameWidth + 0.01)
    self.names = names
    rowHeight = names.contains { $0.count > 1 } ? 38 : 26
    let left = nameWidth + Self.gap
    let plotWidth = max(20, width - left - valueWidth - Self.gap)
    axis = HorizontalAxis(values, format, startsAtZero: startsAtZero, width: plotWidth)
    let parts = [title.isolated, axis.note].filter { !$0.isEmpty }
    self.title = parts.count == 2 ? "\(parts[0]) (\(parts[1]))" : parts.joined()
    plot = Rect(
      x: left, y: self.title.isEmpty ? 2 : 22, width: plotWidth,
      height: Double(rows.count) * rowHeight)
  }

  /// Returns the lines of each row's name.
  private static func lines(_ rows: [Row], width: Double) -> [[String]] {
    var lines = rows.map { _ in [String]() }
    for isStrong in [false, true] {
      let places = rows.indices.filter { rows[$0].isStrong == isStrong }
      guard let style = places.first.map({ rows[$0].style }) else { continue }
      let own = style.distinctLines(places.map { rows[$0].name }, width: width)
      for (place, name) in zip(places, own) { lines[place] = name }
    }
    return lines
  }

  /// The scale of the plot, to the right.
  var scale: LinearScale { axis.scale(in: plot) }

  /// The height of the whole drawing.
  var height: Double { plot.bottom + HorizontalAxis.height }

  /// Returns the place of a row in the whole width.
  func rect(_ row: Int) -> Rect {
    Rect(x: 0, y: plot.y + Double(row) * rowHeight, width: width, height: rowHeight)
  }

  /// Writes the axis, its title, and the names and values of all rows.
  func draw(into svg: inout SVGWriter) {
    if !title.isEmpty {
      let cut = TextStyle.small.cut(title, to: width - plot.x)
      svg.text(cut, x: plot.x, middle: 9, .small, whole: cut == title ? nil : title)
    }
    axis.draw(into: &svg, plot: plot, width: width)
    for (index, row) in rows.enumerated() {
      let middle = rect(index).middle
      drawName(of: row, names[index], middle: middle, into: &svg)
      let value = row.style.cut(row.value, to: width - plot.right - Self.gap)
      svg.text(value, x: width, middle: middle, row.style, anchor: .end)
    }
  }

  private func drawName(
    of row: Row, _ lines: [String], middle: Double, into svg: inout SVGWriter
  ) {
    let isCut = lines.joined(separator: " ") != row.name
    var y = middle - Double(lines.count - 1) * Self.lineHeight / 2
    for line in lines where !line.isEmpty {
      svg.text(
        line.isolated, x: 0, middle: y, row.style, whole: isCut ? row.name.isolated : nil)
      y += Self.lineHeight
    }
  }
}
