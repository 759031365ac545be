extension TimePlot {
  package func draw(into svg: inout SVGWriter) { TimePlotLayout(self).draw(into: &svg) }
}

/// The places of a time plot, or of a row of ``LineRows``.
struct TimePlotLayout {
  let plot: TimePlot
  /// Whether the plot is a row of others, which has its own axis of months below the last row.
  let isRow: Bool
  let columns: Columns
  let ticks: Ticks
  let scale: LinearScale
  let points: [Point?]
  let stacks: [[TimePlot.Part]?]
  let marks: [TimePlot.Mark]

  let notes: [(text: String, x: Double, row: Int)]

  /// The last month with a value, and the highest other one.
  let last: Int?
  let highest: Int?

  /// Whether each column has a label: there are few, and their texts fit the usual width.
  let labelsAll: Bool

  /// A point of the line that can be drawn.
  struct Point {
    var value: Double
    var low: Double?
    var high: Double?
    var isDotted: Bool
  }

  /// Finds the places; a row of ``LineRows`` has the domain of all rows.
  init(_ plot: TimePlot, row domain: Domain? = nil) {
    self.plot = plot
    isRow = domain != nil
    columns = Columns(count: plot.months.count, left: 0, right: 100)
    points = plot.months.map(Self.point)
    stacks = plot.months.map(Self.stack)
    marks = Array(plot.marks.lazy.filter { plot.months.indices.contains($0.month) }.prefix(3))
    let domain = domain ?? Domain(Self.values(points) + Self.ends(stacks))
    ticks = Ticks(low: domain.low, high: domain.high, format: plot.format, limit: isRow ? 3 : 5)
    last = plot.months.indices.last { [points, stacks] in points[$0] != nil || stacks[$0] != nil }
    let others = points.indices.filter { [points, last] in
      $0 != last && points[$0].map { $0.value > 0 } == true
    }
    // Of equal ones the newest.
    highest =
      isRow
      ? nil
      : others.reversed().max { [points] in
        (points[$0]?.value ?? 0) < (points[$1]?.value ?? 0)
      }
    let widest = plot.months.map { TextStyle.label.width($0.text) }.max() ?? 0
    labelsAll =
      plot.months.count <= TimePlot.mostLabels
      && (widest + 4) * Double(plot.months.count) <= Self.usualWidth
    notes = Self.notes(plot, columns, marks)
    let rows = (notes.map(\.row).max() ?? -1) + 1
    let top = (stacks.contains { $0 != nil } ? 18 : 14) + 15 * Double(rows)
    scale = LinearScale(ticks, from: plot.height - 40, to: top)
  }

  /// The width of a plot beside a side table, in pixels.
  private static let usualWidth = 640.0

  /// Returns the values that the axis of some months must cover.
  static func values(_ months: [TimePlot.Month]) -> [Double] { values(months.map(point)) }

  private static func values(_ points: [Point?]) -> [Double] {
    points.compactMap { $0 }.flatMap { [$0.value, $0.low, $0.high].compactMap { $0 } }
  }

  /// Returns the upper and the lower ends of columns.
  private static func ends(_ stacks: [[TimePlot.Part]?]) -> [Double] {
    stacks.compactMap { $0 }.flatMap { parts in
      [true, false].map { isUp in
        parts.reduce(0) { ($1.value > 0) == isUp ? $0 + $1.value : $0 }
      }
    }
  }

  private static func point(_ month: TimePlot.Month) -> Point? {
    guard month.state != .noData, case .point(let value, let low, let high) = month.content,
      let value = value.plottable
    else { return nil }
    let ends = Interval.cleaned(low, high)
    let isDotted = month.state == .notAllSeen
    return Point(
      value: value, low: isDotted ? nil : ends.0, high: isDotted ? nil : ends.1,
      isDotted: isDotted)
  }

  private static func stack(_ month: TimePlot.Month) -> [TimePlot.Part]? {
    guard month.state != .noData, case .column(let parts) = month.content else { return nil }
    return parts.compactMap { part in
      guard let value = part.value.plottable, value != 0 else { return nil }
      var part = part
      part.value = value
      return part
    }
  }

  /// Returns months in a row that have a state.
  private static func runs(of state: TimePlot.State, in plot: TimePlot) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in plot.months.indices where plot.months[index].state == state {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }

