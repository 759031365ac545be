import Counting
import Files
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Finance files")
struct FinanceFileTests {
  @Test
  func `of every form are read, and each row is accounted for`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write("80012345_0126_EU.txt", ReportText.financial.with(euro).text)
    try sandbox.write("80012345_0126_ZZ.txt", ReportText.financial.with(euro, [:], [:]).text)
    try sandbox.write("detail.tsv", ReportText.financeDetail.with([:], [:]).text)
    try sandbox.write("payments.csv", payments(euroPayment))
    let outcome = try RunOutcome(sandbox)
    let finance = try #require(outcome.result.finance)
    #expect(finance.statements.map(\.form) == [.region("EU"), .single, .detail])
    #expect(finance.statements.allSatisfy { $0.period.description == "FY2026-P04" })
    // The detail file's name has no vendor: it is that of the others.
    #expect(finance.statements.map(\.vendor) == ["80012345", "80012345", "80012345"])
    #expect(finance.payments.map(\.rows.count) == [1])
    #expect(outcome.account("80012345_0126_EU.txt") == ["1", "1", "0", "0", ""])
    #expect(
      outcome.account("80012345_0126_ZZ.txt")
        == ["3", "2", "0", "1", "other form of the same report: 1"])
    #expect(outcome.account("detail.tsv") == ["2", "2", "0", "0", ""])
    #expect(outcome.account("payments.csv") == ["1", "1", "0", "0", ""])
    #expect(outcome.health("payments.csv")["period"] == "FY2026-P04")
    #expect(outcome.checks.hold)
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: false) == [])
    let trailers = outcome.rows("checks.csv").filter { $0["check"] == "trailer" }
    #expect(trailers.map { $0["state"] } == ["missing", "missing", "missing"])
  }

  @Test
  func `bring in SALES rows of every product type that move money`() throws {
    let sandbox = try ReportSandbox()
    let sales = ReportText.sales.with(
      [:], ["Units": "-1", "Customer Price": "-9.99"],
      ["Product Type Identifier": "1F", "Apple Identifier": "7", "Title": "App"],
      ["Product Type Identifier": "1F", "Developer Proceeds": "0", "Customer Price": "0"])
    try sandbox.write("S_D_80012345_20260105.txt", sales.text)
    try sandbox.write("S_D_80012345_20260106.txt", ReportText.sales.text)
    let name = "S_D_80012345_20260105.txt"
    let alone = try RunOutcome(sandbox)
    #expect(alone.result.finance == nil)
    #expect(alone.account(name) == ["4", "2", "0", "2", "other product types: 2"])
    try sandbox.write("detail.tsv", ReportText.financeDetail.with([:]).text)
    let both = try RunOutcome(sandbox)
    #expect(both.account(name) == ["4", "3", "0", "1", "other product types: 1"])
    let finance = try #require(both.result.finance)
    #expect(finance.salesDays.map(\.description).sorted() == ["2026-01-05", "2026-01-06"])
    #expect(finance.sales.values.sorted() == [-1, 3, 3])
    #expect(finance.sales.filter(\.key.isRefund).map(\.value) == [-1])
    #expect(both.text("proceeds.csv") == alone.text("proceeds.csv"))
    let early = try RunOutcome(sandbox) { $0.asOf = Day("2026-01-05") }
    #expect(early.result.finance?.salesDays.count == 1)
    #expect(early.account("detail.tsv").last == "after as-of: 1")
  }

  @Test
  func `leave SALES of other frequencies as they were`() throws {
    let sandbox = try ReportSandbox()
    let week = ["Begin Date": "01/05/2026", "End Date": "01/11/2026"]
    let app = week.merging(["Product Type Identifier": "1F"]) { $1 }
    try sandbox.write("S_W_80012345_20260111.txt", ReportText.sales.with(week, app).text)
    try sandbox.write("detail.tsv", ReportText.financeDetail.with([:]).text)
    let outcome = try RunOutcome(sandbox)
    #expect(
      outcome.account("S_W_80012345_20260111.txt")
        == ["2", "1", "0", "1", "other product types: 1"])
    #expect(outcome.result.finance?.sales.isEmpty == true)
    #expect(outcome.result.finance?.salesDays.isEmpty == true)
  }

  @Test
  func `name products when theirs is the last row`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write("S_D_80012345_20260105.txt", ReportText.sales.with([:]).text)
    try sandbox.write("Z_0126.txt", ReportText.financial.with([:]).text)
    let outcome = try RunOutcome(sandbox, views: [[.product]])
    #expect(outcome.rows("proceeds-by-product.csv").map { $0["product"] } == ["Monthly, settled"])
  }

  @Test
  func `with the same bytes are read once, with others not at all`() throws {
    let sandbox = try ReportSandbox()
    let text = ReportText.financial.with(euro).text
    try sandbox.write("a/80012345_0126_EU.txt", text)
    try sandbox.write("b/80012345_0126_EU.txt", text)
    try sandbox.write("payments.csv", payments(euroPayment))
    let once = try RunOutcome(sandbox)
    #expect(once.result.finance?.statements.count == 1)
    #expect(
      once.account("b/80012345_0126_EU.txt")
        == ["1", "0", "0", "1", "duplicate file: 1; same bytes as a/80012345_0126_EU.txt"])
    try sandbox.write("c/80012345_0126_EU.txt", ReportText.financial.with(euro, euro).text)
    try sandbox.write("other.csv", payments(euroPayment, "Japan (JPY),1,0,0,0,1,1,1,USD,"))
    let never = try RunOutcome(sandbox)
    #expect(never.result.finance?.statements.isEmpty == true)
    #expect(never.result.finance?.payments.isEmpty == true)
    #expect(
      never.result.fileDiagnostics.map { $0.text.contains("[conflicting-files]") }
        == [true, true, true, true])
    #expect(never.result.exitReasons(maxRejects: 0, checksDays: false) == [.unusableInput])
    for path in ["a/80012345_0126_EU.txt", "c/80012345_0126_EU.txt", "other.csv"] {
      #expect(never.account(path)[1] == "0", "\(path)")
    }
  }

  @Test
  func `that differ only in the endings of lines are the same`() throws {
    let sandbox = try ReportSandbox()
    let text = payments(euroPayment)
    try sandbox.write("a.csv", text)
    try sandbox.write("b.csv", text.replacing("\n", with: "\r\n"))
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.result.finance?.payments.count == 1)
    #expect(outcome.account("b.csv")[3] == "1")
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: false).isEmpty)
  }

  @Test
  func `of one region in two currencies are two reports`() throws {
    let sandbox = try ReportSandbox()
    for (name, currency) in [("80012345_0126_BG", "BGN"), ("80012345_0126_BG (1)", "EUR")] {
      let row = ["Country Of Sale": "BG", "Partner Share Currency": currency]
      try sandbox.write("\(name).txt", ReportText.financial.with(row).text)
    }
    let both = try RunOutcome(sandbox)
    #expect(both.result.finance?.statements.count == 2)
    let again = ["Country Of Sale": "BG", "Partner Share Currency": "EUR"]
    try sandbox.write("c/80012345_0126_BG.txt", ReportText.financial.with(again, again).text)
    let one = try RunOutcome(sandbox)
    #expect(one.result.finance?.statements.count == 1)
  }

  @Test
  func `say which countries no region lists`() throws {
    let sandbox = try ReportSandbox()
    let row = { (country: String, currency: String) in
      ["Country of Sale": country, "Partner Share Currency": currency]
    }
    let (kuna, dollars, kronor) = (row("HR", "HRK"), row("BR", "USD"), row("US", "SEK"))
    try sandbox.write(
      "detail.tsv", ReportText.financeDetail.with([:], kuna, kuna, dollars, kronor).text)
    let outcome = try RunOutcome(sandbox)
    // Kronor are of the only region that has them.
    #expect(
      outcome.account("detail.tsv").last
        == "region not known, BR USD as WW: 1; region not known, HR HRK as HR: 2")
  }

  @Test
  func `of two vendors are two reports`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write("80012345_0126_EU.txt", ReportText.financial.with(euro).text)
    try sandbox.write("80099999_0126_EU.txt", ReportText.financial.with(euro, euro).text)
    try sandbox.write("80099999_0126_ZZ.txt", ReportText.financial.with(euro, euro, [:]).text)
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.result.finance?.statements.count == 3)
    #expect(outcome.account("80099999_0126_ZZ.txt")[3] == "2")
  }

  @Test
  func `whose sums do not match are damaged, and a good file of the same report counts`() throws {
    let sandbox = try ReportSandbox()
    let text = ReportText.financial.with(euro).text
    let bad = text + "Total_Rows\t1\nTotal_Amount\t13.99\nTotal_Units\t2\n"
    try sandbox.write("a/80012345_0126_EU.txt", bad)
    try sandbox.write("b/80012345_0126_EU.txt", text + "Total_Amount\t13.98\n")
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.result.finance?.statements.map(\.fileIndex) == [1])
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: false) == [.corruptInput])
    #expect(outcome.account("a/80012345_0126_EU.txt")[1] == "0")
    #expect(outcome.account("b/80012345_0126_EU.txt")[1] == "1")
    #expect(outcome.checks.hold)
    let failed = outcome.rows("checks.csv").filter { $0["state"] == "failed" }
    #expect(
      failed.map { [$0["check"], $0["expected"], $0["found"]] } == [["trailer", "13.99", "13.98"]])
    #expect(
      outcome.checks.all.filter { !$0.holds }.map(\.scope) == [
        "a/80012345_0126_EU.txt Total_Amount"
      ])
  }

  private static let rejected = ReportText.financial.with(
    euro, euro.merging(["Quantity": "x"]) { $1 }
  ).text

  @Test
  func `keep their rejected rows listed when their sums fail`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write("80012345_0126_EU.txt", Self.rejected + "Total_Rows\t3\n")
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.account("80012345_0126_EU.txt").prefix(4) == ["2", "0", "1", "1"])
    #expect(outcome.rows("rejects.csv").map { $0["code"] } == ["not-a-whole-number"])
    #expect(
      outcome.result.exitReasons(maxRejects: 0, checksDays: false) == [.corruptInput, .failIf])
  }

  @Test
  func `are used with a rejected row, which their number of rows has and their sums lack`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write(
      "80012345_0126_EU.txt", Self.rejected + "Total_Rows\t2\nTotal_Amount\t27.96\n")
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.account("80012345_0126_EU.txt").prefix(4) == ["2", "1", "1", "0"])
    let trailers = outcome.rows("checks.csv").filter { $0["check"] == "trailer" }
    #expect(trailers.map { $0["state"] } == ["ok", "missing", "missing"])
    #expect(outcome.result.exitReasons(maxRejects: 1, checksDays: false) == [])
    let row = try #require(outcome.result.finance?.statements.first?.rejected.first)
    #expect(row.line == 3)
    #expect(row.country.map { outcome.result.names.symbols[Int($0)] } == "DE")
    #expect(row.currency.map { outcome.result.names.symbols[Int($0)] } == "EUR")
    let lines = try #require(FinanceReport(outcome.result)).unverified().errors
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.contains("rejected: 80012345_0126_EU.txt:3") })
  }

  @Test
  func `are left aside by runs that count only some rows`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write("80012345_0126_EU.txt", ReportText.financial.with(euro).text)
    try sandbox.write("S_D_80012345_20260105.txt", ReportText.sales.with([:]).text)
    let filtered = try RunOutcome(sandbox) { $0.filters.countries = ["DE"] }
    #expect(filtered.account("80012345_0126_EU.txt").last == "filtered run: 1")
    let sourced = try RunOutcome(sandbox) { $0.sources = [.subscribers] }
    #expect(sourced.account("80012345_0126_EU.txt").last == "other source: 1")
    let unread = try RunOutcome(sandbox) { $0.readsFinance = false }
    #expect(unread.account("80012345_0126_EU.txt").last == "other report: 1")
    #expect([filtered, sourced, unread].allSatisfy { $0.result.finance == nil })
  }

  @Test
  func
    `without a vendor in the name are those of the only vendor, or of the one with their amounts`()
    throws
  {
    var files = [
      "80012345_0126_EU.txt": ReportText.financial.with(euro).bytes,
      "financial_report.csv": Array(payments(euroPayment).utf8),
    ]
    let alone = try RunOutcome(try ReportSandbox(files)) { $0.filters.vendors = ["80012345"] }
    #expect(alone.result.finance?.payments.map(\.vendor) == ["80012345"])
    files["80099999_0126_EU.txt"] = ReportText.financial.with(euro, euro).bytes
    for vendors in [["80012345"], []] {
      let several = try RunOutcome(try ReportSandbox(files)) { $0.filters.vendors = vendors }
      #expect(several.result.finance?.payments.map(\.vendor) == ["80012345"])
      #expect(several.result.fileDiagnostics.isEmpty)
    }
    let other = try RunOutcome(try ReportSandbox(files)) { $0.filters.vendors = ["80099999"] }
    #expect(other.result.finance?.payments.count == 0)
    #expect(other.account("financial_report.csv").last == "other vendor: 1")
    #expect(other.account("80012345_0126_EU.txt").last == "other vendor: 1")
    #expect(other.result.finance?.statements.map(\.vendor) == ["80099999"])
    // A second one, of the other vendor, contradicts nothing.
    files["other.csv"] = Array(
      payments("Euro-Zone (EUR),27.96,0,0,0,27.96,1.10000,30.76,USD,").utf8)
    let both = try RunOutcome(try ReportSandbox(files))
    #expect(both.result.finance?.payments.map(\.vendor) == ["80012345", "80099999"])
    #expect(both.result.fileDiagnostics.isEmpty)
    let due = both.rows("payments_due.csv").map { [$0["owed"], $0["paid"], $0["state"]] }
    #expect(due == [["41.94", "41.94", "paid"]])
  }

  @Test(arguments: ["14.98", "13.98"])
  func `of no vendor, or of both, are an error that asks for the vendor`(earned: String) throws {
    let sandbox = try ReportSandbox()
    for vendor in ["80012345", "80099999"] {
      try sandbox.write("\(vendor)_0126_EU.txt", ReportText.financial.with(euro).text)
    }
    try sandbox.write(
      "payments.csv", payments("Euro-Zone (EUR),\(earned),0,0,0,\(earned),1,\(earned),EUR,"))
    // Without rows it is nobody's and contradicts nothing.
    try sandbox.write("empty.csv", payments())
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.result.fileDiagnostics.count == 1)
    let text = outcome.result.fileDiagnostics[0].text
    #expect(text.contains("put the vendor number in front of the name [unknown-vendor]"))
    #expect(outcome.account("payments.csv")[1...3] == ["0", "0", "1"])
    let why = outcome.rows("verdicts.csv").compactMap { $0["why"] }
    #expect(why.allSatisfy { $0.contains("payments.csv cannot be used: put the vendor number") })
    #expect(!outcome.text("summary.md").contains("payments CSV of FY2026-P04"))
  }

  private static let pending = payments(euroPayment).replacing(
    "Paid to EXAMPLE BANK -****0000", with: "")

  @Test
  func `from before the payment do not count beside one from after it`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write("a.csv", Self.pending.replacing("15.38", with: "15.00"))
    try sandbox.write("b.csv", Self.pending)
    let unpaid = try RunOutcome(sandbox)
    #expect(unpaid.result.finance?.payments.map(\.fileIndex) == [1])
    #expect(unpaid.account("a.csv").last == "replaced by b.csv; restated: 1")
    #expect(unpaid.rows("payments_due.csv").map { $0["state"] } == ["due"])
    #expect(unpaid.rows("payments_due.csv").map { $0["paid"] } == [""])
    try sandbox.write("c.csv", payments(euroPayment))
    let paid = try RunOutcome(sandbox)
    #expect(paid.result.finance?.payments.map(\.fileIndex) == [2])
    for name in ["a.csv", "b.csv"] {
      #expect(paid.account(name).last == "pending, a paid one is there: 1")
    }
    #expect(paid.result.fileDiagnostics.isEmpty)
    #expect(paid.rows("payments_due.csv").map { $0["state"] } == ["paid"])
    // One with errors never replaces one without.
    try sandbox.write("c.csv", payments(euroPayment, "Japan (JPY),x,0,0,0,1,1,1,USD,"))
    let damaged = try RunOutcome(sandbox)
    #expect(damaged.result.finance?.payments.map(\.fileIndex) == [1])
    #expect(
      damaged.result.fileDiagnostics.map { $0.text.contains("download this file again") } == [true])
  }

  @Test(arguments: [1, 3])
  func `come out the same on any number of threads`(jobs: Int) throws {
    let sandbox = try ReportSandbox()
    for region in ["EU", "US", "ZZ"] {
      let rows = region == "US" ? ReportText.financial.with([:]) : ReportText.financial.with(euro)
      try sandbox.write("80012345_0126_\(region).txt", rows.text)
    }
    for day in 5...9 {
      let date = "01/0\(day)/2026"
      let rows = ReportText.sales.with(["Begin Date": date, "End Date": date])
      try sandbox.write("S_D_80012345_2026010\(day).txt", rows.text)
    }
    let finance = try #require(try RunOutcome(sandbox, jobs: jobs).result.finance)
    #expect(finance.statements.map(\.fileIndex) == [0, 1, 2])
    #expect(finance.sales.count == 5)
    #expect(finance.sales.values.allSatisfy { $0 == 3 })
  }
}

