import ReportFolder
import SubscriptionModel
import Tables
import Testing

@Suite("The history of a number")
struct LedgerHistoryTests {
  private typealias File = LedgerEntry.File

  /// A SUBSCRIBER report of a day.
  private func subscriber(_ day: String, _ sha256: String, at path: String? = nil) -> File {
    File(path ?? day, sha256, report: "subscriber 80012345", day: Day(day))
  }

  /// Four runs: the month is not over, a day more, a restated and a late report, another definition.
  private func example() throws -> LedgerExample {
    var ledger = try LedgerExample()
    var inputs = [subscriber("2026-09-30", "1"), File("notes.txt", "2")]
    try ledger.add(
      "2026-09-30", inputs: inputs,
      churnTable(
        ("events", "2026-08", 90, 9, "final"), ("subscribers", "2026-08", 100, 10, "provisional")))
    inputs.append(subscriber("2026-10-02", "3"))
    try ledger.add(
      "2026-10-02", inputs: inputs,
      churnTable(
        ("events", "2026-08", 90, 9, "final"), ("subscribers", "2026-08", 100, 8, "provisional"),
        ("subscribers", "2026-09", 120, 6, "provisional")))
    inputs[0].sha256 = "4"
    inputs += [subscriber("2026-10-01", "5"), subscriber("2026-10-02", "6", at: "z/2026-10-02")]
    try ledger.add(
      "2026-10-02", inputs: inputs,
      churnTable(
        ("events", "2026-08", 90, 9, "final"), ("subscribers", "2026-08", 100, 9, "final"),
        ("subscribers", "2026-09", 120, 6, "provisional")))
    inputs.removeLast()
    try ledger.add(
      "2026-11-02", definitions: 4, version: "1.3.0", options: ["country": "DE"], inputs: inputs,
      churnTable(
        ("events", "2026-08", 90, 9, "final"), ("subscribers", "2026-08", 50, 5, "final")))
    return ledger
  }

