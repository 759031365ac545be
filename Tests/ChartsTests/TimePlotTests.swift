import Charts
import SubreportTestSupport
import Testing

@Suite struct TimePlotTests {
  @Test(arguments: seeds(100))
  func `points and bands are at their values, and only where data are`(seed: UInt64) throws {
    var charts = RandomCharts(seed: seed, isHostile: false)
    let months = charts.months(isLine: true, charts.integer(1...30))
    let figure = try ReadFigure(TimePlot(months, .count))
    let drawn = months.filter { $0.state != .noData && $0.content != nil }
    // A part that is not seen yet is a dotted line without dots and band.
    let dots = figure.all("dot").sorted { $0.x < $1.x }
    let expected = drawn.filter { $0.state != .notAllSeen }
    try #require(dots.count == expected.count)
    for (dot, month) in zip(dots, expected) {
      guard case .point(let value, _, _) = month.content else { continue }
      #expect(figure.matches(dot.y, value, isUpright: true), "\(dot) \(value)")
      #expect(dot.classes.contains("h") == (month.state == .canStillChange))
      #expect(dot.classes.contains("x") == (month.state == .incomplete))
    }
    let hasBand = expected.contains { month in
      if case .point(_, .some, .some) = month.content { true } else { false }
    }
    #expect(figure.all("band").isEmpty == !hasBand)
    // No line goes through a month without data.
    let width = 580.0 / Double(months.count)
    for (place, month) in months.enumerated() where month.state == .noData || month.content == nil {
      let middle = 66 + (Double(place) + 0.5) * width
      for line in figure.all("ln") {
        #expect(line.left >= middle || line.right <= middle, "\(place) \(line)")
      }
    }
    let gaps = months.filter { $0.state == .noData }.count
    let covered = figure.all("gap").reduce(0) { $0 + ($1.right - $1.left) / width }
    #expect(abs(covered - Double(gaps)) < 0.01)
    let changing = figure.all("hb").reduce(0) { $0 + ($1.right - $1.left) / width }
    #expect(abs(changing - Double(months.filter { $0.state == .canStillChange }.count)) < 0.01)
  }

  @Test(arguments: seeds(100))
  func `columns add up to the sums above and below zero`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fills: [ChartFill] = [.added, .taken, .level]
    let values = (0..<Int.random(in: 1...13, using: &random)).map { _ in
      fills.map { ($0, Double(Int.random(in: -40...60, using: &random))) }
    }
    let figure = try ReadFigure(
      TimePlot(
        values.map { parts in
          TimePlot.Month(
            "x", year: "", .column(parts.map { TimePlot.Part($0.1, $0.0) }), text: "7")
        }, .count))
    let boxes = figure.elements.filter { element in
      element.element.name == "rect" && fills.contains { element.classes.contains($0.rawValue) }
    }
    var next = 0
    let drawn = values.flatMap { $0 }.filter { $0.1 != 0 }
    try #require(boxes.count == drawn.count)
    for parts in values {
      var (above, below) = (0.0, 0.0)
      for (fill, value) in parts where value != 0 {
        let start = value > 0 ? above : below
        if value > 0 { above += value } else { below += value }
        let box = boxes[next]
        next += 1
        #expect(box.classes == [fill.rawValue])
        // A pixel is left between parts, at the lower end.
        let (upper, lower) = (max(start, start + value), min(start, start + value))
        #expect(figure.matches(box.top, upper, isUpright: true), "\(box) \(upper)")
        // A thin part is half a pixel high.
        let isThin = box.bottom - box.top < 0.6
        #expect(isThin || figure.matches(box.bottom + 1, lower, isUpright: true), "\(box) \(lower)")
      }
    }
  }

  @Test func `wide labels stand on the last column alone`() throws {
    let months = { (text: String) in
      (0..<13).map {
        TimePlot.Month("x", year: "", .column([.init(Double($0 + 1), .level)]), text: text)
      }
    }
    let count = { (text: String) in
      try ReadFigure(TimePlot(months(text), .count)).texts.filter { $0.element.text == text }.count
    }
    #expect(try count("5,534") == 13)
    #expect(try count("123,456,789") == 1)
  }

  @Test(arguments: seeds(100))
  func `lines in rows have one scale, and their months below the last row`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...24, using: &random)
    let rows = (0..<Int.random(in: 1...6, using: &random)).map { row in
      LineRows.Row(
        "row \(row)",
        (0..<count).map { place in
          TimePlot.Month(
            "m\(place)", year: "",
            .point(Double(Int.random(in: 0...400, using: &random)) / 1_000), text: "\(place)")
        })
    }
    let figure = try ReadFigure(LineRows(rows, .percent))
    let dots = figure.all("dot")
    try #require(dots.count == rows.count * count)
    let top = figure.all("rl").map(\.y).min() ?? 0
    for (place, dot) in dots.enumerated() {
      let row = place / count
      guard case .point(let value, _, _) = rows[row].months[place % count].content else { continue }
      // The ticks of the first row; the rows are 74 pixels apart.
      let ticks = figure.all("ax", "e").filter { $0.y < top + 30 }
      let zero = try #require(ticks.max { $0.bottom < $1.bottom }).bottom - 4
      let first = try #require(ticks.min { $0.bottom < $1.bottom })
      let high = try #require(Double(first.element.text.dropLast())) / 100
      let expected = zero - value / high * (zero - (first.bottom - 4)) + 74 * Double(row)
      #expect(abs(dot.y - expected) < 0.6, "\(dot) \(expected)")
    }
    #expect(
      figure.all("ax", "m").filter { $0.element.text.hasPrefix("m") }.allSatisfy {
        $0.y > (dots.map(\.y).max() ?? 0)
      })
  }

  @Test(arguments: seeds(200))
  func `no text covers another or leaves the file`(seed: UInt64) throws {
    var charts = RandomCharts(seed: seed, isHostile: false)
    for (name, chart) in charts.all() where !chart.isEmpty {
      let texts = try ReadFigure(
        chart, legend: [LegendItem(mark: "in", text: "came"), LegendItem(mark: "", text: "x")]
      ).texts.filter { !$0.classes.contains("vt") }
      for (index, text) in texts.enumerated() {
        #expect(
          text.left >= -0.1 && text.right <= 720.1,
          "\(name): \(text.element.text) \(text.left) \(text.right)")
        for other in texts[..<index] {
          #expect(!text.overlaps(other), "\(name): \(text.element.text) and \(other.element.text)")
        }
      }
    }
  }
}
