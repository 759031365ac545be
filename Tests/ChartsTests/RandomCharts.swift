import Charts
import SubreportTestSupport

/// Charts of all kinds with random values and texts, among them the worst.
struct RandomCharts {
  private var random: SeededGenerator

  /// Whether texts and values are hostile; otherwise they are ordinary names and numbers.
  let isHostile: Bool

  /// The form of all values; ordinary ones of `.percent` are from -1 to 1.
  let format: ValueFormat

  init(seed: UInt64, isHostile: Bool) {
    random = SeededGenerator(seed: seed)
    self.isHostile = isHostile
    let formats: [ValueFormat] = [.count, .percent, .amount(decimals: 2), .amount(decimals: 0)]
    format = formats[Int.random(in: 0...3, using: &random)]
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

  mutating func text() -> String {
    let texts = isHostile ? Self.hostileTexts : Self.names
    return texts[integer(0...texts.count - 1)]
  }

  mutating func value() -> Double {
    if isHostile, chance(40) {
      return Self.hostileValues[integer(0...Self.hostileValues.count - 1)]
    }
    return Double(integer(-1_000...1_000)) / (format == .percent ? 1_000 : 100)
  }

  mutating func many<T>(_ range: ClosedRange<Int>, _ make: (inout RandomCharts) -> T) -> [T] {
    let count = integer(range)
    return (0..<count).map { _ in make(&self) }
  }

  mutating func chance(_ percent: Int) -> Bool { integer(1...100) <= percent }

  /// Returns the text of an axis or label: short, as all of the program's own, unless texts are hostile.
  mutating func short() -> String {
    isHostile ? text() : ["≤ 9.2%", "1,260", "5,534", "0"][integer(0...3)]
  }
}

/// One chart of each kind.
extension RandomCharts {
  static let states: [TimePlot.State] = [
    .settled, .canStillChange, .incomplete, .notAllSeen, .noData,
  ]

  /// Returns a chart of each kind with its name.
  mutating func all() -> [(name: String, chart: any Chart)] {
    [
      ("line", plot(isLine: true)), ("columns", plot(isLine: false)), ("lines", lineRows()),
      ("waterfall", waterfall()), ("intervals", intervals()), ("strips", strips()),
    ]
  }

  mutating func months(isLine: Bool, _ count: Int) -> [TimePlot.Month] {
    (0..<count).map { place in
      let value = value()
      let half = abs(self.value()) / 4
      let content: TimePlot.Content =
        isLine
        ? .point(value, low: chance(60) ? value - half : nil, high: value + half)
        : .column(
          many(0...4) {
            TimePlot.Part(
              $0.value(), ChartFill.allCases[$0.integer(0...ChartFill.allCases.count - 1)],
              isHatched: $0.chance(20))
          })
      let state = Self.states[chance(60) ? 0 : integer(0...Self.states.count - 1)]
      return TimePlot.Month(
        isHostile ? text() : "Sep", year: isHostile ? text() : "\(2020 + place / 12)",
        chance(10) ? nil : content, state: state, text: short(), title: text())
    }
  }

  mutating func plot(isLine: Bool) -> TimePlot {
    let months = months(isLine: isLine, integer(0...30))
    return TimePlot(
      months, format,
      marks: many(0...5) {
        TimePlot.Mark(
          month: $0.integer(-1...30), $0.isHostile ? $0.text() : "Pro Monthly +8% US")
      })
  }

  mutating func lineRows() -> LineRows {
    let count = integer(0...30)
    return LineRows(
      many(0...6) { LineRows.Row($0.text(), $0.months(isLine: true, count)) }, format)
  }

  mutating func waterfall() -> Waterfall {
    let kinds: [Waterfall.Kind] = [
      .flow, .unexplained, .change(isBetter: true), .change(isBetter: false), .stock(),
      .stock(isIncomplete: true),
    ]
    let first = Waterfall.Row(text(), .stock(), value(), text: short())
    return Waterfall(
      [first]
        + many(0...8) {
          Waterfall.Row($0.text(), kinds[$0.integer(0...5)], $0.value(), text: $0.short())
        })
  }

  mutating func intervals() -> IntervalRows {
    IntervalRows(
      many(0...8) { charts in
        let value = charts.value()
        return IntervalRows.Row(
          charts.text(), charts.chance(90) ? value : nil, low: value - abs(charts.value()),
          high: charts.chance(80) ? value + abs(charts.value()) : nil, text: charts.short(),
          mark: charts.chance(50) ? charts.value() : nil, markText: charts.short())
      }, format)
  }

  mutating func strips() -> DayStrips {
    let days = integer(0...900)
    let states: [DayStrips.State] = [.there, .missing, .hollow, .unexpected]
    return DayStrips(
      many(0...5) { charts in
        let title = charts.text()
        return DayStrips.Strip(
          charts.text(), (0..<days).map { _ in states[charts.integer(0...3)] },
          title: { _, _ in title })
      }, days: days,
      months: (0..<days / 30).map {
        DayStrips.Month(isHostile ? text() : "Sep", year: "\(2024 + $0 / 12)", day: $0 * 30)
      })
  }
}