  @Test
  func `has a row for each run, with the reason of each change`() throws {
    let history = try example().history("churn.churned", month: "2026-08")
    #expect(
      history.table.columns.map(\.name) == [
        "as_of", "value", "change", "state", "definitions", "inputs", "because",
      ])
    #expect(history.table.columns[1].kind == .count)
    #expect(
      lines(history.table) == [
        "2026-09-30,10,,provisional,3,2,the first run in the ledger",
        "2026-10-02,8,-2,provisional,3,3,new day 2026-10-02",
        "2026-10-02,9,1,final,3,5,restated: 2026-09-30, z/2026-10-02; came late: 2026-10-01",
        "2026-11-02,5,-4,final,4,4,definitions 4 instead of 3; subreport 1.3.0 instead of 1.2.3; other options: country; gone: z/2026-10-02",
      ])
    #expect(
      history.notes == ["note: source subscribers; --where source=… chooses another: events"])
    let rate = try example().history(
      "churn.churn_rate", where: ["source=subscribers"], month: "2026-08")
    #expect(lines(rate.table)[1].hasPrefix("2026-10-02,8/100,"))
    #expect(rate.notes.isEmpty)
  }

  @Test
  func `changes with the end of the data alone, when no input is new`() throws {
    var ledger = try LedgerExample()
    for (asOf, churned) in [("2026-09-30", 5), ("2026-10-31", 6), ("2026-09-30", 5)] {
      try ledger.add(asOf, churnTable(("events", "2026-09", 90, churned, "final")))
    }
    let table = try ledger.history("churn.churned", month: "2026-09").table
    #expect(
      table.rows.map { $0.last } == [
        .text("the first run in the ledger"), .text("as-of 2026-10-31 instead of 2026-09-30"),
        .text("as-of 2026-09-30 instead of 2026-10-31"),
      ])
  }

  @Test
  func `begins with the first run that knew the row, and says when it is gone`() throws {
    let history = try example().history("churn.churned", month: "2026-09")
    #expect(
      lines(history.table).map { $0.split(separator: ",", omittingEmptySubsequences: false)[...2] }
        == [["2026-10-02", "6", ""], ["2026-10-02", "6", "0"], ["2026-11-02", "", ""]])
  }

  @Test
  func `of all months is a triangle of months and months since`() throws {
    let table = try example().history("churn.churned", where: ["source=subscribers"]).table
    #expect(table.columns.map(\.name) == ["month", "0", "1", "2", "3"])
    // The last run of a month counts; the row of September is gone in November.
    #expect(lines(table) == ["2026-08,,10,9,5", "2026-09,,6,,"])
  }

  @Test
  func `of all months keeps what the run with the latest data said`() throws {
    var ledger = try LedgerExample()
    for (asOf, churned) in [("2026-09-30", 5), ("2026-09-10", 2), ("2026-10-20", 7)] {
      try ledger.add(asOf, churnTable(("events", "2026-09", 90, churned, "final")))
    }
    #expect(lines(try ledger.history("churn.churned").table) == ["2026-09,5,7"])
    try ledger.add("2026-10-20", churnTable(("events", "2026-09", 90, 8, "final")))
    try ledger.add("2026-10-01", churnTable(("events", "2026-09", 90, 6, "final")))
    #expect(lines(try ledger.history("churn.churned").table) == ["2026-09,5,8"])
    // The last month that is over is that of the latest data, too.
    try ledger.add("2026-09-10", churnTable(("events", "2026-09", 90, 6, "partial")))
    let last = try ledger.history("churn.churned", month: "last")
    #expect(last.table.rows.count == 6)
  }

  @Test
  func `of all months has those of one calendar, and names the others`() throws {
    let columns =
      "note: column 0 is the number at the end of its own month, 1 a month later, and so on"
    var ledger = try LedgerExample()
    try ledger.add("2026-09-30", churnTable(("events", "2026-09", 90, 5, "final")))
    try ledger.add(
      "2026-09-30", options: ["fiscal": "true"],
      churnTable(("events", "FY2026-P12", 90, 4, "final")))
    let fiscal = try ledger.history("churn.churned")
    #expect(fiscal.table.rows.map { $0.first } == [.text("FY2026-P12")])
    #expect(
      fiscal.notes == [
        "note: fiscal periods, as in the last run; --month prints one of the others: 2026-09",
        columns,
      ])
    try ledger.add("2026-09-30", churnTable(("events", "2026-09", 90, 6, "final")))
    let calendar = try ledger.history("churn.churned")
    #expect(lines(calendar.table) == ["2026-09,6"])
    #expect(
      calendar.notes == [
        "note: calendar months, as in the last run; --month prints one of the others: FY2026-P12",
        columns,
      ])
    // A run of the other calendar says nothing about these months.
    try ledger.add(
      "2026-10-15", options: ["fiscal": "true"],
      churnTable(("events", "FY2026-P12", 90, 4, "final")))
    try ledger.add("2026-09-30", churnTable(("events", "2026-09", 90, 6, "final")))
    #expect(lines(try ledger.history("churn.churned").table) == ["2026-09,6"])
    #expect(try ledger.history("churn.churned", month: "FY2026-P12").table.rows.count == 4)
  }

  @Test
  func `of a day is the table as it was known then`() throws {
    let ledger = try example()
    let table = try ledger.history("churn", at: "2026-10-31").table
    #expect(
      lines(table).map { $0.split(separator: ",").prefix(4) } == [
        ["events", "2026-08", "90", "9"], ["subscribers", "2026-08", "100", "9"],
        ["subscribers", "2026-09", "120", "6"],
      ])
    let cell = try ledger.history(
      "churn.churned", where: ["source=subscribers"], month: "2026-08", at: "2026-10-01")
    #expect(lines(cell.table) == ["subscribers,2026-08,10"])
    let refusal = try ledger.refusal("churn", at: "2026-09-29")
    #expect(
      refusal
        == "--at 2026-09-29: the ledger has no run of this day or before; the first one is of 2026-09-30"
    )
    #expect(try ledger.history("churn", at: "2026-10-02").notes.isEmpty)
    #expect(
      try ledger.history("churn", at: "2026-10-31").notes == [
        "note: no run has data to 2026-10-31; this is the table of the run with data to 2026-10-02"
      ])
  }

  @Test
  func `finds the last month that is over`() throws {
    let ledger = try example()
    let table = try ledger.history("churn.churned", where: ["source=subscribers"], month: "last")
    #expect(lines(table.table).count == 3)
    #expect(table.table == (try ledger.history("churn.churned", month: "2026-09").table))
  }

  @Test
  func `of rows without months is a row for each run`() throws {
    var ledger = try LedgerExample()
    let columns: [ReportTable.Column] = [
      .init("source", .key), .init("k", .count), .init("lost", .count),
    ]
    for lost in 1...3 {
      let rows = (1...2).map { k -> [ReportTable.Cell] in
        [.text("receipts"), .count(k), .count(lost * k)]
      }
      try ledger.add(
        "2026-10-0\(lost)",
        ReportTable(name: "retention", dimensions: [], columns: columns, rows: rows))
    }
    let table = try ledger.history("retention.lost", where: ["k=2"]).table
    #expect(table.rows.map { $0[1] } == [.count(2), .count(4), .count(6)])
    #expect(table.rows.map { $0[2] } == [.missing, .count(2), .count(2)])
    #expect(
      try ledger.refusal("retention.lost")
        == "retention has several rows; choose one with --where k=… (1, 2)")
    #expect(
      try ledger.refusal("retention.lost", month: "2026-10")
        == "--month 2026-10: the rows of retention have no months")
  }

  @Test
  func `goes on when another version identifies rows by more columns`() throws {
    var ledger = try LedgerExample()
    let keys: [[ReportTable.Column]] = [
      [.init("source", .key), .init("month", .key)],
      [.init("source", .key), .init("month", .key), .init("currency", .key)],
    ]
    for (number, columns) in keys.enumerated() {
      let row: [ReportTable.Cell] = [.text("events"), .text("2026-08"), .text("EUR")]
      let table = ReportTable(
        name: "proceeds", dimensions: [], columns: columns + [.init("charges", .count)],
        rows: [Array(row.prefix(columns.count)) + [.count(number + 5)]])
      try ledger.add("2026-09-0\(number + 1)", definitions: number + 3, table)
    }
    let history = try ledger.history(
      "proceeds.charges", where: ["currency=EUR"], month: "2026-08")
    #expect(history.table.rows.map { $0[1] } == [.count(6)])
    #expect(lines(try ledger.history("proceeds", at: "2026-09-01").table) == ["events,2026-08,5"])
    #expect(
      lines(try ledger.history("proceeds", at: "2026-09-02").table) == ["events,2026-08,EUR,6"])
  }

  @Test
  func `does not name a copy of a report as a reason`() throws {
    var ledger = try LedgerExample()
    var inputs = [subscriber("2026-09-30", "1")]
    try ledger.add(
      "2026-09-30", inputs: inputs, churnTable(("subscribers", "2026-08", 100, 10, "final")))
    inputs += [subscriber("2026-09-30", "1", at: "copy"), subscriber("2026-10-01", "2")]
    try ledger.add(
      "2026-10-01", inputs: inputs, churnTable(("subscribers", "2026-08", 100, 9, "final")))
    let table = try ledger.history("churn.churned", month: "2026-08").table
    #expect(table.rows.last?.last == .text("new day 2026-10-01"))
  }

  @Test
  func `is refused with what can be asked`() throws {
    let ledger = try example()
    #expect(try ledger.refusal("chrun.churned")?.contains("did you mean \"churn\"?") == true)
    #expect(try ledger.refusal("churn.churnd")?.contains("did you mean \"churned\"?") == true)
    #expect(try ledger.refusal("churn")?.contains("name a column, such as churn.") == true)
    #expect(try ledger.refusal("trials.started") == "the ledger has no table trials; it has churn")
    #expect(
      try ledger.refusal("churn.churned", month: "2027-01")
        == "--month 2027-01: the ledger has 2026-08 to 2026-09")
    #expect(
      try ledger.refusal("churn.churned", where: ["source=receipts"])
        == "--where source=receipts: no row of churn has this value; use events or subscribers")
    #expect(
      try ledger.refusal("churn.churned", where: ["country=DE"])
        == "--where country=DE: the whole population of churn has no rows by country; use source")
    #expect(
      try ledger.refusal("churn.churned", where: ["month=2026-08"])
        == "--where month=2026-08: use --month 2026-08")
    #expect(
      try ledger.refusal("churn.churned", where: ["source"])?.contains("such as currency=EUR")
        == true)
    #expect(
      try LedgerExample().refusal("churn.churned")
        == "the ledger is empty; report --ledger writes a line each run")
  }
}
