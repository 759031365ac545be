import Charts
import SubreportTestSupport
import Testing

@Suite struct GridTests {
  private let words = FigureText(id: "x", title: "t", description: "d")

  @Test(arguments: seeds(50))
  func `a calendar has one path a state with all its days in their places`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let firstWeekday = Int.random(in: 0...6, using: &random)
    let count = Int.random(in: 1...400, using: &random)
    let days = (0..<count).map { _ in Int.random(in: 0...4, using: &random) }
    let shapes: [CalendarState.Shape] = [.full, .hollow, .crossed, .half, .dot]
    let chart = CalendarChart(
      rows: [CalendarRow(name: "x", days: days)],
      states: shapes.map { CalendarState(name: "\($0)", shape: $0) }, firstWeekday: firstWeekday,
      labels: [])
    let figure = try SVGParser.parse(chart.svg(words))
    let paths = figure.all(named: "path").filter { $0["data-v"] != nil }
    let present = shapes.indices.filter(days.contains)
    #expect(paths.map { $0["data-v"] } == present.map { "\(shapes[$0])" })
    let pitch = Self.pitch(weeks: (firstWeekday + count + 6) / 7)
    for (path, state) in zip(paths, present) {
      var places = Self.places(path["d"] ?? "", pitch)
      // The first day of the calendar decides where the first week is.
      let expected = days.indices.filter { days[$0] == state }
        .map { [(firstWeekday + $0) / 7, (firstWeekday + $0) % 7] }
      let left = Self.left, top = Self.top
      places = places.map { [($0[0] - left) / pitch, ($0[1] - top) / pitch] }
      let found = places.map { $0.map { Int($0.rounded(.down)) } }
      #expect(found.sorted { $0.lexicographicallyPrecedes($1) } == expected)
    }
  }

  @Test(arguments: [240.0, 720])
  func `every month of a calendar has its label, before its week if need be`(width: Double) throws {
    let starts = [(0, "Jan"), (2, "Feb"), (30, "Mar"), (61, "Apr"), (91, "May"), (119, "Jun")]
    let chart = CalendarChart(
      rows: [CalendarRow(name: "subscriber", days: Array(repeating: 0, count: 120))],
      states: [CalendarState(name: "present", shape: .full)], firstWeekday: 3,
      labels: starts.map {
        CalendarLabel(day: $0.0, text: $0.1, year: $0.0 == 0 ? "2026" : "")
      }, width: width)
    let figure = try SVGParser.parse(chart.svg(words))
    let boxes = TextBox.boxes(of: figure)
    let names = starts.map(\.1)
    let months = boxes.filter { names.contains($0.text) }.sorted { $0.left < $1.left }
    #expect(months.map(\.text) == names)
    #expect(zip(months, months.dropFirst()).allSatisfy { $0.right < $1.left })
    let year = try #require(boxes.first { $0.text == "2026" })
    #expect(year.bottom < months[0].top)
  }

  /// The width of the name `x` and the space after it; the height of legend and labels.
  private static let left = TextWidth.of("x", size: 13) + 10
  private static let top = 44.0

  /// The distance of days in a calendar 720 wide.
  private static func pitch(weeks: Int) -> Double {
    min(13, ((720 - left) / Double(weeks)).rounded(.down))
  }

  /// Returns a point inside each day of a path.
  private static func places(_ data: String, _ pitch: Double) -> [[Double]] {
    var places: [[Double]] = []
    for (command, numbers) in PathData.commands(data) {
      if command == "M" { places.append([numbers[0] + 0.1, numbers[1] + 0.1]) }
      guard command == "V", let start = places.last else { continue }
      var y = start[1] + pitch
      while y < numbers[0] {
        places.append([start[0], y])
        y += pitch
      }
    }
    return places
  }

  @Test func `an interval that holds the reference has a hollow marker`() throws {
    let chart = ForestPlot(
      rows: [
        ForestRow(name: "a", estimate: -2, low: -3, high: -1, group: "G"),
        ForestRow(name: "b", estimate: 1, low: -1, high: 3, group: "G"),
        ForestRow(name: "c", estimate: 4),
      ], format: .count, isSigned: true)
    let figure = try SVGParser.parse(chart.svg(words))
    #expect(figure.all(of: "paper").count == 1)
    #expect(
      figure.all.compactMap { $0["data-v"] } == [
        "G, a: -2 (-3 to -1)", "G, b: +1 (-1 to +3)", "c: +4",
      ])
    #expect(figure.all(named: "text").filter { $0.text == "G" }.count == 1)
    let ticks = TickReader(horizontal: figure)
    let intervals = figure.all(of: "interval").map { PathData($0["d"] ?? "").boxes[0] }
    for (interval, ends) in zip(intervals, [(-3.0, -1.0), (-1.0, 3.0)]) {
      #expect(ticks.matches(interval.left, ends.0) && ticks.matches(interval.right, ends.1))
    }
  }
}