@Suite("Fiscal months")
struct FiscalMonthTests {
  @Test(arguments: histories(3, from: 140))
  func `close like calendar months, and hold the same in all`(seed: UInt64) throws {
    let sandbox = try SimulatedReports(seed: seed).sandbox()
    let calendar = try RunOutcome(sandbox)
    let fiscal = try RunOutcome(sandbox) { $0.monthSystem = .fiscal }
    #expect(fiscal.checks.hold)
    let closing = fiscal.checks.all.filter { $0.name == "movement closes" }
    #expect(!closing.isEmpty && closing.allSatisfy(\.holds))
    for (table, column) in [
      ("churn", "churned"), ("renewals", "due"), ("lapses", "lapses"), ("trials", "trials"),
      ("proceeds", "charges"),
    ] {
      for source in ["subscribers", "events", "sales"] {
        let sums = [calendar, fiscal].map { outcome in
          outcome.rows(table + ".csv", source: source).compactMap { Int($0[column] ?? "") }
            .reduce(0, +)
        }
        #expect(sums[0] == sums[1], "\(table) of \(source)")
      }
    }
    #expect(fiscal.text("retention.csv") != "")
  }

  @Test func `hold the days of their fiscal period`() throws {
    let sandbox = try ReportSandbox()
    for date in ["2025-12-27", "2025-12-28", "2026-01-31", "2026-02-01"] {
      let parts = date.split(separator: "-")
      let day = "\(parts[1])/\(parts[2])/\(parts[0])"
      try sandbox.write(
        "S_D_80012345_\(parts.joined()).txt",
        ReportText.sales.with(["Begin Date": day, "End Date": day]).text)
    }
    let outcome = try RunOutcome(sandbox) { $0.monthSystem = .fiscal }
    let rows = outcome.rows("proceeds.csv")
    #expect(rows.map { $0["month"] } == ["FY2026-P03", "FY2026-P04", "FY2026-P05"])
    #expect(rows.map { $0["charges"] } == ["3", "6", "3"])
    let summary = outcome.text("summary.md")
    #expect(summary.contains("subscriptions in FY2026-P04 (Apple's fiscal periods)"))
  }
}