  /// Returns the notes, each in the first row in which none stands near.
  private static func notes(
    _ plot: TimePlot, _ columns: Columns, _ marks: [TimePlot.Mark]
  ) -> [(text: String, x: Double, row: Int)] {
    let changing = runs(of: .canStillChange, in: plot).filter {
      Double($0.count) * columns.width >= 9 && !plot.changeNote.utf8.isEmpty
    }
    let wanted =
      changing.map { run in
        (plot.changeNote, columns.start(run.lowerBound) + Double(run.count) * columns.width / 2)
      } + marks.map { ($0.text, columns.center($0.month)) }
    var placed: [(text: String, x: Double, row: Int)] = []
    for (text, x) in wanted {
      let row = (0...).first { row in !placed.contains { $0.row == row && abs($0.x - x) < 48 } }
      placed.append((text: text, x: x, row: row ?? 0))
    }
    return placed
  }

  private var bottom: Double { plot.height - 40 }

  /// The upper end of grounds and marks.
  private var top: Double { scale.end - 8 }

  func draw(into svg: inout SVGWriter) {
    drawTicks(&svg)
    drawGrounds(&svg)
    if points.contains(where: { $0 != nil }) { drawLine(&svg) }
    for index in stacks.indices { drawStack(index, &svg) }
    drawLabels(&svg)
    if !isRow { drawMonths(&svg) }
    for (index, month) in plot.months.enumerated() where !month.title.utf8.isEmpty {
      let place = Rect(
        x: columns.start(index), y: top, width: columns.width, height: bottom - top)
      svg.box(place, "hit", title: month.title)
    }
  }

  /// Writes the labels of the months below the plot.
  func drawMonths(_ svg: inout SVGWriter) {
    let labels = plot.months.enumerated().map {
      (x: columns.center($0.offset), label: $0.element.label, year: $0.element.year)
    }
    svg.months(labels, y: bottom + 17, "ax m")
  }

  private func drawTicks(_ svg: inout SVGWriter) {
    for (value, text) in zip(ticks.values, ChartText.tickTexts(ticks, plot.format)) {
      let y = scale.position(value)
      svg.level(y, from: 0, to: 100, value == 0 ? "g0" : "g")
      // The name of a row stands between its outer ticks.
      let isOuter = value == ticks.low || value == ticks.high
      if isOuter || !isRow { svg.label(text, "ax e", x: "-8", y: y + 4) }
    }
  }

  private func drawGrounds(_ svg: inout SVGWriter) {
    let ground = { (run: Range<Int>) in
      Rect(
        x: columns.start(run.lowerBound), y: top, width: Double(run.count) * columns.width,
        height: bottom - top)
    }
    for run in Self.runs(of: .noData, in: plot) {
      let place = ground(run)
      svg.box(place, "gap")
      svg.label(
        plot.gapNote, "note m vt", x: Coordinate.percent(place.x + place.width / 2),
        y: (top + bottom) / 2)
    }
    for run in Self.runs(of: .canStillChange, in: plot) { svg.box(ground(run), "hb") }
    for mark in marks {
      svg.upright(columns.center(mark.month), from: top, to: bottom, "mk")
    }
    for note in notes {
      let anchor = note.x < 12 ? "note" : note.x > 88 ? "note e" : "note m"
      let x = note.x < 12 ? max(0, note.x - 6) : note.x > 88 ? min(100, note.x + 6) : note.x
      svg.label(note.text, anchor, x: Coordinate.percent(x), y: 12 + 15 * Double(note.row))
    }
  }

  private func drawLine(_ svg: inout SVGWriter) {
    svg.stretched(height: bottom) { svg in
      drawBand(&svg)
      var index = 0
      while index < points.count {
        guard let first = points[index] else {
          index += 1
          continue
        }
        var path = Path()
        path.move(x(index), scale.position(first.value))
        var end = index + 1
        // A part is dotted if one of its ends is.
        let isDotted = first.isDotted || next(index)?.isDotted == true
        while let point = next(end - 1),
          (points[end - 1]?.isDotted == true || point.isDotted) == isDotted
        {
          path.line(x(end), scale.position(point.value))
          end += 1
        }
        if end - 1 > index {
          svg.path(path, isDotted ? "ln lv dt" : "ln lv")
        } else if isDotted, index == 0 || points[index - 1] == nil {
          path.move(x(index) - 8, scale.position(first.value))
          path.horizontal(x(index) + 8)
          svg.path(path, "ln lv dt")
        }
        index = max(index + 1, next(end - 1) == nil ? end : end - 1)
      }
    }
    for (index, point) in points.enumerated() {
      guard let point, !point.isDotted else { continue }
      let state = plot.months[index].state
      let look = state == .incomplete ? "dot x" : state == .canStillChange ? "dot h" : "dot"
      svg.dot(
        columns.center(index), scale.position(point.value), radius: index == last ? 5 : 3.5, look)
    }
  }

