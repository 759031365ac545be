import Charts
import SubreportTestSupport
import Testing

@Suite struct OverlapTests {
  @Test(arguments: seeds(200))
  func `no text covers another or leaves the drawing`(seed: UInt64) throws {
    var charts = RandomCharts(seed: seed, isHostile: seed.isMultiple(of: 2))
    for (name, chart) in charts.all() where !chart.isEmpty {
      let words = FigureText(id: "x", title: "", description: "")
      let figure = try SVGParser.parse(chart.svg(words))
      let boxes = TextBox.boxes(of: figure)
      for (index, box) in boxes.enumerated() {
        #expect(
          box.left >= -0.1 && box.right <= chart.width + 0.1, "\(name) \(chart.width): \(box)")
        for other in boxes[..<index] {
          #expect(!box.overlaps(other), "\(name) \(chart.width): \(box) and \(other)")
        }
      }
    }
  }

  @Test(arguments: [240.0, 460, 720])
  func `long names with the same beginning differ where they are cut`(width: Double) throws {
    let start = "com.example.larkspur.a.long.name.of.a.product."
    let names = ["plus.month", "plus.quarter", "zoo.year", "plus.year"].map { start + $0 }
    let sameLetters = String(repeating: "b", count: 80)
    let alike = ["a.\(sameLetters)1", "a.\(sameLetters)2"]
    for (names, isShort) in [(names, width > 240), (alike, false)] {
      let rows = names.map { BarRow(name: $0, value: 1) } + [BarRow(name: "a rest", value: 1)]
      let chart = BarChart(rows: rows, format: .count, width: width)
      let figure = try SVGParser.parse(
        chart.svg(FigureText(id: "x", title: "", description: "")))
      let texts = figure.all(named: "text")
      #expect(texts.contains { $0.text == "a rest" })
      let shown = names.compactMap { name in texts.first { $0.title == name } }
      try #require(shown.count == names.count)
      let labels = shown.map(\.text)
      #expect(Set(labels).count == names.count, "\(labels)")
      #expect(labels.allSatisfy { $0.hasPrefix("…") }, "\(labels)")
      if isShort { #expect(labels == names.map { "…" + $0.dropFirst(start.count) }) }
      for box in shown.compactMap({ TextBox($0) }) {
        #expect(box.left >= 0 && box.right <= width * 0.34 + 0.1, "\(width): \(box)")
      }
    }
  }

  @Test func `a long name is cut, and stands in full under the pointer`() throws {
    let name = String(repeating: "name ", count: 40)
    let chart = BarChart(rows: [BarRow(name: name, value: 1)], format: .count)
    let figure = try SVGParser.parse(
      chart.svg(FigureText(id: "x", title: "", description: "")))
    let cut = try #require(figure.all(named: "text").first { $0.text.hasSuffix("…") })
    #expect(cut.title == name && cut.text.count < 50)
    #expect(figure.all(named: "text").filter { $0.title == name }.count == 2)
    #expect(figure.all.contains { $0["data-v"] == name + ": 1" })
  }
}
