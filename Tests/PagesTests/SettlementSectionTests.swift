import PipelineTestSupport
import Simulation
import SubreportTestSupport
import Testing

@Suite("The section on settlements")
struct SettlementSectionTests {
  // MARK: Without SALES

  @Test
  func `says that sales are not checked without a SALES report of the period`() throws {
    let sandbox = try ReportSandbox(["detail.tsv": ReportText.financeDetail.with([:]).bytes])
    let outcome = try RunOutcome(sandbox)
    // The file has the numbers of METRICS.md: 12 takes the whole settlement, so that 29 is 0.
    let unexplained = outcome.rows("reconcile.csv").filter { $0["line"] == "unexplained_sales" }
    #expect(unexplained.map { $0["amount"] } == ["0.00"])
    #expect(unexplained.map { $0["cause"] } == ["not checked: no SALES report of this period"])
    let summary = outcome.text("summary.md")
    #expect(summary.contains("No period is verified and paid yet."))
    #expect(
      summary.contains(
        "0 of 1 period is verified; 1 lacks payments files, Sales reports and detail reports."))
    let index = outcome.text("index.html")
    #expect(index.contains("Sales are not checked in FY2026-P04: no SALES report."))
    let page = outcome.text("reconcile-FY2026-P04.md")
    #expect(page.contains("sales are not checked: no SALES report of this period;"))
    #expect(
      page.contains(
        "Not checked, because there is no SALES report of this period: `not_collected`, `share_difference`, `other_region`, `unexplained_sales` (0.00 in `reconcile.csv`); `missing_days` has what was settled of the period's sales."
      ))
    let zeros = PageReader.parts(of: page, from: "Exactly 0.00", to: "\n")
    #expect(zeros.allSatisfy { !$0.contains("unexplained_sales") })
    #expect(!page.contains("No difference between sales and settlement."))
  }

  @Test
  func `has no check of sales that holds without a SALES report`() throws {
    let detail = ReportText.financeDetail.with([:]).bytes
    let name = "10 … 29 = 30"
    let alone = try RunOutcome(try ReportSandbox(["detail.tsv": detail])).rows("checks.csv")
      .filter { $0["check"] == name }
    #expect(alone.map { $0["state"] } == ["missing"])
    #expect(alone.map { $0["expected"] } == ["6.99"])
    #expect(alone.map { $0["found"] } == [""])
    let both = try RunOutcome(
      try ReportSandbox([
        "detail.tsv": detail, "S_D_80012345_20260105.txt": ReportText.sales.with([:]).bytes,
      ])
    ).rows("checks.csv").filter { $0["check"] == name }
    #expect(both.map { $0["state"] } == ["ok"])
  }

  // MARK: What is due

  /// A payments CSV with the balance carried over; without `payout` it is not paid yet.
  private static func payments(_ month: String, payout: String?, _ rows: String...) -> String {
    let payment = payout == nil ? "" : "Exchange Rate,Proceeds,Bank Account Currency,"
    let header =
      "Region (Currency),Units Sold,Earned,Balance,Pre-Tax Subtotal,Input Tax,Adjustments,"
      + "Withholding Tax,Total Owed,\(payment)"
    let commas = String(repeating: ",", count: header.count { $0 == "," })
    let end =
      payout.map { [commas, ",,,,,,,,,,,\"\($0)\" EUR,", ",,,,,,,,,,,Paid to BANK -****0000,"] }
      ?? []
    let title = "\"Payments and Financial Reports\t(\(month), 2026)\"\(commas)"
    return ([title, commas, header] + rows + end).joined(separator: "\n") + "\n"
  }

  /// Returns the report of two payments CSVs: of January the euros are paid and the dollars carried over; of February,
  /// which is not paid yet, the dollars owed contain those of January.
  private static func carried() throws -> RunOutcome {
    let sandbox = try ReportSandbox()
    try sandbox.write(
      "january.csv",
      Self.payments(
        "January", payout: "80.00", "Americas (USD),1,26.96,0,26.96,0,0,0,26.96,,,,",
        "Euro-Zone (EUR),1,80.00,0,80.00,0,0,0,80.00,1.00000,80.00,EUR,"))
    try sandbox.write(
      "february.csv",
      Self.payments(
        "February", payout: nil, "Americas (USD),1,10.00,26.96,36.96,0,0,0,36.96,",
        "Euro-Zone (EUR),1,70.00,0,70.00,0,0,0,70.00,"))
    return try RunOutcome(sandbox)
  }

  @Test
  func `has an unknown payment empty, and what is not paid as 0`() throws {
    let rows = try Self.carried().rows("payments_due.csv").map { row in
      ["period", "currency", "owed", "paid", "state"].map { row[$0] ?? "" }
    }
    #expect(
      rows == [
        ["FY2026-P04", "EUR", "80.00", "80.00", "paid"],
        ["FY2026-P04", "USD", "26.96", "0.00", "carried over"],
        ["FY2026-P05", "EUR", "70.00", "", "due"], ["FY2026-P05", "USD", "36.96", "", "due"],
      ])
  }

  @Test
  func `has a page of the period with the words of its text`() throws {
    let outcome = try Self.carried()
    let page = outcome.text("reconcile-FY2026-P04.html")
    #expect(page.contains(">carried over<") && !page.contains(">not paid yet<"))
    let main = PageReader.parts(of: page, from: "<main", to: "<h2 id=\"h-files\">").first ?? ""
    for line in ["carried_balance", "total_owed", "unexplained_payment", "finance_share"] {
      #expect(!main.contains(line), "\(line)")
    }
  }

  @Test
  func `counts money that is carried over once in what is still to come`() throws {
    let outcome = try Self.carried()
    let index = outcome.text("index.html")
    for sentence in [
      "<strong>Still to come</strong>, by the payments CSVs: 70.00 EUR, 36.96 USD.",
      "The payments CSVs have payments up to that of FY2026-P04, planned for 5 March 2026; later dates are",
      "do not add up <code>owed</code> of several periods.",
    ] {
      #expect(index.contains(sentence), "\(sentence)")
    }
    let summary = outcome.text("summary.md")
    #expect(summary.contains("**Due next**\n\n|  | 2 Apr 2026 |\n"), "\(summary)")
    #expect(summary.contains("\n| EUR | 70.00 |\n| USD | 36.96 |\n"), "\(summary)")
    let paid =
      "The payments CSV has the payment, which was expected on 2026-03-05. Not paid for FY2026-P04:"
    #expect(outcome.text("reconcile-FY2026-P04.md").contains(paid))
  }

  @Test
  func `an amount of a pending file that a later file carries over is not due twice`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write(
      "january.csv",
      Self.payments("January", payout: nil, "Americas (USD),1,26.96,0,26.96,0,0,0,26.96,"))
    try sandbox.write(
      "february.csv",
      Self.payments("February", payout: nil, "Americas (USD),1,10.00,26.96,36.96,0,0,0,36.96,"))
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.rows("payments_due.csv").map { $0["state"] } == ["carried over", "due"])
    #expect(
      outcome.text("index.html").contains(
        "<strong>Still to come</strong>, by the payments CSVs: 36.96 USD."))
  }

  @Test
  func `a balance that the next file lacks is not called still to come`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write(
      "january.csv",
      Self.payments("January", payout: "0.00", "Americas (USD),1,26.96,0,26.96,0,0,0,26.96,,,,"))
    try sandbox.write(
      "february.csv",
      Self.payments("February", payout: "0.00", "Americas (USD),1,10.00,0,10.00,0,0,0,10.00,,,,"))
    let index = try RunOutcome(sandbox).text("index.html")
    #expect(
      index.contains(
        "<strong>Still to come</strong>, by the payments CSVs: 10.00 USD. It has no date yet: Apple carries it over."
      ))
    #expect(index.contains("does not carry it over: 26.96 USD of FY2026-P04 US."))
  }

  @Test
  func `says for which periods nothing is known of the payment`() throws {
    let sandbox = try ReportSandbox(["detail.tsv": ReportText.financeDetail.with([:]).bytes])
    let outcome = try RunOutcome(sandbox)
    let index = outcome.text("index.html")
    #expect(index.contains("Not known for FY2026-P04: no payments CSV."))
    #expect(!index.contains("Still to come"))
    #expect(
      outcome.text("reconcile-FY2026-P04.md").contains(
        "Payment is expected on 2026-03-05; without a payments CSV it is not known whether it came."
      ))
    #expect(outcome.rows("payments_due.csv").map { $0["paid"] } == [""])
  }

  @Test
  func `an unexplained amount of FINANCIAL alone is not known`() throws {
    let sandbox = try ReportSandbox([
      "80012345_0126_ZZ.txt": ReportText.financial.with([:]).bytes,
      "S_D_80012345_20260105.txt": ReportText.sales.with([:]).bytes,
    ])
    let page = try RunOutcome(sandbox).text("reconcile-FY2026-P04.md")
    #expect(page.contains("| US | USD | 20.97 | 0.00 | 13.98 | not known | | | not checked |"))
  }

  @Test
  func `says of a bridge that it is not paid yet, and rounds ranges as the currency does`() throws {
    let sandbox = try ReportSandbox([
      "detail.tsv": ReportText.financeDetail.with([:]).bytes,
      "S_D_80012345_20260105.txt": ReportText.sales.with([:]).bytes,
    ])
    try sandbox.write(
      "january.csv",
      Self.payments("January", payout: nil, "Americas (USD),1,6.99,0,6.99,0,0,0,6.99,"))
    let outcome = try RunOutcome(sandbox)
    let index = outcome.text("index.html")
    #expect(index.contains("<strong>Still to come</strong>, by the payments CSVs: 6.99 USD."))
    #expect(!index.contains("Sales are not checked"))
    // 2 × 6.99 × 85/70 is 16.976.
    #expect(
      outcome.text("reconcile-FY2026-P04.md").contains(
        "`cutoff_out` of US USD, -16.98 to 0.00."))
  }

  // MARK: Net proceeds

  @Test
  func `are those of SALES where SUBSCRIBER lacks a day`() throws {
    let world = try SimulatedReports(
      seed: 5, subscribers: 60, to: "2026-02-28", kinds: [.sales, .subscriber])
    var damaged = world
    let names = damaged.reports.keys.filter { $0.contains("20260215") && $0.contains("ubscriber_") }
    #expect(names.count == 1)
    for name in names { damaged.reports[name] = nil }
    let outcome = try RunOutcome(try damaged.sandbox())
    let ofSales = outcome.rows("proceeds.csv", source: "sales").first {
      $0["month"] == "2026-02" && $0["currency"] == "USD"
    }
    let dollars = try #require(ofSales?["net_proceeds"])
    let headline = outcome.rows("headlines.csv").first {
      $0["figure"] == "net_proceeds" && $0["currency"] == "USD"
    }
    #expect(headline?["source"] == "sales" && headline?["value"] == dollars)
    #expect(headline?["state"] == "final")
    let summary = outcome.text("summary.md")
    #expect(summary.contains("\n| USD | \(dollars) | "), "\(summary)")
  }
}
