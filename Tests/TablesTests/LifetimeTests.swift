import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Lifetime value")
struct LifetimeTests {
  private static func charge(_ text: String) -> Purchase {
    Purchase(day(text)).with { ($0.price, $0.proceeds) = (9_990, 6_990) }
  }

  private func table(asOf: String = "2026-03-31") throws -> ReportTable {
    var world = WorldBuilder(firstFileDay: day("2024-06-01"), asOf: day(asOf))
    world.add([
      Self.charge("2025-01-10"), Self.charge("2025-02-09"), Self.charge("2025-03-09"),
    ])
    world.add([Purchase(day("2025-01-20")).asTrial(Term(days: 7))])
    return try world.tables().table(.lifetime, view: 0)
  }

  private func texts(_ table: ReportTable, _ months: Int, _ start: String = "2025-01") -> [String] {
    let row = table.namedRows.first { row in
      row["months"] == months && row.cell("start_month") == .text(start)
        && row.cell("basis") == .text("price")
    }
    return ["started", "paying", "charges", "gross", "net_per_start", "state"].map {
      row?.cell($0).text ?? "none"
    }
  }

  @Test
  func `is what a started subscription has brought, trials included`() throws {
    let table = try table()
    #expect(texts(table, 0) == ["2", "1", "1", "9990", "4995", "final"])
    #expect(texts(table, 1) == ["2", "1", "1", "9990", "4995", "final"])
    #expect(texts(table, 2) == ["2", "1", "2", "19980", "9990", "final"])
    #expect(texts(table, 12) == ["2", "1", "3", "29970", "14985", "final"])
    #expect(texts(table, 12, "all") == texts(table, 12))
  }

  @Test
  func `has rows only as far as every member has had the time`() throws {
    let months = try table().namedRows.filter {
      $0.cell("start_month") == .text("2025-01") && $0.cell("basis") == .text("price")
    }.compactMap { $0["months"] }
    #expect(months == Array(0...14))
    // The window of month 1 of 31 January ends before 26 February.
    #expect(try texts(table(asOf: "2025-02-24"), 1)[0] == "none")
    #expect(try texts(table(asOf: "2025-02-25"), 1)[0] == "2")
  }

  @Test
  func `takes off a refund by its own date`() throws {
    var world = WorldBuilder(firstFileDay: day("2024-06-01"), asOf: day("2026-03-31"))
    let charge = Self.charge("2025-01-10")
    world.add([charge, charge.refunded(on: day("2025-03-20"))])
    let table = try world.tables().table(.lifetime, view: 0)
    let refunded = table.namedRows.prefix(5).map { $0.cell("refunded").text }
    #expect(refunded == ["0", "0", "0", "9990", "9990"])
  }

  @Test
  func `is partial where a subscription may have begun`() throws {
    var world = WorldBuilder(firstFileDay: day("2025-01-01"), asOf: day("2025-12-31"))
    world.add([Purchase(day("2025-01-20")).asTrial(Term(days: 7))])
    world.add([Self.charge("2025-01-10")])
    let table = try world.tables().table(.lifetime, view: 0)
    #expect(Set(table.namedRows.map { $0.cell("state").text }) == ["partial"])
    #expect(!table.namedRows.contains { $0.cell("start_month") == .text("all") })
  }
}
