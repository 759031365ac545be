import Charts
import SubreportTestSupport
import Testing

@Suite struct BarTests {
  private let words = FigureText(id: "x", title: "t", description: "d")

  @Test(arguments: seeds(100))
  func `stacked bars add up to the sums above and below zero`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...12, using: &random)
    let values = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      (0..<count).map { _ in Double(Int.random(in: -40...60, using: &random)) }
    }
    let chart = StackedBarChart(
      labels: (0..<count).map { "\($0)" },
      series: values.map { BarSeries(name: "x", values: $0) }, format: .count)
    let figure = try SVGParser.parse(chart.svg(words))
    let ticks = TickReader(vertical: figure)
    var above = Array(repeating: 0.0, count: count)
    var below = above
    let series = figure.all(of: "bars").map { PathData($0["d"] ?? "").boxes }
    let drawn = values.filter { $0.contains { $0 != 0 } }
    try #require(series.count == drawn.count)
    for (boxes, values) in zip(series, drawn) {
      let columns = values.indices.filter { values[$0] != 0 }
      try #require(boxes.count == columns.count)
      for (box, column) in zip(boxes, columns) {
        let value = values[column]
        let start = value > 0 ? above[column] : below[column]
        if value > 0 { above[column] += value } else { below[column] += value }
        #expect(ticks.matches(value > 0 ? box.bottom : box.top, start))
        #expect(ticks.matches(value > 0 ? box.top : box.bottom, start + value))
      }
    }
  }

  @Test(arguments: [(20.0, 1), (5_000.0, 2)])
  func `a line that does not fit the bars has a plot of its own`(value: Double, plots: Int) throws {
    let chart = StackedBarChart(
      labels: ["a", "b"], series: [BarSeries(name: "x", values: [40, -30])],
      line: LineSeries(name: "line", points: [LinePoint(value), LinePoint(value + 1)]),
      format: .count)
    let figure = try SVGParser.parse(chart.svg(words))
    let lowest = TickReader(vertical: figure).ticks.filter { $0.value == 0 }
    #expect(lowest.count == 1)
    let line = PathData(figure.all(of: "line")[0]["d"] ?? "").parts[0]
    let isAbove = line.allSatisfy {
      $0.y < PathData(figure.all(of: "bars")[0]["d"] ?? "").boxes[0].top
    }
    #expect(isAbove == (plots == 2))
  }

  @Test(arguments: [1.0, -1])
  func `a waterfall shows each total as a bar, although its axis does not begin at zero`(
    sign: Double
  ) throws {
    let chart = WaterfallChart(
      rows: [
        .total("sold", sign * 52.14), .step("refunded", sign * -5.12),
        .step("not settled", sign * -2.91), .total("settled", sign * 44.11),
        .total("owed", sign * 44.11),
      ], format: .amount(decimals: 2), startsAtZero: false, axisTitle: "GBP", width: 460)
    let figure = try SVGParser.parse(chart.svg(words))
    let texts = figure.all(named: "text").map(\.shown)
    #expect(texts.contains { $0.hasPrefix(sign > 0 ? "GBP (axis begins" : "GBP (axis ends") })
    let widths = Self.bars(figure).map { $0.right - $0.left }
    #expect(widths.count == 5 && widths.allSatisfy { $0 > 25 }, "\(widths)")
  }

  @Test(arguments: seeds(100))
  func `a waterfall ends at the sum of its steps`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let start = Double(Int.random(in: -200...2_000, using: &random))
    let steps = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      Double(Int.random(in: -300...300, using: &random))
    }
    let hasTotals = Bool.random(using: &random)
    var rows = steps.map { WaterfallRow.step("a step with a name", $0) }
    if hasTotals { rows = [.total("start", start)] + rows + [.total("end")] }
    let chart = WaterfallChart(
      rows: rows, format: .count, startsAtZero: Bool.random(using: &random))
    let figure = try SVGParser.parse(chart.svg(words))
    let ticks = TickReader(horizontal: figure)
    let zero = min(max(0, ticks.ticks[0].value), ticks.ticks.last?.value ?? 0)
    let bars = Self.bars(figure)
    try #require(bars.count == rows.count)
    var sum = hasTotals ? start : 0
    for (bar, row) in zip(bars, rows) {
      let from = row.kind == .total ? zero : sum
      if row.kind == .step { sum += row.value ?? 0 }
      #expect(ticks.matches(bar.left, min(from, sum)), "\(bar) \(from) \(sum)")
      #expect(ticks.matches(bar.right, max(from, sum)), "\(bar) \(from) \(sum)")
    }
    #expect(sum == (hasTotals ? start : 0) + steps.reduce(0, +))
    let last = figure.all.compactMap { $0["data-v"] }.last
    if hasTotals { #expect(last == "end: " + ValueFormat.count.text(sum)) }
  }

  @Test(arguments: seeds(100))
  func `horizontal bars go from zero to their values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows = (0..<Int.random(in: 1...9, using: &random)).map { _ in
      BarRow(
        name: "the name of a row", value: Double(Int.random(in: -99...99, using: &random)),
        mayBeChance: Bool.random(using: &random), isRest: Bool.random(using: &random))
    }
    let figure = try SVGParser.parse(BarChart(rows: rows, format: .count).svg(words))
    let ticks = TickReader(horizontal: figure)
    let bars = Self.bars(figure)
    try #require(bars.count == rows.count)
    for (bar, row) in zip(bars, rows) {
      #expect(ticks.matches(bar.left, min(0, row.value)))
      #expect(ticks.matches(bar.right, max(0, row.value)))
    }
    let dashed = figure.all(named: "rect").filter { $0["stroke-dasharray"] != nil }.count
    let chances = rows.filter(\.mayBeChance).count
    // One more in the legend.
    #expect(dashed == (chances > 0 ? chances + 1 : 0))
  }

  /// The rectangles 16 high, in the order of rows.
  private static func bars(_ figure: SVGElement) -> [(left: Double, right: Double)] {
    figure.all(named: "rect").filter { $0["height"] == "16" }.map { bar in
      let left = bar.number("x") ?? .nan
      return (left, left + (bar.number("width") ?? .nan))
    }
  }

  @Test func `parts of a share bar are as wide as their shares`() throws {
    let values = [1_200, 300.5, 0, 120, 4]
    let chart = ShareBar(parts: values.map { SharePart(name: "x", value: $0) })
    let figure = try SVGParser.parse(chart.svg(words))
    let widths = figure.all(named: "rect").filter { $0["data-v"] != nil }
      .compactMap { $0.number("width") }
    let sum = values.reduce(0, +)
    try #require(widths.count == 4)
    for (width, value) in zip(widths, values.filter { $0 > 0 }) {
      #expect(abs(width - value / sum * 720) < 0.06)
    }
  }
}