  private func next(_ index: Int) -> Point? {
    index + 1 < points.count ? points[index + 1] : nil
  }

  /// Returns the middle of a month in the stretched drawing.
  private func x(_ index: Int) -> Double { columns.center(index) * 10 }

  private func drawBand(_ svg: inout SVGWriter) {
    var upper: [(x: Double, y: Double)] = []
    var lower: [(x: Double, y: Double)] = []
    for index in 0...points.count {
      if index < points.count, let point = points[index], let low = point.low,
        let high = point.high
      {
        upper.append((x: x(index), y: scale.position(high)))
        lower.append((x: x(index), y: scale.position(low)))
        continue
      }
      if upper.count == 1 {
        // The band of a single month, some pixels wide.
        upper = [(x: upper[0].x - 4, y: upper[0].y), (x: upper[0].x + 4, y: upper[0].y)]
        lower = [(x: upper[0].x, y: lower[0].y), (x: upper[1].x, y: lower[0].y)]
      }
      var path = Path()
      if !upper.isEmpty { path.polygon(upper + lower.reversed()) }
      svg.path(path, "band")
      (upper, lower) = ([], [])
    }
  }

  private func drawStack(_ index: Int, _ svg: inout SVGWriter) {
    guard let parts = stacks[index] else { return }
    var (up, down) = (0.0, 0.0)
    let (left, width) = (columns.start(index) + 0.16 * columns.width, 0.68 * columns.width)
    for part in parts {
      let from = part.value > 0 ? up : down
      let to = from + part.value
      if part.value > 0 { up = to } else { down = to }
      let edge = min(scale.position(from), scale.position(to))
      let height = abs(scale.position(to) - scale.position(from))
      // A pixel is left between parts.
      let place = Rect(x: left, y: edge, width: width, height: max(0.5, height - 1))
      svg.box(place, part.fill.rawValue)
      if part.isHatched { svg.box(place, "ho") }
    }
    if plot.months[index].state == .incomplete {
      let place = Rect(x: left, y: scale.position(up) - 3, width: width, height: 3)
      svg.box(place, ChartFill.missing.rawValue)
    }
  }

  /// Returns the class of the anchor of a label above a month: its start near the ticks, else its middle.
  private func anchor(_ index: Int) -> String { columns.center(index) < 18 ? "" : " m" }

  private func drawLabels(_ svg: inout SVGWriter) {
    let end = plot.months.indices.last
    if let last, let point = points[last] {
      let (x, y) = (Coordinate.percent(columns.center(last)), scale.position(point.value))
      let text = plot.months[last].text
      last == end
        ? svg.label(text, "val", x: x, dx: 10, y: y + 5)
        : svg.label(text, "val" + anchor(last), x: x, y: y - 12)
    }
    if let highest, let point = points[highest] {
      let y = scale.position(max(point.value, 0)) - 9
      let x = Coordinate.percent(columns.center(highest))
      let isNear = last.map { highest + 1 == $0 } == true
      svg.label(plot.months[highest].text, isNear ? "val2 e" : "val2" + anchor(highest), x: x, y: y)
    }
    for (index, parts) in stacks.enumerated() {
      guard let parts, labelsAll || index == last else { continue }
      let height = parts.reduce(0) { $1.value > 0 ? $0 + $1.value : $0 }
      let y = scale.position(height)
      let text = plot.months[index].text
      if labelsAll {
        let x = Coordinate.percent(columns.center(index))
        svg.label(text, index == last ? "val2 m" : "val2 m wl", x: x, y: y - 6)
      } else if index == end {
        svg.label(text, "val", x: "100%", dx: 7, y: y + 5)
      } else {
        let x = Coordinate.percent(columns.center(index))
        svg.label(text, "val" + anchor(index), x: x, y: y - 6)
      }
    }
  }
}
