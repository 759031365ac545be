import Pages
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Figures of pages")
struct PageFigureTests {
  private static let views: [[Dimension]] = [[], [.product], [.country], [.app]]

  private static let outcomes = Memo<UInt64, RunOutcome>()

  private static func world() throws -> RunOutcome {
    try outcomes.value(29) {
      let world = try SimulatedReports(seed: 29, subscribers: 300, to: "2026-05-09")
      return try RunOutcome(try world.sandbox(), views: views)
    }
  }

  /// Returns the numbers of a point: none of `null`, one, or those in brackets without their `null`s.
  private static func numbers(_ value: ReferenceJSON.Value) -> [Double] {
    switch value {
    case .number(let digits): [Double(String(decoding: digits, as: UTF8.self)) ?? .nan]
    case .array(let values): values.flatMap(numbers)
    default: []
    }
  }

  /// Trials of three months; those of July can still be converted.
  private static let trials = ReportTable(
    name: "trials", dimensions: [],
    columns: [
      .init("source", .key), .init("month", .key), .init("trials", .count),
      .init("converted", .count), .init("pending", .count), .init("conversion_rate", .rate),
      .init("state", .text),
    ],
    rows: [
      ("2026-05", 4, "final"), ("2026-06", 5, "final"), ("2026-07", 9, "provisional"),
      ("2026-08", 2, "final"),
    ].map { month, converted, state in
      [
        .text("subscribers"), .text(month), .count(10), .count(converted),
        .count(state == "final" ? 0 : 1), .rate(converted, of: 10), .text(state),
      ]
    })

  @Test
  func `the words of a figure compare final months only`() throws {
    let figures = TableFigures.of([Self.trials], try Self.world().result)
    let svg = String(decoding: try #require(figures.svg(narrowing: "")), as: UTF8.self)
    #expect(
      svg.contains(
        "Conversion rate fell from 50.00% in June 2026 to 20.00% in August 2026, the lowest of 3 compared months."
      ), "\(svg.prefix(900))")
    var first = Self.trials
    first.rows = Array(first.rows.suffix(2))
    let other = try #require(
      TableFigures.of([first], try Self.world().result).svg(narrowing: "only country DE"))
    let text = String(decoding: other, as: UTF8.self)
    #expect(
      text.contains("20.00% in August 2026, the only month that can be compared."),
      "\(text.prefix(900))")
    #expect(text.contains("start (only country DE)</title>"), "\(text.prefix(900))")
  }

  @Test
  func `series that can be chosen have the axis and the states of their points`() throws {
    let page = try Self.world().text("index.html")
    let block = try #require(
      PageReader.parts(of: page, from: "id=\"choices\">", to: "</script>").first)
    guard case .object(let sets) = try ReferenceJSON.parse(Array(block.utf8)) else {
      Issue.record("no object: \(block)")
      return
    }
    #expect(sets.count == 3)
    var drawn = 0
    for set in sets {
      guard case .object(let members) = set.value else { continue }
      let months = members.first { $0.key == Array("months".utf8) }?.value
      guard case .array(let labels) = months,
        case .object(let groups) = members.first(where: { $0.key == Array("by".utf8) })?.value
      else { continue }
      for group in groups {
        guard case .array(let series) = group.value else { continue }
        for entry in series {
          guard case .array(let cells) = entry, case .array(let axis) = cells[1] else { continue }
          #expect(cells.count == labels.count + 2, "\(cells)")
          check(cells.dropFirst(2).map(Self.numbers), Self.numbers(cells[1]), axis)
          drawn += 1
        }
      }
    }
    #expect(drawn > 10)
    let headline = try #require(try Self.world().rows("headlines.csv").first)
    let rows = try Self.world().rows("churn-by-product.csv", source: headline["source"])
      .filter { $0["churn_rate"] != "" && $0["month"] ?? "" <= headline["month"] ?? "" }
    for (state, end) in [("provisional", ",1]"), ("partial", ",2]")]
    where rows.contains(where: { $0["state"] == state }) {
      #expect(block.contains(end), "\(state)")
    }
  }

  private func check(
    _ points: [[Double]], _ ends: [Double], _ axis: [ReferenceJSON.Value]
  ) {
    #expect(ends.count == 2 && ends[0] < ends[1] && axis.count >= 4, "\(axis)")
    for point in points {
      // The fourth number is the state.
      for number in point.prefix(3) where point.count != 2 {
        #expect(number >= ends[0] - 0.01 && number <= ends[1] + 0.01, "\(point) \(ends)")
      }
      #expect(point.count < 4 || [1, 2].contains(point[3]), "\(point)")
    }
  }

  @Test
  func `the page of an app has the command that splits its changes`() throws {
    let outcome = try Self.world()
    let pages = outcome.files.keys.filter { $0.hasPrefix("app-") }
    #expect(pages.count > 1)
    let month = try #require(outcome.rows("headlines.csv").first?["month"])
    for name in pages {
      let page = outcome.text(name)
      let part = PageReader.parts(of: page, from: "<section id=\"drivers\"", to: "</section>").first
      let id = name.dropFirst("app-".count).dropLast(".html".count)
      let command = "subreport drivers reports --month \(month) --app \(id)</code>"
      #expect(part?.contains(command) == true, "\(name): \(part ?? "")")
    }
  }

  @Test(arguments: [2, 3])
  func `of a printed table say that a month is not over`(lastMonths: Int) throws {
    let result = try Self.world().result
    let table = try #require(try result.tables([.movement])[.movement]?.first)
    let names = ["2026-03", "2026-04", "2026-05"].prefix(lastMonths)
    let shown = table.filtered("month") { names.contains($0) }
    let page = String(
      decoding: TableFigures.of([shown], result).html(title: "x", lead: [], tables: [shown]),
      as: UTF8.self)
    let sentences = PageReader.parts(of: page, from: "paid subscriptions;", to: "<")
    #expect(!sentences.isEmpty)
    for sentence in sentences {
      let isOver = lastMonths < 3
      #expect(sentence.hasSuffix(isOver ? " there at its end." : " there so far."), "\(sentence)")
    }
    // Subscriptions from before the data may not have been seen yet, or the month is only not over.
    let isReserved = ["can still change", "data not complete"].contains {
      page.contains(" in May 2026 (\($0)).")
    }
    #expect(isReserved == (lastMonths == 3))
  }
}
