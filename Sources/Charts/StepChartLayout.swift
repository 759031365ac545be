/// The places of all parts of a ``StepChart``.
struct StepChartLayout {
  private let chart: StepChart
  private let series: [StepSeries]
  private let axis: ValueAxis
  private let endLabels: EndLabels
  private let plot: Rect
  private let x: LinearScale
  private let y: LinearScale

  private static let plotHeight = 260.0
  private static let tickWidth = 40.0

  /// Measures the chart.
  init(_ chart: StepChart) {
    self.chart = chart
    let series = chart.cleanedSeries
    self.series = series
    let steps = series.flatMap(\.steps)
    let values = steps.flatMap { Interval.values($0.value, $0.low, $0.high) }
    axis = ValueAxis(
      values + (chart.format == .percent ? [1] : []), chart.format, startsAtZero: true,
      title: chart.axisTitle)
    endLabels = EndLabels(
      series.map { ($0.name, $0.steps.last.map { chart.format.text($0.value) }) },
      share: min(chart.width * 0.34, chart.width - axis.labelWidth - 40))
    let left = axis.labelWidth
    let right = max(left + 40, chart.width - endLabels.width)
    plot = Rect(
      x: left, y: axis.titleHeight + 8, width: right - left,
      height: max(Self.plotHeight, Double(series.count + 1) * EndLabels.gap))
    let last = steps.map(\.x).max() ?? 0
    x = LinearScale(low: 0, high: Double(max(1, last)), from: left, to: right)
    y = axis.scale(in: plot)
  }

  /// Writes the chart and returns its height.
  func draw(into svg: inout SVGWriter) -> Double {
    axis.drawTitle(into: &svg, y: 0, width: chart.width)
    axis.draw(into: &svg, plot: plot)
    drawXAxis(into: &svg)
    // Many bands in one place would be a dark patch.
    let opacity = series.count > 3 ? "0.08" : "0.14"
    for (index, curve) in series.enumerated().reversed() {
      let band = band(of: curve)
      guard !band.isEmpty else { continue }
      svg.group(SeriesStyle(index)) { svg in
        svg.path(band, ["class": "band", "fill": "currentColor", "fill-opacity": opacity])
      }
    }
    for (index, curve) in series.enumerated().reversed() {
      let style = SeriesStyle(index)
      svg.group(style) { drawCurve(curve, style, into: &$0) }
    }
    let ends = series.compactMap { curve in
      curve.steps.last.map { (x: x.position(Double($0.x)), y: y.position($0.value)) }
    }
    endLabels.draw(into: &svg, points: ends, plot: plot)
    drawHits(into: &svg)
    let bottom = plot.bottom + (chart.xTitle.isEmpty ? LabelAxis.height : LabelAxis.height + 18)
    let legend = Legend(items: endLabels.legend)
    let width = max(80, chart.width - plot.x)
    legend.draw(into: &svg, x: plot.x, y: bottom + 2, width: width)
    return bottom + (endLabels.legend.isEmpty ? 0 : legend.height(in: width) + 2)
  }

  private func drawXAxis(into svg: inout SVGWriter) {
    let limit = max(3, min(13, Int(plot.width / Self.tickWidth)))
    let ticks = Ticks(low: 0, high: x.high, format: .count, limit: limit)
    var marks = Path()
    for (value, text) in zip(ticks.values, ticks.texts(.count)) where value <= x.high {
      let place = x.position(value)
      marks.move(place, plot.bottom)
      marks.vertical(plot.bottom + 4)
      svg.text(text, x: place, middle: plot.bottom + 14, .small, anchor: .middle)
    }
    svg.rule(marks, opacity: 0.7)
    guard !chart.xTitle.isEmpty else { return }
    svg.name(
      chart.xTitle, width: plot.width, x: plot.x + plot.width / 2,
      middle: plot.bottom + LabelAxis.height + 8, .small, anchor: .middle)
  }

  private func drawCurve(
    _ curve: StepSeries, _ style: SeriesStyle, into svg: inout SVGWriter
  ) {
    var path = Path()
    for step in curve.steps {
      let (x, y) = (x.position(Double(step.x)), y.position(step.value))
      if path.isEmpty {
        path.move(x, y)
      } else {
        path.horizontal(x)
        path.vertical(y)
      }
    }
    let dashes: Attributes = style.dashes.map { ["stroke-dasharray": $0] } ?? [:]
    svg.path(
      path,
      ["class": "line", "fill": "none", "stroke": "currentColor", "stroke-width": "2"] + dashes)
    guard let last = curve.steps.last else { return }
    var marker = Path()
    style.marker.add(
      to: &marker, x.position(Double(last.x)), y.position(last.value), radius: 3.5)
    svg.path(marker, ["fill": "currentColor"])
  }

  private func band(of curve: StepSeries) -> Path {
    var path = Path()
    var corners: [(x: Double, low: Double, high: Double)] = []
    for (index, step) in curve.steps.enumerated() {
      guard let low = step.low, let high = step.high else {
        add(&corners, to: &path)
        continue
      }
      let isLast = index + 1 == curve.steps.count
      let end = isLast ? step.x : curve.steps[index + 1].x
      for place in [step.x, end] {
        corners.append((x.position(Double(place)), y.position(low), y.position(high)))
      }
    }
    add(&corners, to: &path)
    return path
  }

  /// Adds a part of a band, and begins the next.
  private func add(_ corners: inout [(x: Double, low: Double, high: Double)], to path: inout Path) {
    if !corners.isEmpty {
      path.polygon(corners.map { ($0.x, $0.high) } + corners.reversed().map { ($0.x, $0.low) })
    }
    corners = []
  }

  /// Writes a place under the pointer around each x, as far as half way to its neighbours.
  private func drawHits(into svg: inout SVGWriter) {
    let places = Set(series.flatMap { $0.steps.map(\.x) }).sorted()
    for (index, place) in places.enumerated() {
      let before = index > 0 ? places[index - 1] : place
      let after = index + 1 < places.count ? places[index + 1] : place
      let left = index > 0 ? x.position(Double(before + place) / 2) : x.position(Double(place)) - 6
      let right =
        index + 1 < places.count
        ? x.position(Double(place + after) / 2) : x.position(Double(place)) + 6
      let title = chart.xTitle.isEmpty ? "" : chart.xTitle.isolated + " "
      svg.hit(
        Rect(x: left, y: plot.y, width: right - left, height: plot.height),
        [title + ValueFormat.count.text(Double(place))] + series.compactMap { text($0, at: place) })
    }
  }

  /// Returns the value of a curve at an x; nil before its first and after its last step.
  private func text(_ curve: StepSeries, at place: Int) -> String? {
    guard let last = curve.steps.last, place <= last.x,
      let step = curve.steps.last(where: { $0.x <= place })
    else { return nil }
    var words = chart.format.text(step.value)
    if let low = step.low, let high = step.high {
      words += ChartWords.interval(chart.format.text(low), chart.format.text(high))
    }
    if !step.note.isEmpty { words += ", " + step.note.isolated }
    return curve.name.isEmpty ? words : curve.name.isolated + ": " + words
  }
}
