/// The places of all parts of a ``StackedBarChart``.
struct StackedBarLayout {
  private let chart: StackedBarChart
  private let values: [[Double?]]
  private let stacks: Stacks
  private let line: LineSeries?
  private let axis: ValueAxis

  /// The axis of a line that has a plot of its own.
  private let lineAxis: ValueAxis?
  private let endLabels: EndLabels
  private let columns: Columns
  private let events: EventLayer
  private let legend: Legend
  private let plot: Rect

  /// The plot of the line: that of the bars, or one above it.
  private let linePlot: Rect

  private static let gap = 4.0
  private static let plotHeight = 220.0
  private static let lineHeight = 90.0

  /// Measures the chart.
  init(_ chart: StackedBarChart) {
    self.chart = chart
    let count = chart.labels.count
    values = chart.series.map { $0.cleaned(count) }
    let stacks = Stacks(values, count: count)
    self.stacks = stacks
    let cleaned = chart.line?.cleaned(count)
    line = cleaned.flatMap { $0.values.isEmpty ? nil : $0 }
    let sharesAxis = line.map { Self.fits($0, over: stacks, chart) } ?? true
    let shared = sharesAxis ? line?.values ?? [] : []
    axis = ValueAxis(
      stacks.ends + shared, chart.format, startsAtZero: true, title: chart.axisTitle)
    lineAxis = sharesAxis ? nil : line.map { Self.axis(of: $0, chart.lineFormat) }
    endLabels = EndLabels(
      line.map { [("", $0.lastPoint?.text(chart.lineFormat))] } ?? [], share: chart.width * 0.25,
      hasColours: false)
    let left = max(axis.labelWidth, lineAxis?.labelWidth ?? 0)
    columns = Columns(
      count: count, left: left, right: max(left + 40, chart.width - max(4, endLabels.width)))
    events = EventLayer(chart.marks, columns: columns, width: chart.width)
    legend = Self.legend(chart, line: sharesAxis ? line : nil)
    var y =
      legend.height(in: chart.width) + Self.gap + (lineAxis ?? axis).titleHeight + events.height + 8
    let width = columns.right - left
    let above = Rect(x: left, y: y, width: width, height: Self.lineHeight)
    if lineAxis != nil { y = above.bottom + 24 + axis.titleHeight }
    plot = Rect(x: left, y: y, width: width, height: Self.plotHeight)
    linePlot = lineAxis == nil ? plot : above
  }

  /// Whether a line can be read on the axis of the bars.
  private static func fits(_ line: LineSeries, over stacks: Stacks, _ chart: StackedBarChart)
    -> Bool
  {
    guard chart.lineFormat == chart.format else { return false }
    let bars = stacks.ends.map(\.magnitude).max() ?? 0
    let highest = line.values.map(\.magnitude).max() ?? 0
    return highest <= 2 * bars && bars <= 8 * highest
  }

  private static func axis(of line: LineSeries, _ format: ValueFormat) -> ValueAxis {
    ValueAxis(line.values, format, startsAtZero: false, title: line.name, limit: 4)
  }

  private static func legend(_ chart: StackedBarChart, line: LineSeries?) -> Legend {
    var items = chart.series.enumerated().map { index, series in
      (symbol: Symbol.bar(SeriesStyle(index)), name: series.name)
    }
    if let line { items.append((.line, line.name)) }
    let isProvisional = chart.provisional.contains { 0..<chart.labels.count ~= $0 }
    if isProvisional { items.append((.provisional, ChartWords.provisional)) }
    if line?.points.contains(where: { $0?.isPartial == true }) == true {
      items.append((.partial, ChartWords.partial))
    }
    return Legend(items: items)
  }

  /// Writes the chart and returns its height.
  func draw(into svg: inout SVGWriter) -> Double {
    legend.draw(into: &svg, x: 0, y: 0, width: chart.width)
    let top = legend.height(in: chart.width) + Self.gap
    let whole = Rect(
      x: plot.x, y: linePlot.y, width: plot.width, height: plot.bottom - linePlot.y)
    svg.hatch(
      chart.provisional.filter { columns.indices ~= $0 }, columns: columns, plot: whole)
    if let lineAxis {
      lineAxis.drawTitle(into: &svg, y: top, width: chart.width)
      axis.drawTitle(into: &svg, y: linePlot.bottom + 18, width: chart.width)
      lineAxis.draw(into: &svg, plot: linePlot)
    } else {
      axis.drawTitle(into: &svg, y: top, width: chart.width)
    }
    axis.draw(into: &svg, plot: plot)
    let scale = axis.scale(in: plot)
    drawBars(into: &svg, scale)
    events.drawLines(into: &svg, columns: columns, plot: whole)
    drawLine(into: &svg, (lineAxis ?? axis).scale(in: linePlot))
    events.drawLabels(into: &svg, plot: whole)
    LabelAxis(chart.labels, columns: columns, width: chart.width).draw(into: &svg, y: plot.bottom)
    for index in columns.indices {
      let lines = text(at: index)
      if lines.count > 1 { svg.hit(columns.rect(index, in: whole), lines) }
    }
    return plot.bottom + LabelAxis.height
  }

  private func drawBars(into svg: inout SVGWriter, _ scale: LinearScale) {
    let width = min(columns.width * 0.72, 44)
    for (index, parts) in stacks.parts.enumerated() {
      var path = Path()
      for (column, part) in parts.enumerated() {
        guard let part, part.from != part.to else { continue }
        let top = scale.position(max(part.from, part.to))
        let bottom = scale.position(min(part.from, part.to))
        path.rect(
          Rect(
            x: columns.center(column) - width / 2, y: top, width: width, height: bottom - top))
      }
      let style = SeriesStyle(index)
      let fill = svg.fill(style)
      svg.group(style) { svg in
        svg.path(
          path,
          [
            "class": "bars gap", "fill": fill, "stroke": Palette.paper, "stroke-width": "0.8",
          ])
      }
    }
    var zero = Path()
    zero.move(plot.x, scale.position(0))
    zero.horizontal(plot.right)
    svg.rule(zero, opacity: 0.8)
  }

  private func drawLine(into svg: inout SVGWriter, _ scale: LinearScale) {
    guard let line else { return }
    LinePanel(
      series: [line], columns: columns, plot: linePlot, scale: scale, hasColours: false,
      hasEdge: lineAxis == nil
    ).draw(into: &svg)
    guard let index = line.points.lastIndex(where: { $0 != nil }), let point = line.points[index]
    else { return }
    endLabels.draw(
      into: &svg, points: [(columns.center(index), scale.position(point.value))], plot: linePlot)
  }

  /// The text under the pointer: the label, the value of each part, the line, the events.
  private func text(at index: Int) -> [String] {
    var label = chart.labels[index].isolated
    if chart.provisional.contains(index) { label += ", " + ChartWords.provisional }
    var lines = [label]
    for (series, values) in zip(chart.series, values) {
      guard let value = values[index] else { continue }
      lines.append(series.name.isolated + ": " + chart.format.text(value))
    }
    if let line, let point = line.points[index] {
      lines.append(line.name.isolated + ": " + point.description(chart.lineFormat))
    }
    return lines + events.labels(at: index)
  }
}
