import SubscriptionModel
import Tables
import Testing

@Suite("Earlier rows of tables without months")
struct EarlierRowTests {
  private typealias Cell = ReportTable.Cell

  private func table(
    _ name: String, _ columns: [ReportTable.Column], _ rows: [[Cell]]
  ) -> ReportTable {
    ReportTable(name: name, dimensions: [], columns: columns, rows: rows)
  }

  @Test
  func `a paid period and the line of a bridge tell rows apart and are compared with nothing`() {
    let row = { (k: Int, survival: Int) -> [Cell] in
      [.text("s"), .count(k), .rate(survival, of: 10), .text("final")]
    }
    let columns: [ReportTable.Column] = [
      .init("source", .key), .init("k", .count), .init("survival", .rate), .init("state", .text),
    ]
    let earlier = table("retention", columns, [row(1, 6), row(2, 4)])
    let found = table("retention", columns, [row(1, 9), row(2, 5), row(3, 4)])
      .addingChanges(since: earlier)
    #expect(
      found.columns.map(\.name) == [
        "source", "k", "survival", "survival_before", "survival_change", "state",
      ])
    #expect(found.rows.map { $0[3] } == [.rate(6, of: 10), .rate(4, of: 10), .missing])
    let bridge = { (period: String, line: String, amount: Int128) -> [Cell] in
      [.text(period), .count(10), .text(line), .money(milliunits: amount)]
    }
    let lines = table(
      "reconcile",
      [
        .init("period", .key), .init("step", .count), .init("line", .text), .init("amount", .money),
      ],
      [
        bridge("FY2026-P01", "sales", 1), bridge("FY2026-P02", "sales", 3),
        bridge("FY2026-P02", "taxes", 5),
      ]
    ).addingChanges(.previous, .fiscal, in: "period")
    #expect(
      lines.rows.map { $0[5] } == [.missing, .money(milliunits: 2), .missing])
  }

  /// An increase of 2025, one a year later and one of another storefront.
  @Test
  func `an increase is compared with the one before, or with that of the month a year before`() {
    let row = { (country: String, effective: String, state: String, reached: Int) -> [Cell] in
      [.text("s"), .text(country), .text(effective), .count(reached), .text(state)]
    }
    let increases = table(
      "price_impact",
      [
        .init("source", .key), .init("country", .key), .init("effective", .key),
        .init("reached", .count), .init("state", .text),
      ],
      [
        row("US", "2025-03-10", "final", 4), row("US", "2026-01-02", "partial", 5),
        row("GB", "2026-01-02", "final", 6), row("US", "2026-03-20", "final", 9),
        row("GB", "2026-02-01", "final", 8),
      ])
    let changes = { (against: ReportTable.Against) in
      increases.addingChangesOfIncreases(against, .calendar).rows.map { $0[5] }
    }
    // The increase before the last one of the US is partial.
    #expect(changes(.previous) == [.missing, .missing, .missing, .missing, .count(2)])
    #expect(changes(.year) == [.missing, .missing, .missing, .count(5), .missing])
  }

  @Test func `months together are compared with as many before, or with those a year before`()
    throws
  {
    let months = try #require(Month("2026-04"))...(try #require(Month("2026-06")))
    let text = { (months: ClosedRange<Month>) in "\(months.lowerBound) \(months.upperBound)" }
    #expect(text(ReportTable.Against.previous.months(before: months)) == "2026-01 2026-03")
    #expect(text(ReportTable.Against.year.months(before: months)) == "2025-04 2025-06")
  }
}
