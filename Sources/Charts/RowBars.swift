/// Bars in the cells of a table, hidden from readers of the page aloud: the row has the number.
package enum RowBars {
  /// Returns a bar from the left; its share of the cell's width is from 0 to 1.
  package static func single(_ share: Double, _ fill: ChartFill) -> String {
    let share = min(1, max(0, share.plottable ?? 0))
    return element { svg in
      svg.box(Rect(x: 0, y: 1, width: 100 * share, height: 10), fill.rawValue)
    }
  }

  /// Returns a bar from the middle, to the right for a gain; 1 is the whole right half.
  package static func signed(_ share: Double) -> String {
    let share = min(1, max(-1, share.plottable ?? 0))
    return element { svg in
      svg.upright(50, from: 0, to: 12, "g0")
      guard share != 0 else { return }
      svg.box(
        Rect(x: 50 + min(0, 50 * share), y: 1, width: 50 * abs(share), height: 10),
        (share < 0 ? ChartFill.taken : .added).rawValue)
    }
  }

  private static func element(_ content: (inout SVGWriter) -> Void) -> String {
    var svg = SVGWriter(id: "")
    svg.openSilent("hb1", height: "12")
    content(&svg)
    svg.close("svg")
    return svg.body
  }
}

/// The small line of the last months, hidden from readers of the page aloud.
///
/// Its scale is its own, from the least to the greatest value.
package struct Spark: Hashable, Sendable {
  /// The values, oldest first; nil where there is none: gaps stay gaps.
  package var values: [Double?]

  /// Whether data are missing of the last month, and whether it can still change.
  package var lastState: TimePlot.State

  package init(_ values: [Double?], lastState: TimePlot.State = .settled) {
    (self.values, self.lastState) = (values, lastState)
  }

  /// Returns the element, 26 pixels high, in a table 20; the empty text without any value.
  package func svg(height: Double = 26) -> String {
    let values = values.map { $0?.plottable }
    let drawn = values.compactMap { $0 }
    guard let low = drawn.min(), let high = drawn.max() else { return "" }
    let scale =
      high > low
      ? LinearScale(low: low, high: high, start: height - 5, end: 5)
      : LinearScale(
        low: low - 1 - low.magnitude, high: low + 1 + low.magnitude, start: height, end: 0)
    let step = 970 / Double(max(1, values.count - 1))
    let x = { (index: Int) in values.count == 1 ? 980 : 10 + step * Double(index) }
    var path = Path()
    var alone: [Int] = []
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      let isFirst = index == 0 || values[index - 1] == nil
      if isFirst, index + 1 < values.count, values[index + 1] == nil { alone.append(index) }
      let y = scale.position(value)
      isFirst ? path.move(x(index), y) : path.line(x(index), y)
    }
    var svg = SVGWriter(id: "")
    svg.openSilent("spark", height: Coordinate.text(height))
    svg.stretched(height: height) { $0.path(path, "sp") }
    for index in alone {
      svg.dot(x(index) / 10, scale.position(values[index] ?? low), radius: 1.5, "spd")
    }
    if let value = values.last ?? nil {
      let look = lastState == .incomplete ? "dot x" : lastState == .canStillChange ? "dot h" : "dot"
      svg.dot(x(values.count - 1) / 10, scale.position(value), radius: 3.5, look)
    }
    svg.close("svg")
    return svg.body
  }
}
