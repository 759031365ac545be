import Charts
import SubreportTestSupport
import Testing

@Suite struct MarkupTests {
  private let words = FigureText(
    id: "a \"1\"", title: "<b>\u{202E}title\"\u{301}", description: "first\u{0}\nsecond & third")

  /// Title and description as they are printed.
  private let isolatedWords = [
    "\u{2068}<b>\u{202E}title\"\u{301}\u{2069}", "first\u{FFFD}\u{FFFD}second & third",
  ]

  @Test(arguments: seeds(200))
  func `is well-formed, safe and finite with hostile texts and values`(seed: UInt64) throws {
    var charts = RandomCharts(seed: seed, isHostile: true)
    for (name, chart) in charts.all() {
      let text = chart.svg(words)
      guard !chart.isEmpty else {
        #expect(text.isEmpty)
        continue
      }
      let figure = try SVGParser.parse(text)
      #expect(figure["role"] == "img" && figure["aria-labelledby"] == "a--1--title a--1--desc")
      #expect(figure.children.prefix(2).map(\.text) == isolatedWords)
      for element in figure.all {
        check(element, name)
      }
    }
  }

  private func check(_ element: SVGElement, _ name: String) {
    let known = [
      "svg", "title", "desc", "defs", "pattern", "g", "path", "rect", "text", "tspan",
    ]
    #expect(known.contains(element.name), "\(name)")
    #expect(element["style"] == nil && element["href"] == nil, "\(name)")
    #expect(!element.attributes.keys.contains { $0.hasPrefix("on") }, "\(name)")
    for attribute in ["x", "y", "width", "height"] {
      guard let value = element[attribute] else { continue }
      #expect(Double(value).map { abs($0) < 20_000 } == true, "\(name): \(attribute)=\(value)")
    }
    if let data = element["d"] {
      let letters = Set("MLHVZamlhvz0123456789.- ")
      #expect(data.allSatisfy(letters.contains), "\(name): \(data)")
    }
    if let data = element["data-v"] { #expect(element.title == data, "\(name)") }
    #expect(Self.isIsolated(element.text) && Self.isIsolated(element["data-v"] ?? ""), "\(name)")
  }

  /// Whether each mark that reverses text stands in an isolate.
  private static func isIsolated(_ text: String) -> Bool {
    var depth = 0
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{2068}": depth += 1
      case "\u{2069}": depth -= 1
      case "\u{202E}": if depth != 1 { return false }
      default: break
      }
      if !(0...1).contains(depth) { return false }
    }
    return true
  }

  @Test(arguments: seeds(50))
  func `is the same each time, and unlike figures have unlike ids`(seed: UInt64) throws {
    var first = RandomCharts(seed: seed, isHostile: false)
    var second = RandomCharts(seed: seed, isHostile: false)
    for (one, two) in zip(first.all(), second.all()) where !one.chart.isEmpty {
      #expect(one.chart.svg(words) == two.chart.svg(words))
      let other = FigureText(id: "b", title: "", description: "")
      let figures = try [one.chart.svg(words), two.chart.svg(other)].map(SVGParser.parse)
      let ids = figures.map { Set($0.all.compactMap { $0["id"] }) }
      #expect(ids[0].isDisjoint(with: ids[1]))
      for (figure, ids) in zip(figures, ids) {
        for fill in figure.all.compactMap({ $0["fill"] }) where fill.hasPrefix("url(#") {
          #expect(ids.contains(String(fill.dropFirst(5).dropLast())))
        }
      }
    }
  }

  @Test(arguments: seeds(50))
  func `a file of its own is well-formed too`(seed: UInt64) throws {
    var charts = RandomCharts(seed: seed, isHostile: true)
    for (_, chart) in charts.all() where !chart.isEmpty {
      let text = chart.svgFile(words)
      #expect(text.last == "\n")
      let figure = try SVGParser.parse(String(text.dropLast()))
      #expect(figure["xmlns"] == "http://www.w3.org/2000/svg" && figure["color"] == "#1a1a1a")
    }
  }

  @Test func `a file says what its values are limited to, in lines that fit`() throws {
    let chart = LineChart(
      labels: ["a", "b"], series: [LineSeries(name: "x", points: [LinePoint(1), LinePoint(2)])],
      format: .count, width: 460)
    let narrowing =
      "only country " + (0..<40).map { "C\($0)" }.joined(separator: " or ") + " & <product>"
    let words = FigureText(
      id: "a", title: "Churn rate by month", description: "It rose.", narrowing: narrowing)
    let text = chart.svgFile(words)
    let figure = try SVGParser.parse(String(text.dropLast()))
    let title = try #require(figure.all.first { $0.name == "title" })
    #expect(title.text.contains("Churn rate by month (\(narrowing))"))
    let description = try #require(figure.all.first { $0.name == "desc" })
    #expect(description.text.contains("It rose. These are the numbers of \(narrowing)."))
    let lines = figure.all.filter { $0.name == "text" }.map(\.text)
    #expect(lines.first == "Churn rate by month")
    let drawn = lines.dropFirst().prefix(2)
    #expect(drawn.first?.hasPrefix("only country C0 or C1") == true && drawn.last?.last == "…")
    #expect(drawn.allSatisfy { TextWidth.of($0, size: 12) <= 460 })
    let box = (figure["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
    #expect(box.count == 4 && box[1] < -50 && Double(figure["height"] ?? "") == box[3])
    // On a page the heading is the page's own.
    #expect(!chart.svg(words).contains("<text x=\"0\""))
  }

  @Test func `is empty without values`() {
    let charts: [any Chart] = [
      LineChart(labels: [], series: [], format: .count),
      LineChart(
        labels: ["a"], series: [LineSeries(name: "x", points: [nil])], format: .count),
      LineChart(
        labels: [], series: [LineSeries(name: "x", points: [LinePoint(1)])], format: .count),
      StackedBarChart(
        labels: ["a"], series: [BarSeries(name: "x", values: [.nan])], format: .count),
      BarChart(rows: [BarRow(name: "x", value: .infinity)], format: .count),
      WaterfallChart(rows: [], format: .count),
      StepChart(series: [StepSeries(name: "x", steps: [])], xTitle: ""),
      CalendarChart(
        rows: [CalendarRow(name: "x", days: [nil, 0])], states: [], firstWeekday: 0, labels: []),
      ForestPlot(rows: [ForestRow(name: "x", estimate: .nan)], format: .count),
      ShareBar(parts: [SharePart(name: "x", value: 0), SharePart(name: "y", value: -1)]),
    ]
    for chart in charts {
      #expect(chart.isEmpty && chart.svg(words).isEmpty && chart.svgFile(words).isEmpty)
    }
  }
}
