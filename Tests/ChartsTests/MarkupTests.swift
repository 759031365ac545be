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
      #expect(figure["role"] == "img" && figure["aria-labelledby"] == "ta--1- da--1-")
      #expect(figure.children.prefix(2).map(\.text) == isolatedWords)
      for element in figure.all {
        check(element, name)
      }
    }
  }

  private func check(_ element: SVGElement, _ name: String) {
    let known = [
      "svg", "title", "desc", "path", "rect", "text", "line", "circle", "defs", "pattern", "style",
    ]
    #expect(known.contains(element.name), "\(name)")
    #expect(element["style"] == nil && element["href"] == nil, "\(name)")
    #expect(!element.attributes.keys.contains { $0.hasPrefix("on") }, "\(name)")
    for attribute in ["x", "y", "width", "height", "x1", "x2", "y1", "y2", "cx", "cy", "r"] {
      guard let value = element[attribute] else { continue }
      let number = value.last == "%" ? value.dropLast() : value[...]
      #expect(Double(number).map { abs($0) < 20_000 } == true, "\(name): \(attribute)=\(value)")
    }
    if let data = element["d"] {
      let letters = Set("MLHVZamlhvz0123456789.- ")
      #expect(data.allSatisfy(letters.contains), "\(name): \(data)")
    }
    #expect(Self.isIsolated(element.text), "\(name)")
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
      #expect(ids.allSatisfy { $0.count == 2 } && ids[0].isDisjoint(with: ids[1]))
    }
  }

  private let legend = [
    LegendItem(mark: "in", text: "<came>"), LegendItem(mark: "bd", text: "interval"),
    LegendItem(mark: "ht", text: String(repeating: "can still change ", count: 20)),
    LegendItem(mark: "", text: "words alone"),
  ]

  @Test(arguments: seeds(50))
  func `a file is well-formed too, and has its own patterns`(seed: UInt64) throws {
    var charts = RandomCharts(seed: seed, isHostile: true)
    for (name, chart) in charts.all() where !chart.isEmpty {
      let text = chart.file(words, legend: legend, style: ".dot{fill:#fff}svg text{fill:#000}")
      #expect(text.last == "\n")
      let figure = try SVGParser.parse(String(text.dropLast()))
      #expect(figure["xmlns"] == "http://www.w3.org/2000/svg" && figure["width"] == "720")
      for element in figure.all { check(element, name) }
      #expect(figure.all(named: "pattern").compactMap { $0["id"] } == ["hb", "ho"])
    }
  }

  @Test func `a file says what its values are limited to, in lines that fit`() throws {
    let chart = TimePlot(
      [TimePlot.Month("Sep", year: "2026", .point(1), text: "1")], .count)
    let narrowing =
      "only country " + (0..<80).map { "C\($0)" }.joined(separator: " or ") + " & <product>"
    let words = FigureText(
      id: "a", title: "Churn rate by month", description: "It rose.", narrowing: narrowing)
    let text = chart.file(words, legend: legend, style: "")
    let figure = try SVGParser.parse(String(text.dropLast()))
    let title = try #require(figure.all.first { $0.name == "title" })
    #expect(title.text.contains("Churn rate by month (\(narrowing))"))
    let description = try #require(figure.all.first { $0.name == "desc" })
    #expect(description.text.contains("It rose. These are the numbers of \(narrowing)."))
    let lines = figure.all.filter { $0.name == "text" }.map(\.text)
    #expect(lines.first == "Churn rate by month")
    let drawn = lines.dropFirst().prefix(2)
    #expect(drawn.first?.hasPrefix("only country C0 or C1") == true && drawn.last?.last == "…")
    #expect(drawn.allSatisfy { TextWidth.of($0, size: 12) <= 688 })
    #expect(lines.contains("<came>") && lines.contains("words alone"))
    let plot = try #require(figure.children.last { $0.name == "svg" })
    let bottom = (plot.number("y") ?? 0) + (plot.number("height") ?? 0)
    #expect(Double(figure["height"] ?? "") == bottom + 16)
    for placed in PlacedElement.all(of: figure) where placed.element.name == "text" {
      #expect(placed.left >= 0 && placed.right <= 720, "\(placed)")
    }
    // On a page the heading is the page's own.
    #expect(!chart.svg(words).contains("<text>Churn rate by month"))
  }

  @Test func `is empty without values`() {
    let charts: [any Chart] = [
      TimePlot([], .count), LineRows([], .count), LineRows([LineRows.Row("x", [])], .count),
      Waterfall([]), IntervalRows([], .percent), DayStrips([], days: 3, months: []),
      DayStrips([DayStrips.Strip("x", [], title: { _, _ in "" })], days: 0, months: []),
    ]
    for chart in charts {
      #expect(chart.isEmpty && chart.svg(words).isEmpty)
      #expect(chart.file(words, legend: legend, style: "").isEmpty)
    }
  }
}
