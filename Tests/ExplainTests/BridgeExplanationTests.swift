import Explain
import Pipeline
import PipelineTestSupport
import ReportCache
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Fiscal period FY2026-P04, 28 December 2025 to 31 January 2026, with a SALES report of each day.
private struct SmallSettlement {
  static let period = FiscalPeriod(fiscalYear: 2026, period: 4)
  static let place = ["region=US", "currency=USD"]
  let sandbox: ReportSandbox

  /// Of four equal units of 5 January one is never settled.
  ///
  /// That of 31 January is settled in the next period. Nobody sold what was settled at 3.49.
  init(payment: String = "17.47,1.00000,17.47,USD") throws {
    let unit = ["Units": "1"]
    let refund = ["Units": "-1", "Customer Price": "-9.99"]
    let sales: [String: [[String: String]]] = [
      "2026-01-05": [[:], unit.merging(["Device": "iPad"]) { $1 }], "2026-01-10": [refund],
      "2026-01-31": [unit],
    ]
    var files: [String: [UInt8]] = [:]
    for number in Self.period.firstDay.number...Self.period.lastDay.number {
      let day = Day(number: number).description
      let parts = day.split(separator: "-")
      let date = "\(parts[1])/\(parts[2])/\(parts[0])"
      var report = ReportText.sales
      report.rows = (sales[day] ?? []).map { row in
        row.merging(["Begin Date": date, "End Date": date]) { $1 }
      }
      files["sales/S_D_80012345_\(parts.joined()).txt"] = report.bytes
    }
    let back = [
      "Transaction Date": "01/10/2026", "Settlement Date": "01/11/2026", "Quantity": "-1",
      "Extended Partner Share": "-6.99", "Sale or Return": "R", "Customer Price": "-9.990",
    ]
    let alien = [
      "Transaction Date": "01/07/2026", "Settlement Date": "01/08/2026", "Partner Share": "3.49",
      "Extended Partner Share": "3.49", "Customer Price": "4.990",
    ]
    files["detail.tsv"] =
      ReportText.financeDetail.with(
        ["Quantity": "3", "Extended Partner Share": "20.97"], back, alien
      ).bytes
    files["next.tsv"] =
      ReportText.financeDetail.with([
        "Transaction Date": "01/31/2026", "Settlement Date": "02/01/2026",
      ]).bytes
    let payment = "Americas (USD),17.47,0,0,0,\(payment),"
    files["payments.csv"] = Array(payments(payment).utf8)
    sandbox = try ReportSandbox(files)
  }

  /// What a line is made of: value, fact, reason and rows.
  func list(_ line: String, _ run: FinanceRun) throws -> [[String]] {
    let found = try run.explained("reconcile.amount", Self.place + ["line=\(line)"], Self.period)
    #expect(found.holds, "\(found.lines)")
    let table = found.table
    return table.rows.indices.map { table.texts(["value", "fact", "because", "rows"], row: $0) }
  }
}

