import Charts
import SubreportTestSupport
import Testing

@Suite struct StepChartTests {
  private let words = FigureText(id: "x", title: "t", description: "d")

  @Test(arguments: seeds(100))
  func `has at each k the value of the last step up to it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let curves = (0..<Int.random(in: 1...4, using: &random)).map { _ -> [Step] in
      var value = 1.0
      let ks = (0...24).filter { $0 == 0 || Int.random(in: 0..<3, using: &random) > 0 }
      return ks.map { k in
        value *= Double(Int.random(in: 80...100, using: &random)) / 100
        return Step(x: k, value: value, low: value - 0.05, high: value + 0.02)
      }
    }
    let chart = StepChart(
      series: curves.map { StepSeries(name: "x", steps: $0.shuffled(using: &random)) }, xTitle: "k")
    let figure = try SVGParser.parse(chart.svg(words))
    let vertical = TickReader(vertical: figure)
    let horizontal = TickReader(horizontal: figure)
    // The first curve is drawn last.
    let lines = figure.all(of: "line").reversed().map { PathData($0["d"] ?? "").parts[0] }
    let bands = figure.all(of: "band").reversed().map { PathData($0["d"] ?? "").parts[0] }
    try #require(lines.count == curves.count && bands.count == curves.count)
    for (index, steps) in curves.enumerated() {
      let last = steps.last?.x ?? 0
      for k in 0..<last {
        let expected = steps.last { $0.x <= k }
        let y = Self.height(lines[index], at: Double(k) + 0.5, horizontal)
        #expect(vertical.matches(y[0], expected?.value ?? .nan))
        let edges = Self.height(bands[index], at: Double(k) + 0.5, horizontal)
        try #require(edges.count == 2)
        #expect(vertical.matches(edges[0], expected?.high ?? .nan))
        #expect(vertical.matches(edges[1], expected?.low ?? .nan))
      }
      #expect(vertical.matches(lines[index].last?.y ?? .nan, steps.last?.value ?? .nan))
    }
  }

  /// Returns the heights at which level parts of an outline cross an x, from the top.
  private static func height(
    _ outline: [(x: Double, y: Double)], at x: Double, _ ticks: TickReader
  ) -> [Double] {
    zip(outline, outline.dropFirst()).compactMap { from, to -> Double? in
      let (start, end) = (ticks.value(at: from.x), ticks.value(at: to.x))
      guard from.y == to.y, min(start, end) < x, x < max(start, end) else { return nil }
      return from.y
    }
    .sorted()
  }

  @Test func `names without room at their curves stand in a legend, in full`() throws {
    let names = ["all", "Plus Monthly", "Pro Yearly, all titles and the archive"]
    let steps = [Step(x: 0, value: 1), Step(x: 1, value: 0.5)]
    let chart = StepChart(
      series: names.map { StepSeries(name: $0, steps: steps) }, xTitle: "paid periods", width: 460)
    let figure = try SVGParser.parse(chart.svg(words))
    let texts = figure.all(named: "text")
    for name in names { #expect(texts.contains { $0.shown == name }, "\(name)") }
    let title = texts.first { $0.shown == "paid periods" }?.number("y") ?? .infinity
    #expect(texts.filter { names.contains($0.shown) }.allSatisfy { ($0.number("y") ?? 0) > title })
  }

  @Test func `carries values on to the x of other curves, but not past the last step`() throws {
    let chart = StepChart(
      series: [
        StepSeries(
          name: "A", steps: [Step(x: 0, value: 1), Step(x: 2, value: 0.5, note: "9 left")]),
        StepSeries(name: "B", steps: [Step(x: 0, value: 1), Step(x: 1, value: 0.75)]),
      ], xTitle: "k")
    let figure = try SVGParser.parse(chart.svg(words))
    #expect(
      figure.all.compactMap { $0["data-v"] } == [
        "k 0\nA: 100.0\u{A0}%\nB: 100.0\u{A0}%", "k 1\nA: 100.0\u{A0}%\nB: 75.0\u{A0}%",
        "k 2\nA: 50.0\u{A0}%, 9 left",
      ])
  }
}
