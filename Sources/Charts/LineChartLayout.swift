/// The places of all parts of a ``LineChart``.
struct LineChartLayout {
  private let chart: LineChart
  private let series: [LineSeries]
  private let axis: ValueAxis
  private let endLabels: EndLabels
  private let columns: Columns
  private let events: EventLayer
  private let plot: Rect

  private static let plotHeight = 220.0

  /// Measures the chart.
  init(_ chart: LineChart) {
    self.chart = chart
    series = chart.cleanedSeries
    axis = ValueAxis(
      series.flatMap(\.values), chart.format, startsAtZero: chart.startsAtZero,
      title: chart.axisTitle)
    endLabels = EndLabels(
      series.map { ($0.name, $0.lastPoint?.text(chart.format)) },
      share: min(chart.width * 0.34, chart.width - axis.labelWidth - 40))
    columns = Columns(
      count: chart.labels.count, left: axis.labelWidth,
      right: max(axis.labelWidth + 40, chart.width - endLabels.width))
    events = EventLayer(chart.marks, columns: columns, width: chart.width)
    let height = max(Self.plotHeight, Double(series.count + 1) * EndLabels.gap)
    plot = Rect(
      x: columns.left, y: axis.titleHeight + events.height + 8,
      width: columns.right - columns.left, height: height)
  }

  /// Writes the chart and returns its height.
  func draw(into svg: inout SVGWriter) -> Double {
    let scale = axis.scale(in: plot)
    axis.drawTitle(into: &svg, y: 0, width: chart.width)
    svg.hatch(
      columns.indices.filter { isProvisional($0) }, columns: columns, plot: plot)
    axis.draw(into: &svg, plot: plot)
    events.drawLines(into: &svg, columns: columns, plot: plot)
    LinePanel(series: series, columns: columns, plot: plot, scale: scale).draw(into: &svg)
    endLabels.draw(into: &svg, points: lastPoints(scale), plot: plot)
    events.drawLabels(into: &svg, plot: plot)
    LabelAxis(chart.labels, columns: columns, width: chart.width).draw(into: &svg, y: plot.bottom)
    for index in columns.indices {
      let lines = text(at: index)
      if lines.count > 1 { svg.hit(columns.rect(index, in: plot), lines) }
    }
    return drawKey(into: &svg, y: plot.bottom + LabelAxis.height)
  }

  private func isProvisional(_ index: Int) -> Bool {
    series.contains { $0.points[index]?.isProvisional == true }
  }

  private func lastPoints(_ scale: LinearScale) -> [(x: Double, y: Double)] {
    series.compactMap { line in
      guard let index = line.points.lastIndex(where: { $0 != nil }),
        let point = line.points[index]
      else { return nil }
      return (columns.center(index), scale.position(point.value))
    }
  }

  /// The text under the pointer: the label, the value of each line, the events.
  private func text(at index: Int) -> [String] {
    let values = series.compactMap { line -> String? in
      guard let point = line.points[index] else { return nil }
      let description = point.description(chart.format)
      return line.name.isEmpty ? description : line.name.isolated + ": " + description
    }
    return [chart.labels[index].isolated] + values + events.labels(at: index)
  }

  /// Names the lines that have no room for it, and explains hollow points and crosses; returns the lower end.
  private func drawKey(into svg: inout SVGWriter, y: Double) -> Double {
    let points = series.flatMap(\.points)
    var items = endLabels.legend
    if points.contains(where: { $0?.isProvisional == true }) {
      items.append((.provisional, ChartWords.provisional))
    }
    if points.contains(where: { $0?.isPartial == true }) {
      items.append((.partial, ChartWords.partial))
    }
    let legend = Legend(items: items)
    let width = max(80, chart.width - plot.x)
    legend.draw(into: &svg, x: plot.x, y: y + 2, width: width)
    return y + (items.isEmpty ? 0 : legend.height(in: width) + 2)
  }
}
