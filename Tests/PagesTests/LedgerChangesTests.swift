import ReportFolder
import SubscriptionModel
import Tables
import Testing

@Suite("What a run says otherwise than the ledger")
struct LedgerChangesTests {
  @Test
  func `has each changed cell with the number before and the files`() throws {
    let table = try ledgerChanges(
      churnTable(
        ("subscribers", "2026-08", 100, 10, "provisional"),
        ("subscribers", "2026-07", 80, 4, "final"), ("subscribers", "2026-06", 80, 4, "final")),
      churnTable(
        ("subscribers", "2026-08", 100, 12, "final"), ("subscribers", "2026-07", 80, 4, "final")))
    #expect(
      table.columns.map(\.name) == [
        "table", "source", "month", "dating", "currency", "k", "row", "column", "before", "after",
        "change", "because",
      ])
    #expect(
      lines(table) == [
        "churn,subscribers,2026-06,,,,,active_start,80,,,new day 2026-09-30",
        "churn,subscribers,2026-06,,,,,churned,4,,,new day 2026-09-30",
        "churn,subscribers,2026-06,,,,,churn_rate,4/80,,,new day 2026-09-30",
        "churn,subscribers,2026-06,,,,,state,final,,,new day 2026-09-30",
        "churn,subscribers,2026-08,,,,,churned,10,12,2,new day 2026-09-30",
        "churn,subscribers,2026-08,,,,,churn_rate,10/100,12/100,1/50,new day 2026-09-30",
        "churn,subscribers,2026-08,,,,,state,provisional,final,,new day 2026-09-30",
      ])
  }

  @Test
  func `has no row of a month that begins, but one of a month that had begun`() throws {
    let august = churnTable(("subscribers", "2026-08", 100, 10, "final"))
    let october = churnTable(
      ("subscribers", "2026-08", 100, 10, "final"), ("subscribers", "2026-10", 9, 0, "partial"))
    #expect(try ledgerChanges(august, october).rows.isEmpty)
    let july = churnTable(
      ("subscribers", "2026-07", 80, 4, "final"), ("subscribers", "2026-08", 100, 10, "final"))
    #expect(
      lines(try ledgerChanges(august, july)).first
        == "churn,subscribers,2026-07,,,,,active_start,,80,,new day 2026-09-30")
  }

  @Test
  func `has no row of a table whose rows are identified by other columns`() throws {
    let table = churnTable(("subscribers", "2026-08", 100, 10, "final"))
    let other = ReportTable(
      name: "churn", dimensions: [], columns: [.init("currency", .key)] + table.columns,
      rows: table.rows.map { [.text("EUR")] + $0 })
    #expect(try ledgerChanges(table, other).rows.isEmpty)
  }

  /// Three rows of a settlement, two of them of one line.
  private static func settlement(
    _ cutoff: Int128, _ cause: String, _ share: Int128
  ) -> ReportTable {
    ReportTable(
      name: "reconcile", dimensions: [],
      columns: ["source", "period", "region", "currency"].map { .init($0, .key) } + [
        .init("step", .count), .init("line", .text), .init("amount", .money),
        .init("amount_currency", .key), .init("status", .text), .init("cause", .text),
      ],
      rows: [
        (20, "cutoff_in", cutoff, cause), (24, "share_difference", 1_000, "70/85"),
        (24, "share_difference", share, "other"),
      ].map { (step: Int, line: String, amount: Int128, cause: String) in
        let keys = ["finance", "FY2026-P05", "US", "USD"].map(ReportTable.Cell.text)
        return keys + [
          .count(step), .text(line), .money(milliunits: amount), .text("USD"), .text("exact"),
          .text(cause),
        ]
      })
  }

  /// The cause of a line is a remark that may change, except of lines that have a row for each cause.
  @Test
  func `knows a line of a settlement by its name, and names it in one column`() throws {
    let table = try ledgerChanges(
      Self.settlement(4_190, "not settled yet", 0), Self.settlement(5_580, "", 20))
    #expect(
      lines(table) == [
        "reconcile,finance,FY2026-P05,,USD,,region US, line cutoff_in,amount,4190m,5580m,1390m,new day 2026-09-30",
        "reconcile,finance,FY2026-P05,,USD,,region US, line share_difference, cause other,amount,0m,20m,20m,new day 2026-09-30",
      ])
  }

  @Test
  func `asks for the line of a settlement by its name, and for a cause only where it must`() throws
  {
    var ledger = try LedgerExample()
    try ledger.add("2026-03-31", Self.settlement(4_190, "", 0))
    #expect(
      try ledger.refusal("reconcile.amount")
        == "reconcile has several rows; choose one with --where line=… (cutoff_in, share_difference) and --where cause=… ('', 70/85, other)"
    )
    #expect(try ledger.refusal("reconcile.amount", where: ["line=cutoff_in"]) == nil)
  }

  @Test
  func `is empty for the first run, and for one that says the same`() throws {
    let table = churnTable(("subscribers", "2026-08", 100, 10, "final"))
    var ledger = try LedgerExample()
    let first = try ledger.add("2026-09-30", table)
    #expect(LedgerChanges.table(first, since: LedgerState(), order: ["churn"]).rows.isEmpty)
    let state = ledger.state
    let second = try ledger.add("2026-09-30", table)
    #expect(LedgerChanges.table(second, since: state, order: ["churn"]).rows.isEmpty)
  }
}