@Suite("An explanation of a settlement")
struct BridgeExplanationTests {
  @Test
  func `lists what other lines of the bridge count`() throws {
    let small = try SmallSettlement()
    let run = try FinanceRun(small.sandbox.path)
    let found = try run.explained(
      "reconcile.amount", SmallSettlement.place + ["line=not_collected"], SmallSettlement.period,
      leavingOut: true)
    #expect(found.holds)
    let table = found.table
    let listed = table.rows.indices.map {
      table.texts(["value", "fact", "because", "rows"], row: $0)
    }
    #expect(listed.allSatisfy { $0[0].isEmpty && $0[1] == "left out" })
    #expect(
      listed.first == [
        "", "left out",
        "it is in sales_gross: 3 units sold on 2026-01-05 at 6.99 USD of proceeds a unit",
        "\(Self.fifth):2",
      ], "\(listed)")
    #expect(
      found.lines.last
        == "besides, \(listed.count) belong to the row and do not count")
    // Each row of the reports is in one line, whatever it adds to the column.
    let lines = [
      "sales_gross", "sales_refunds", "cutoff_out", "not_collected", "unexplained_sales",
    ]
    for column in ["amount", "count"] {
      let sizes = try lines.map { line in
        let place = SmallSettlement.place + ["line=\(line)"]
        let counted = try run.explained("reconcile.\(column)", place, SmallSettlement.period)
        let others = try run.explained(
          "reconcile.\(column)", place, SmallSettlement.period, leavingOut: true)
        return counted.table.rows.count + others.table.rows.count
      }
      #expect(Set(sizes).count == 1, "\(column): \(sizes)")
    }
    let whole = try run.explained(
      "reconcile.amount", SmallSettlement.place + ["line=finance_share"], SmallSettlement.period,
      leavingOut: true)
    #expect(whole.table.rows.isEmpty)
  }

  private static let fifth = "sales/S_D_80012345_20260105.txt"

  @Test
  func `names the rows of SALES and of finance files`() throws {
    let small = try SmallSettlement()
    let run = try FinanceRun(small.sandbox.path)
    #expect(
      try small.list("sales_gross", run) == [
        [
          "20970", "sale", "3 units sold on 2026-01-05 at 6.99 USD of proceeds a unit",
          "\(Self.fifth):2",
        ],
        [
          "6990", "sale", "1 unit sold on 2026-01-05 at 6.99 USD of proceeds a unit",
          "\(Self.fifth):3",
        ],
        [
          "6990", "sale", "1 unit sold on 2026-01-31 at 6.99 USD of proceeds a unit",
          "sales/S_D_80012345_20260131.txt:2",
        ],
      ])
    #expect(
      try small.list("sales_refunds", run) == [
        [
          "-6990", "refund", "1 unit refunded on 2026-01-10 at 6.99 USD of proceeds a unit",
          "sales/S_D_80012345_20260110.txt:2",
        ]
      ])
    #expect(
      try small.list("finance_share", run) == [
        [
          "20970", "settled sale",
          "3 units sold on 2026-01-05, settled on 2026-01-06 at 6.99 USD a unit", "detail.tsv:2",
        ],
        [
          "-6990", "settled return",
          "1 unit returned on 2026-01-10, settled on 2026-01-11 at 6.99 USD a unit", "detail.tsv:3",
        ],
        [
          "3490", "settled sale",
          "1 unit sold on 2026-01-07, settled on 2026-01-08 at 3.49 USD a unit", "detail.tsv:4",
        ],
      ])
  }

  @Test
  func `names pairs, and units without a partner`() throws {
    let small = try SmallSettlement()
    let run = try FinanceRun(small.sandbox.path)
    let last = "sales/S_D_80012345_20260131.txt:2"
    #expect(
      try small.list("cutoff_out", run) == [
        [
          "-6990", "pair",
          "1 unit sold on 2026-01-31, settled on 2026-02-01 in FY2026-P05; it counts in this period; paired with 1 unit sold on 2026-01-31 at 6.99 USD",
          "next.tsv:2; \(last)",
        ]
      ])
    #expect(
      try small.list("not_collected", run) == [
        [
          "-6990", "unpaired sale",
          "1 of 4 units sold on 2026-01-05 at 6.99 USD: no settled unit is paired with it",
          "\(Self.fifth):2; \(Self.fifth):3",
        ]
      ])
    #expect(
      try small.list("unexplained_sales", run) == [
        [
          "3490", "unpaired settled sale",
          "1 unit sold on 2026-01-07, settled on 2026-01-08 at 3.49 USD a unit; no sale is paired with it",
          "detail.tsv:4",
        ]
      ])
  }

  @Test
  func `says both amounts of a payment in another currency`() throws {
    let small = try SmallSettlement(payment: "17.47,0.90000,15.72,EUR")
    let run = try FinanceRun(small.sandbox.path)
    let found = try run.explained(
      "reconcile.amount", ["region=US", "line=payment"], SmallSettlement.period)
    #expect(found.holds, "\(found.lines)")
    #expect(
      found.table.texts(["value", "because"]) == [
        "15720", "payment in the payments CSV: 15.72 EUR for 17.47 USD owed",
      ])
    let same = try SmallSettlement()
    let ofSame = try FinanceRun(same.sandbox.path)
    #expect(try same.list("payment", ofSame)[0][2] == "payment in the payments CSV")
  }

  @Test
  func `names cells of the payments CSV, and the lines of a remainder`() throws {
    let small = try SmallSettlement()
    let run = try FinanceRun(small.sandbox.path)
    #expect(
      try small.list("total_owed", run) == [
        ["17470", "payments row", "total_owed in the payments CSV", "payments.csv:4"]
      ])
    #expect(
      try small.list("unexplained_payment", run) == [
        ["17470", "line", "plus total_owed", ""], ["-17470", "line", "less finance_share", ""],
      ])
    #expect(try small.list("carried_balance", run).isEmpty)
  }

  @Test
  func `has counts, a limit and rows by product`() throws {
    let small = try SmallSettlement()
    let run = try FinanceRun(small.sandbox.path)
    let sold = SmallSettlement.place + ["line=sales_gross"]
    let found = try run.explained(
      "reconcile", sold + ["product=Monthly"], SmallSettlement.period, limit: 1)
    #expect(
      found.lines == [
        "amount: 3 contributions add up to 34.95, as reconcile-by-product.csv says",
        "count: 3 contributions add up to 5, as reconcile-by-product.csv says",
      ])
    let table = found.table
    #expect(
      table.rows.indices.map { table.texts(["column", "value", "because"], row: $0) } == [
        ["amount", "20970", "3 units sold on 2026-01-05 at 6.99 USD of proceeds a unit"],
        ["amount", "13980", "2 more contributions, not listed"],
        ["count", "3", "3 units sold on 2026-01-05 at 6.99 USD of proceeds a unit"],
        ["count", "2", "2 more contributions, not listed"],
      ])
    let lost = try run.explained(
      "reconcile.amount", SmallSettlement.place + ["line=not_collected"], SmallSettlement.period)
    let note = try #require(lost.notes.first)
    #expect(note.hasPrefix("not_collected is an estimate between -6.99 and 0.00: "))
    #expect(
      note.hasSuffix(
        "; the range depends on how many of the units that are not settled yet will be settled, and at which share"
      ), "\(note)")
  }

  @Test
  func `has the range of an estimate`() throws {
    let small = try SmallSettlement()
    let run = try FinanceRun(small.sandbox.path)
    let found = try run.explained(
      "reconcile.low", SmallSettlement.place + ["line=cutoff_out"], SmallSettlement.period)
    #expect(found.lines == ["2 contributions add up to -15.478, as reconcile.csv says"])
    let table = found.table
    let lists = table.rows.indices.map { table.texts(["value", "fact", "because"], row: $0) }
    #expect(lists.map { $0[0] } == ["-6990", "-8488"])
    #expect(
      lists.last == [
        "-8488", "open units", "85/70 of the proceeds of 1 unit that may be settled later",
      ])
    let lost = try run.explained(
      "reconcile.low", SmallSettlement.place + ["line=not_collected"], SmallSettlement.period)
    #expect(
      lost.table.texts(["value", "fact", "because"]) == [
        "-6990", "unpaired sale",
        "1 of 4 units sold on 2026-01-05 at 6.99 USD: not settled yet, maybe never",
      ])
  }

  @Test
  func `refuses what is not known, and asks for one row`() throws {
    let small = try SmallSettlement()
    let run = try FinanceRun(small.sandbox.path)
    let refusal = { (cell: String, conditions: [String]) throws -> String in
      do {
        _ = try run.explained(cell, conditions, SmallSettlement.period)
        return "answered"
      } catch let error as QuestionError {
        return error.message
      }
    }
    #expect(
      try refusal("reconcile.status", [])
        == "explain reconcile.status: this is no number; use amount, count, low or high")
    #expect(
      try refusal("reconcile.low", SmallSettlement.place + ["line=total_owed"])
        == "total_owed of FY2026-P04 US USD is exact: it has no range")
    #expect(
      try refusal("reconcile", ["line=sales_gros"])
        == "--where line=sales_gros: no row of reconcile has this value; did you mean \"sales_gross\"?"
    )
    #expect(
      try refusal("reconcile", ["country=US"]).hasPrefix(
        "--where country=US: reconcile has no rows by country; "))
    #expect(
      try refusal("reconcile", SmallSettlement.place + ["line=share_difference"])
        == "reconcile has 2 rows for FY2026-P04 and region US and currency USD and line share_difference; choose one with --where cause=… (70/85, other)"
    )
    #expect(
      try refusal("reconcile.count", SmallSettlement.place + ["line=total_owed"])
        == "count is empty in this row: total_owed has no units")
  }

  @Test
  func `refuses an amount that a rejected row makes unknown`() throws {
    let small = try SmallSettlement()
    let broken = ReportText.financeDetail.with(["Quantity": "x"], [:])
    try small.sandbox.write("detail.tsv", broken.text)
    let run = try FinanceRun(small.sandbox.path)
    do {
      _ = try small.list("finance_share", run)
      Issue.record("answered")
    } catch let error as QuestionError {
      #expect(
        error.message
          == "finance_share of FY2026-P04 US USD is not known: rejected: detail.tsv:2; there is nothing to explain"
      )
    }
  }

  @Test
  func `is the same with a cache`() throws {
    let small = try SmallSettlement()
    let folder = try ReportSandbox()
    let expected = try small.list("cutoff_out", try FinanceRun(small.sandbox.path))
    for _ in 0..<2 {
      let cache = try ExtractCache(path: folder.path + "/cache", version: "1.2.3")
      let run = try FinanceRun(small.sandbox.path) { $0.earlierRuns = cache }
      #expect(try small.list("cutoff_out", run) == expected)
    }
  }

  @Test
  func `fails if a SALES report has changed since it was read`() throws {
    let small = try SmallSettlement()
    let run = try FinanceRun(small.sandbox.path)
    try small.sandbox.write(Self.fifth, ReportText.sales.with([:]).text)
    #expect(throws: KeptCharges.LineError.self) { try small.list("sales_gross", run) }
  }
}
