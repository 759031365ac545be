/// Lines with bands and markers in a plot.
struct LinePanel {
  /// The lines; all have a point or a gap for each column.
  let series: [LineSeries]
  let columns: Columns
  let plot: Rect
  let scale: LinearScale

  /// Whether each series has its own colour; otherwise the line has the colour of text.
  var hasColours = true

  /// Whether lines have an edge in the page's colour, which sets them off from bars behind them.
  var hasEdge = false

  /// Whether only the last point has a marker.
  var marksOnlyLast = false

  /// Markers are drawn for all points of columns at least this wide.
  private static let leastWidth = 9.0

  /// Writes bands, then lines, then markers; the first series is written last.
  func draw(into svg: inout SVGWriter) {
    for (index, line) in series.enumerated().reversed() {
      let band = band(of: line)
      let content: (inout SVGWriter) -> Void = { svg in
        svg.path(band, ["class": "band", "fill": "currentColor", "fill-opacity": "0.16"])
      }
      guard !band.isEmpty else { continue }
      if hasColours { svg.group(SeriesStyle(index), content) } else { content(&svg) }
    }
    for (index, line) in series.enumerated().reversed() {
      let style = SeriesStyle(index)
      if hasColours {
        svg.group(style) { drawLine(line, style, into: &$0) }
      } else {
        drawLine(line, style, into: &svg)
      }
    }
  }

  private func drawLine(_ line: LineSeries, _ style: SeriesStyle, into svg: inout SVGWriter) {
    let dashes: Attributes = style.dashes.map { ["stroke-dasharray": $0] } ?? [:]
    if hasEdge {
      svg.path(
        outline(of: line),
        ["class": "gap", "fill": "none", "stroke": Palette.paper, "stroke-width": "5"])
    }
    svg.path(
      outline(of: line),
      [
        "class": "line", "fill": "none", "stroke": "currentColor", "stroke-width": "2",
        "stroke-linejoin": "round",
      ] + dashes)
    drawMarkers(line, style, into: &svg)
  }

  private func drawMarkers(_ line: LineSeries, _ style: SeriesStyle, into svg: inout SVGWriter) {
    var (full, hollow, crosses) = (Path(), Path(), Path())
    let last = line.points.lastIndex { $0 != nil }
    for (index, point) in line.points.enumerated() {
      guard let point, !marksOnlyLast || index == last || isAlone(index, in: line) else { continue }
      let (x, y) = (columns.center(index), scale.position(point.value))
      if point.isPartial {
        Marker.addCross(to: &crosses, x, y, radius: 4)
      } else if point.isProvisional {
        style.marker.add(to: &hollow, x, y, radius: 3.5)
      } else if isMarked(index, in: line, last: last) {
        style.marker.add(to: &full, x, y, radius: 3)
      }
    }
    svg.path(full, ["fill": "currentColor"])
    svg.path(
      hollow,
      ["class": "paper", "fill": Palette.paper, "stroke": "currentColor", "stroke-width": "1.6"])
    svg.path(crosses, ["fill": "none", "stroke": "currentColor", "stroke-width": "2"])
  }

  /// Whether a final point has a marker: if there is room for all, if it is the last one, or if it has no line.
  private func isMarked(_ index: Int, in line: LineSeries, last: Int?) -> Bool {
    columns.width >= Self.leastWidth || index == last || isAlone(index, in: line)
  }

  /// Whether a point has no line to a neighbour.
  private func isAlone(_ index: Int, in line: LineSeries) -> Bool {
    let points = line.points
    let before = index > 0 ? points[index - 1] : nil
    let after = index + 1 < points.count ? points[index + 1] : nil
    return before == nil && after == nil
  }

  private func outline(of line: LineSeries) -> Path {
    var path = Path()
    for run in Self.runs(line.points, where: { $0 != nil }) where run.count > 1 {
      for index in run {
        guard let point = line.points[index] else { continue }
        let (x, y) = (columns.center(index), scale.position(point.value))
        index == run.lowerBound ? path.move(x, y) : path.line(x, y)
      }
    }
    return path
  }

  private func band(of line: LineSeries) -> Path {
    var path = Path()
    for run in Self.runs(line.points, where: { $0?.low != nil && $0?.high != nil }) {
      let intervals = run.compactMap { index -> (x: Double, low: Double, high: Double)? in
        guard let low = line.points[index]?.low, let high = line.points[index]?.high else {
          return nil
        }
        return (columns.center(index), scale.position(low), scale.position(high))
      }
      if let only = intervals.first, intervals.count == 1 {
        path.rect(Rect(x: only.x - 3, y: only.high, width: 6, height: only.low - only.high))
      } else {
        path.polygon(
          intervals.map { ($0.x, $0.high) } + intervals.reversed().map { ($0.x, $0.low) })
      }
    }
    return path
  }

  /// Returns the longest ranges of points that meet a condition.
  static func runs(
    _ points: [LinePoint?], where isPart: (LinePoint?) -> Bool
  ) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in points.indices where isPart(points[index]) {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }
}
