import Charts
import SubreportTestSupport

/// Charts of all kinds with random values and texts, among them the worst.
struct RandomCharts {
  private var random: SeededGenerator

  /// Whether texts and values are hostile; otherwise they are ordinary names and numbers.
  private let isHostile: Bool

  init(seed: UInt64, isHostile: Bool) {
    random = SeededGenerator(seed: seed)
    self.isHostile = isHostile
  }

  static let hostileTexts = [
    "<script>alert(1)</script>", "\"'><img src=x onerror=y>", "quote\"\u{301} and <\u{338}",
    "</style>",
    "\u{202E}reversed", "isolate\u{2069}\u{202E}ends", "שלום",
    "a\u{0}b\u{7}c\u{1B}[31m\u{85}\u{7F}",
    String(repeating: "long name ", count: 20), "👩‍👩‍👧‍👦🇩🇪", "line\nfeed\ttab\r", "]]>", "&amp;", "",
    "url(#x)", "漢字のとても長い名前漢字のとても長い名前", "\u{FFFE}\u{FFFF}", "${x}`\\", "e\u{301}\u{301}\u{301}",
  ]

  static let names = [
    "Pro Monthly", "Basic", "Team, yearly", "Germany", "United States", "all others", "Jul 2026",
    "A very long name of a product that nobody can read to its end without a break", "x",
  ]

  static let hostileValues = [
    0, -0.0, 1, -1, .nan, .infinity, -.infinity, 1e308, -1e308, 1e290, .leastNonzeroMagnitude,
    -1e-300, 1e-12,
    1e15, 123_456_789.125, 0.1, 1.0 / 3, 4_294_967_296, -2_500,
  ]

  mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func chance(_ percent: Int) -> Bool { integer(1...100) <= percent }

  mutating func text() -> String {
    let texts = isHostile ? Self.hostileTexts : Self.names
    return texts[integer(0...texts.count - 1)]
  }

  mutating func value() -> Double {
    if isHostile, chance(40) {
      return Self.hostileValues[integer(0...Self.hostileValues.count - 1)]
    }
    return Double(integer(-1_000...1_000)) / 100
  }

  mutating func positive() -> Double { abs(value()) }

  mutating func width() -> Double { [240, 360, 720, 1_000][integer(0...3)] }

  mutating func format() -> ValueFormat {
    [.count, .percent, .points, .amount(decimals: 2), .amount(decimals: 0)][integer(0...4)]
  }

  mutating func many<T>(_ range: ClosedRange<Int>, _ make: (inout RandomCharts) -> T) -> [T] {
    let count = integer(range)
    return (0..<count).map { _ in make(&self) }
  }

  mutating func point() -> LinePoint? {
    if chance(15) { return nil }
    let value = value()
    let half = abs(self.value()) / 4
    let hasInterval = chance(60)
    return LinePoint(
      value, low: hasInterval ? value - half : nil, high: hasInterval ? value + half : nil,
      isProvisional: chance(20), isPartial: chance(10), text: chance(10) ? text() : nil)
  }

  mutating func line(_ count: Int) -> LineSeries {
    let points = many(max(0, count - 2)...count + 1) { $0.point() }
    return LineSeries(name: text(), points: points)
  }

  mutating func marks(_ count: Int) -> [EventMark] {
    many(0...5) { EventMark(index: $0.integer(-1...max(1, count)), label: $0.text()) }
  }
}

/// One chart of each kind.
extension RandomCharts {
  /// Returns a chart of each kind with its name.
  mutating func all() -> [(name: String, chart: any Chart)] {
    [
      ("line", lineChart()), ("stack", stackedBarChart()), ("bar", barChart()),
      ("waterfall", waterfall()), ("step", stepChart()),
      ("calendar", calendar()), ("forest", forest()), ("share", shareBar()),
    ]
  }

  mutating func lineChart() -> LineChart {
    let labels = many(0...30) { $0.text() }
    return LineChart(
      labels: labels, series: many(0...9) { $0.line(labels.count) }, marks: marks(labels.count),
      format: format(), startsAtZero: chance(50), axisTitle: text(), width: width())
  }

  mutating func stackedBarChart() -> StackedBarChart {
    let labels = many(0...30) { $0.text() }
    let series = many(0...8) { charts in
      BarSeries(
        name: charts.text(),
        values: charts.many(0...labels.count) { $0.chance(10) ? nil : $0.value() })
    }
    return StackedBarChart(
      labels: labels, series: series, line: chance(60) ? line(labels.count) : nil,
      marks: marks(labels.count), provisional: Set(many(0...3) { $0.integer(-1...31) }),
      format: format(), lineFormat: chance(50) ? format() : nil, axisTitle: text(), width: width())
  }

  mutating func barChart() -> BarChart {
    let rows = many(0...9) { charts in
      let value = charts.value()
      let half = charts.positive()
      return BarRow(
        name: charts.text(), value: value, low: charts.chance(50) ? value - half : nil,
        high: charts.chance(80) ? value + half : nil, mayBeChance: charts.chance(30),
        isRest: charts.chance(20), text: charts.chance(10) ? charts.text() : nil)
    }
    return BarChart(
      rows: rows, format: format(), isSigned: chance(50), axisTitle: text(), width: width())
  }

  mutating func waterfall() -> WaterfallChart {
    var rows = many(0...8) { charts in
      charts.chance(15)
        ? WaterfallRow.total(charts.text()) : .step(charts.text(), charts.value())
    }
    if chance(70) { rows.insert(.total(text(), value()), at: 0) }
    if chance(70) { rows.append(.total(text())) }
    return WaterfallChart(
      rows: rows, format: format(), startsAtZero: chance(50), axisTitle: text(), width: width())
  }

  mutating func stepChart() -> StepChart {
    let series = many(0...7) { charts in
      StepSeries(
        name: charts.text(),
        steps: charts.many(0...20) { charts in
          let value = charts.value()
          return Step(
            x: charts.integer(-1...25), value: value,
            low: charts.chance(60) ? value - charts.positive() : nil, high: value + 1,
            note: charts.text())
        })
    }
    return StepChart(
      series: series, format: format(), axisTitle: text(), xTitle: text(), width: width())
  }

  mutating func calendar() -> CalendarChart {
    let shapes: [CalendarState.Shape] = [.full, .hollow, .crossed, .half, .dot]
    let rows = many(0...4) { charts in
      CalendarRow(
        name: charts.text(),
        days: charts.many(0...900) { $0.chance(5) ? nil : $0.integer(-1...5) })
    }
    return CalendarChart(
      rows: rows, states: shapes.map { CalendarState(name: text(), shape: $0) },
      firstWeekday: integer(0...6),
      labels: (0..<integer(0...30)).map { CalendarLabel(day: $0 * 30, text: text()) },
      width: width())
  }

  mutating func forest() -> ForestPlot {
    let rows = many(0...8) { charts in
      let value = charts.value()
      return ForestRow(
        name: charts.text(), estimate: value, low: value - charts.positive(),
        high: charts.chance(80) ? value + charts.positive() : nil,
        group: charts.chance(50) ? charts.text() : "")
    }
    return ForestPlot(
      rows: rows, format: format(), reference: chance(20) ? nil : value(), isSigned: chance(50),
      axisTitle: text(), width: width())
  }

  mutating func shareBar() -> ShareBar {
    ShareBar(
      parts: many(0...8) { SharePart(name: $0.text(), value: $0.value()) }, format: format(),
      width: width())
  }
}
