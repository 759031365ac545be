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
        "Conversion rate fell from 50.0% in June 2026 to 20.0% in August 2026, the lowest of 3 compared months."
      ), "\(svg.prefix(900))")
    var first = Self.trials
    first.rows = Array(first.rows.suffix(2))
    let other = try #require(
      TableFigures.of([first], try Self.world().result).svg(narrowing: "only country DE"))
    let text = String(decoding: other, as: UTF8.self)
    #expect(
      text.contains("20.0% in August 2026, the only month that can be compared."),
      "\(text.prefix(900))")
    #expect(text.contains("began (only country DE)</title>"), "\(text.prefix(900))")
  }

  @Test(arguments: [2, 3])
  func `of a printed table say that a month is not over`(lastMonths: Int) throws {
    let result = try Self.world().result
    let table = try #require(try result.tables([.movement])[.movement]?.first)
    let names = ["2026-03", "2026-04", "2026-05"].prefix(lastMonths)
    let shown = table.filtered("month") { names.contains($0) }
    let page = String(
      decoding: TableFigures.of([shown], result)
        .html(title: "x", limits: "", lead: [], tables: [shown]),
      as: UTF8.self)
    // The way through the month ends at its end, or so far.
    let isOver = lastMonths < 3
    #expect(page.contains(">So far</text>") == !isOver)
    #expect(page.contains(">End of April</text>") && !page.contains(">End of May</text>"))
    #expect(page.contains("Active subscriptions, May 2026 so far") == !isOver)
    // Subscriptions from before the data may not have been seen yet, or the month is only not over.
    let isReserved = ["can still change", "data not complete", "not all seen yet"].contains {
      page.contains(" in May 2026 (\($0)).")
    }
    #expect(isReserved == !isOver)
  }
}
