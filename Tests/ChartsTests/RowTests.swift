import Charts
import SubreportTestSupport
import Testing

@Suite struct RowTests {
  @Test(arguments: seeds(100))
  func `a waterfall goes from each amount to the next in proportion`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let kinds: [Waterfall.Kind] = [
      .flow, .unexplained, .change(isBetter: true), .change(isBetter: false),
    ]
    let start = Double(Int.random(in: -200...2_000, using: &random))
    var rows = [Waterfall.Row("start", .stock(), start, text: "")]
    var levels = [start]
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      var step = Double(Int.random(in: -300...300, using: &random))
      if step == 0 { step = 1 }
      let kind = kinds[Int.random(in: 0...3, using: &random)]
      rows.append(Waterfall.Row("a step", kind, step, text: ""))
      levels.append(levels[levels.count - 1] + step)
    }
    rows.append(Waterfall.Row("end", .stock(), levels[levels.count - 1], text: ""))
    let figure = try ReadFigure(Waterfall(rows))
    let (low, high) = (levels.min() ?? 0, levels.max() ?? 0)
    // The plot is 384 pixels wide and begins at 216; its ends are a twentieth away.
    let place = { (value: Double) in
      216 + 384 * (5.36 + (value - low) / (high - low) * 89.28) / 100
    }
    let dots = figure.all("dot")
    #expect(dots.count == 2)
    #expect(
      abs(dots[0].x - place(start)) < 0.6 && abs(dots[1].x - place(levels[levels.count - 1])) < 0.6)
    let bars = figure.elements.filter { $0.element.name == "rect" && $0.element.title != nil }
    try #require(bars.count == rows.count - 2)
    for (index, bar) in bars.enumerated() {
      let ends = [place(levels[index]), place(levels[index + 1])].sorted()
      #expect(abs(bar.left - ends[0]) < 0.6 && abs(bar.right - ends[1]) < 0.6, "\(bar) \(ends)")
      let row = rows[index + 1]
      let fill: ChartFill =
        switch row.kind {
        case .unexplained, .stock: .unknown
        case .change(let isBetter): isBetter ? .added : .taken
        case .flow: row.value > 0 ? .added : .taken
        }
      #expect(bar.classes == [fill.rawValue])
    }
  }

  @Test(arguments: seeds(50))
  func `intervals and marks are at their values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = { Double(Int.random(in: -500...900, using: &random)) / 1_000 }
    let rows = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      let ends = [value(), value()].sorted()
      return IntervalRows.Row(
        "row", (ends[0] + ends[1]) / 2, low: ends[0], high: ends[1], text: "x", mark: value(),
        markText: "break-even")
    }
    let figure = try ReadFigure(IntervalRows(rows, .percent))
    let (dots, intervals, marks) = (figure.all("dot"), figure.all("ci"), figure.all("mk2"))
    try #require(dots.count == rows.count && intervals.count == rows.count)
    for (index, row) in rows.enumerated() {
      #expect(figure.matches(dots[index].x, row.value ?? .nan, isUpright: false))
      #expect(figure.matches(intervals[index].left, row.low ?? .nan, isUpright: false))
      #expect(figure.matches(intervals[index].right, row.high ?? .nan, isUpright: false))
      #expect(figure.matches(marks[index].x, row.mark ?? .nan, isUpright: false))
    }
    #expect(figure.all("g0").count == 1)
  }

  @Test(arguments: seeds(50))
  func `strips have each day in its place, and missing days in front`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let states: [DayStrips.State] = [.there, .missing, .hollow, .unexpected]
    let days = (0..<Int.random(in: 1...190, using: &random)).map { _ in
      states[Int.random(in: 0...3, using: &random)]
    }
    let figure = try ReadFigure(
      DayStrips(
        [DayStrips.Strip("x", days, title: { range, state in "\(state) \(range)" })],
        days: days.count, months: []))
    let width = 518 / Double(days.count)
    let missing = figure.all(ChartFill.missing.rawValue)
    let others = figure.all("f-lt")
    for (day, state) in days.enumerated() {
      let middle = 176 + (Double(day) + 0.5) * width
      let isIn = { (box: PlacedElement) in box.left <= middle && middle <= box.right }
      #expect(missing.contains(where: isIn) == (state == .missing), "\(day) \(state)")
      let heights = others.filter(isIn).map { $0.bottom - $0.top }
      #expect(heights == (state == .there ? [16] : state == .hollow ? [4] : []), "\(day) \(state)")
    }
    let last = figure.elements.lastIndex { $0.classes == ["f-lt"] } ?? 0
    let first = figure.elements.firstIndex { $0.classes == [ChartFill.missing.rawValue] }
    #expect(first.map { $0 > last } ?? true)
  }

  @Test func `long names with the same beginning differ where they are cut`() throws {
    let start = "com.example.larkspur.a.long.name.of.a.product."
    let names = ["plus.month", "plus.quarter", "zoo.year", "plus.year"].map { start + $0 }
    let sameLetters = String(repeating: "b", count: 80)
    let alike = ["a.\(sameLetters)1", "a.\(sameLetters)2"]
    for (names, isShort) in [(names, true), (alike, false)] {
      let rows = (names + ["a rest"]).map { Waterfall.Row($0, .flow, 1, text: "") }
      let texts = try ReadFigure(Waterfall(rows)).all("rl")
      #expect(texts.contains { $0.element.text == "a rest" })
      let shown = names.compactMap { name in texts.first { $0.element.title == name } }
      try #require(shown.count == names.count)
      let labels = shown.map(\.element.text)
      #expect(Set(labels).count == names.count, "\(labels)")
      #expect(labels.allSatisfy { $0.hasPrefix("…") }, "\(labels)")
      if isShort { #expect(labels == names.map { "…" + $0.dropFirst(start.count) }) }
      for label in shown { #expect(label.left >= 16 && label.right <= 216, "\(label)") }
    }
  }
}
