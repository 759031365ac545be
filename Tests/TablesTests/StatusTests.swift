import Counting
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Status")
struct StatusTests {
  private static let bought = Bought("2024-01-10", "2024-02-10").with { $0.price = 9_990 }

  /// Returns the columns of a month that are not 0 and not empty.
  private func counts(_ table: ReportTable, _ month: String) -> [String: String] {
    let row = table.namedRows.first { $0.text("month") == month }
    return Dictionary(
      uniqueKeysWithValues: table.columns.filter { $0.kind == .count }.compactMap { column in
        row?[column.name].flatMap { $0 == 0 ? nil : (column.name, "\($0)") }
      })
  }

  private func table(_ answers: [(asOf: String, info: Info?)]) throws -> ReportTable {
    var world = ReceiptWorld()
    for (asOf, info) in answers { world.add(asOf, [Self.bought], info.map { [$0] } ?? []) }
    return try world.tables().table(.status, view: 0)
  }

  @Test
  func `of receipts has who is in a grace period, and then in billing retry`() throws {
    let grace = Info().with { ($0.grace, $0.retry) = (instant("2024-03-05"), true) }
    let table = try table([("2024-02-12", grace), ("2024-05-20", nil)])
    #expect(counts(table, "2024-01") == ["paid": "1", "standard": "1"])
    #expect(counts(table, "2024-02") == ["grace": "1"])
    #expect(counts(table, "2024-03") == ["billing_retry": "1"])
    // 60 days after the end it has lapsed.
    #expect(counts(table, "2024-04").isEmpty)
  }

  @Test
  func `of receipts does not know what nobody saw`() throws {
    let table = try table([("2024-01-20", nil)])
    #expect(counts(table, "2024-01") == ["paid": "1", "standard": "1"])
    var world = ReceiptWorld()
    world.add("2024-01-20", [Self.bought], [])
    world.add("2024-04-02", [Self.bought.with { $0.original = "200" }], [])
    let later = try world.tables().table(.status, view: 0)
    #expect(counts(later, "2024-02")["unresolved"] == "2")
    // One was not seen since its end; the other one was, without a renewal info, and is 52 days old.
    #expect(counts(later, "2024-04") == ["unresolved": "2"])
  }

  @Test
  func `of subscribers has trials until they lapse`() throws {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-06-30"))
    world.add([Purchase(day("2024-03-28")).asTrial(Term(days: 7))])
    world.add([
      Purchase(day("2024-04-28")).asTrial(Term(days: 7)), Purchase(day("2024-05-05")),
    ])
    let table = try world.tables().table(.status, view: 0)
    #expect(counts(table, "2024-03") == ["free_trials": "1"])
    #expect(counts(table, "2024-04") == ["free_trials": "1"])
    #expect(counts(table, "2024-05") == ["paid": "1", "standard": "1"])
  }

  @Test
  func `and recurring revenue of snapshots are those of a month's last day`() throws {
    let empty = Tally(
      source: .events, views: [[]], filter: Filter(),
      months: Month(year: 2024, month: 1)...Month(year: 2024, month: 4), hasMoney: true)
    var fold = EventFold(tally: empty, newestSnapshot: day("2024-02-09"))
    let terms = SnapshotTerms(
      attributes: Attributes(), price: Amount(milliunits: 59_990, currency: 1),
      proceeds: Amount(milliunits: 41_990, currency: 1), standardTerm: .year)
    for (text, count) in [("2024-01-31", 3), ("2024-02-05", 7), ("2024-02-09", 2)] {
      fold.addSnapshot(of: day(text))
      fold.addSnapshotRow(count, .standard, of: day(text), terms)
      fold.addSnapshotRow(1, .introUpFront, of: day(text), terms)
      fold.addSnapshotRow(4, .grace, of: day(text), terms)
    }
    let days = (0...20).map { day("2024-01-20") + $0 }
    let completeness = Completeness(
      firstDay: days[0], asOf: days[20], presentDays: Set(days))
    let tables = TableMaker(
      sources: [SourceReport(tally: fold.tally, completeness: completeness)], views: [[]],
      names: Names(symbols: ["", "USD"], products: [:], apps: [:]))
    let status = try tables.table(.status, view: 0)
    #expect(
      counts(status, "2024-01")
        == ["paid": "4", "standard": "3", "introductory": "1", "grace": "4"])
    #expect(status.namedRows.map { $0.text("state") } == ["final", "provisional"])
    let recurring = try tables.table(.recurring, view: 0)
    let columns = [
      "source", "basis", "month", "currency", "active", "open", "mrr", "arpu", "state",
    ]
    let rows = recurring.rows.indices.map { recurring.texts(columns, row: $0) }
    #expect(
      rows.prefix(4) == [
        ["snapshot", "price", "2024-01", "", "1", "", "", "", "final"],
        ["snapshot", "price", "2024-01", "USD", "3", "", "14997", "4999", "final"],
        ["snapshot", "price", "2024-02", "", "1", "", "", "", "provisional"],
        ["snapshot", "price", "2024-02", "USD", "2", "14997", "9998", "4999", "provisional"],
      ])
  }
}
