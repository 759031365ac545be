import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Cells that are not known")
struct ChurnAndMoneyCellTests {
  private func table(
    _ kind: TableKind, asOf: String = "2024-12-31", _ subscribers: [[Purchase]]
  ) throws -> ReportTable {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day(asOf))
    for rows in subscribers { world.add(rows) }
    return try world.tables().table(kind, view: 0)
  }

  private func cells(
    _ table: ReportTable, _ columns: [String], _ keys: [String]
  ) -> [[ReportTable.Cell]] {
    columns.map { table[column: $0, keys: keys] }
  }

  @Test
  func `are the stock and the rate in the first file's month`() throws {
    let weekly = Purchase(day("2024-01-05"), product: "weekly", term: Term(days: 7))
    let found = try table(.churn, [[weekly]])
    let unknown = cells(found, ["active_start", "churn_rate", "low", "high"], ["2024-01"])
    #expect(unknown == [[.missing], [.missing], [.missing], [.missing]])
    #expect(found[column: "churned", keys: ["2024-01"]] == [.count(1)])
  }

  @Test
  func `are the reasons that SUBSCRIBER rows cannot tell`() throws {
    let charge = Purchase(day("2024-05-10"))
    let found = try table(.churn, [[charge], [charge, charge.refunded(on: day("2024-06-03"))]])
    let names = ["voluntary", "billing", "price", "removed", "other"].map { "churned_\($0)" }
    #expect(cells(found, names, ["2024-06"]).allSatisfy { $0 == [.missing] })
    #expect(found[column: "churned_refund", keys: ["2024-06"]] == [.count(1)])
    #expect(found[column: "churned_unknown", keys: ["2024-06"]] == [.count(1)])
    #expect(found[column: "churned", keys: ["2024-06"]] == [.count(2)])
  }

  @Test
  func `are the bounds when more churned than were active`() throws {
    // Active at the end of June: one. In July three weekly chains come and go, and the one leaves.
    let weekly = { Purchase(day("2024-07-01") + $0, product: "weekly", term: Term(days: 7)) }
    let found = try table(.churn, [[Purchase(day("2024-06-10"))], [weekly(0)], [weekly(3)]])
    let names = ["active_start", "churned", "churn_rate", "low", "high"]
    let expected: [ReportTable.Cell] = [
      .count(1), .count(3), .ratio(numerator: 3, denominator: 1), .missing, .missing,
    ]
    #expect(cells(found, names, ["2024-07"]) == expected.map { [$0] })
  }

  @Test
  func `are the rate and its bounds when nobody was active`() throws {
    let weekly = Purchase(day("2024-07-01"), product: "weekly", term: Term(days: 7))
    let found = try table(.churn, [[weekly]])
    let names = ["active_start", "churned", "churn_rate", "low", "high"]
    let expected: [ReportTable.Cell] = [.count(0), .count(1), .missing, .missing, .missing]
    #expect(cells(found, names, ["2024-07"]) == expected.map { [$0] })
  }

  @Test
  func `are the gaps when nobody returned`() throws {
    let charge = Purchase(day("2024-05-10"))
    let open = try table(.lapses, [[charge]])
    #expect(open[column: "gap_days_median", keys: ["2024-06"]] == [.missing])
    let returned = try table(.lapses, [[charge, Purchase(day("2024-06-17"))]])
    #expect(returned[column: "gap_days_median", keys: ["2024-06"]] == [.count(7)])
    #expect(returned[column: "gap_days_p90", keys: ["2024-06"]] == [.count(7)])
  }

  @Test
  func `are the price and the rate where a customer's currency is another`() throws {
    let charge = Purchase(day("2024-05-10")).with { $0.currency = "EUR" }
    let foreign = charge.with {
      $0.currency = "CHF"
      $0.proceedsCurrency = "EUR"
    }
    let own = try table(.proceeds, [[charge]])
    #expect(own[column: "gross_price", keys: ["2024-05", "EUR"]] == [.money(milliunits: 10_000)])
    #expect(
      own[column: "effective_rate", keys: ["2024-05", "EUR"]]
        == [.ratio(numerator: 7_000, denominator: 10_000)])
    let mixed = try table(.proceeds, [[charge], [foreign]])
    let names = ["gross_price", "gross_proceeds", "refunded_price", "effective_rate"]
    #expect(
      cells(mixed, names, ["2024-05", "EUR"])
        == [[.missing], [.money(milliunits: 14_000)], [.missing], [.missing]])
  }

  @Test
  func `are in no row after as-of's month, and money of a month without files is not known`() throws
  {
    let early = Purchase(day("2024-05-10"))
    let late = Purchase(day("2024-06-02"))
    for kind in [TableKind.churn, .renewals, .lapses, .trials, .movement] {
      let found = try table(kind, asOf: "2024-05-31", [[early, late]])
      #expect(found[column: "month", keys: ["2024-06"]].isEmpty, "\(kind)")
    }
    for kind in [TableKind.proceeds] {
      let found = try table(kind, asOf: "2024-05-31", [[early, late]])
      #expect(found[column: "charges", keys: ["2024-06"]] == [.missing])
    }
  }

  @Test
  func `are none in a table without rows, which keeps its columns`() throws {
    for kind in TableKind.allCases {
      let found = try table(kind, [])
      #expect(found.rows.isEmpty)
      #expect(found.columns == Definition.definition(of: kind).columns(for: []))
    }
  }
}
