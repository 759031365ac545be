import Charts
import SubreportTestSupport
import Testing

@Suite struct LineChartTests {
  private let words = FigureText(id: "x", title: "t", description: "d")

  @Test(arguments: seeds(100))
  func `lines and bands go through the values that the ticks say`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let points = (0..<Int.random(in: 2...20, using: &random)).map { _ -> LinePoint? in
      if Int.random(in: 0..<5, using: &random) == 0 { return nil }
      let value = Double(Int.random(in: -50...1_000, using: &random)) / 10
      return LinePoint(value, low: value - 3, high: value + 5)
    }
    let chart = LineChart(
      labels: points.map { _ in "x" }, series: [LineSeries(name: "x", points: points)],
      format: .amount(decimals: 1))
    guard !chart.isEmpty else { return }
    let figure = try SVGParser.parse(chart.svg(words))
    let ticks = TickReader(vertical: figure)
    let runs = points.split(separator: nil).map { $0.compactMap { $0 } }
    let lines = figure.all(of: "line").flatMap { PathData($0["d"] ?? "").parts }
    let long = runs.filter { $0.count > 1 }
    try #require(lines.map(\.count) == long.map(\.count))
    for (line, run) in zip(lines, long) {
      for (corner, point) in zip(line, run) { #expect(ticks.matches(corner.y, point.value)) }
    }
    let bands = figure.all(of: "band").flatMap { PathData($0["d"] ?? "").parts }
    try #require(bands.count == runs.count)
    for (band, run) in zip(bands, runs) where run.count > 1 {
      let corners = run.map { $0.value + 5 } + run.reversed().map { $0.value - 3 }
      try #require(band.count == corners.count)
      for (corner, value) in zip(band, corners) { #expect(ticks.matches(corner.y, value)) }
    }
  }

  @Test func `each column has the values of all lines under the pointer`() throws {
    let chart = LineChart(
      labels: ["May", "June"],
      series: [
        LineSeries(name: "A", points: [LinePoint(0.05, low: 0.04, high: 0.061, isPartial: true)]),
        LineSeries(
          name: "B", points: [nil, LinePoint(0.5, isProvisional: true, text: "one of two")]),
      ],
      marks: [EventMark(index: 1, label: "event"), EventMark(index: 2, label: "later")],
      format: .percent)
    let figure = try SVGParser.parse(chart.svg(words))
    let texts = figure.all.compactMap { $0["data-v"] }
    #expect(
      texts == [
        "May\nA: 5.0\u{A0}% (4.0\u{A0}% to 6.1\u{A0}%), partial",
        "June\nB: one of two, provisional\nevent",
      ])
    let shown = figure.all(named: "text").map(\.shown)
    for text in ["provisional", "partial", "event", "A 5.0\u{A0}%", "B one of two"] {
      #expect(shown.contains(text), "\(text)")
    }
    #expect(!shown.contains("later") && figure.all(of: "provisional").count == 1)
  }

  @Test func `names without room at their lines stand in a legend, in full`() throws {
    let names = ["Plus Monthly", "Pro Yearly, all titles", "Kids"]
    let series = names.map { LineSeries(name: $0, points: [LinePoint(0.1), LinePoint(0.2)]) }
    let narrow = LineChart(labels: ["May", "June"], series: series, format: .percent, width: 460)
    let shown = try SVGParser.parse(narrow.svg(words)).all(named: "text").map(\.shown)
    for name in names { #expect(shown.contains(name), "\(shown)") }
    #expect(shown.count { $0 == "20.0\u{A0}%" } >= 3 && !shown.contains { $0.contains("…") })
    var wide = narrow
    wide.width = 720
    let beside = try SVGParser.parse(wide.svg(words)).all(named: "text").map(\.shown)
    for name in names { #expect(beside.contains(name + " 20.0\u{A0}%"), "\(beside)") }
  }

  @Test func `a last value without room has no line to it`() throws {
    let figure = { (value: Double) in
      let chart = LineChart(
        labels: ["May", "June"], series: [LineSeries(name: "x", points: [nil, LinePoint(value)])],
        format: .amount(decimals: 2), width: 460)
      return try SVGParser.parse(chart.svg(words)).all(named: "path")
        .count { $0["stroke-opacity"] == "0.5" }
    }
    #expect(try figure(1_234.5) == 1)
    #expect(try figure(123_456_789_012_345.25) == 0)
  }

  @Test func `labels are thinned back from the last one`() throws {
    let labels = (1...60).map { "month \($0)" }
    let chart = LineChart(
      labels: labels,
      series: [LineSeries(name: "x", points: labels.map { _ in LinePoint(1) })], format: .count)
    let figure = try SVGParser.parse(chart.svg(words))
    let shown = figure.all(named: "text").map(\.text).filter { $0.hasPrefix("month") }
    let numbers = shown.compactMap { Int($0.dropFirst(6)) }
    #expect(numbers.last == 60 && numbers.count > 5)
    #expect(Set(zip(numbers, numbers.dropFirst()).map { $1 - $0 }).count == 1)
  }

  @Test func `looks like this`() {
    let chart = LineChart(
      labels: ["May", "June", "July"],
      series: [
        LineSeries(
          name: "rate",
          points: [
            LinePoint(0.06, low: 0.05, high: 0.07), LinePoint(0.08, low: 0.07, high: 0.09),
            LinePoint(0.1, isProvisional: true),
          ])
      ], marks: [EventMark(index: 1, label: "event")], format: .percent, axisTitle: "share",
      width: 300)
    let texts = FigureText(id: "rate", title: "Rate", description: "It rose.")
    #expect(chart.svg(texts) == Self.golden)
  }
}
