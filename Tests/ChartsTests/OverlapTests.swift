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

  @Test(arguments: seeds(200))
  func `numbers of a heat map fit their cells`(seed: UInt64) throws {
    var charts = RandomCharts(seed: seed, isHostile: false)
    let map = charts.heatMap()
    guard !map.isEmpty else { return }
    let words = FigureText(id: "x", title: "", description: "")
    let figure = try SVGParser.parse(map.svg(words))
    let cells = figure.all(named: "rect").filter { $0["data-v"] != nil }
    let numbers = figure.all(named: "text").filter { $0["pointer-events"] == "none" }
    #expect(numbers.isEmpty || numbers.count == cells.count)
    for (number, cell) in zip(numbers.compactMap { TextBox($0) }, cells) {
      let left = cell.number("x") ?? 0
      let top = cell.number("y") ?? 0
      #expect(number.left >= left && number.right <= left + (cell.number("width") ?? 0))
      #expect(number.top >= top && number.bottom <= top + (cell.number("height") ?? 0))
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
