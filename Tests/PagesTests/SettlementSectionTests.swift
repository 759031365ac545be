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
    #expect(summary.contains("Sales are not checked in FY2026-P04: no SALES report."))
    #expect(summary.contains("Sales are not checked: no SALES report of this period."))
    #expect(!summary.contains("without a known range"))
    #expect(summary.contains("| US | USD | | | 6.99 | not checked | | | not checked |"))
    let index = outcome.text("index.html")
    #expect(index.contains("not checked</td>"))
    #expect(index.contains("No bridge can be drawn: sales and the amount owed are not known."))
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
  func `counts money that is carried over once in what is still to come`() throws {
    let outcome = try Self.carried()
    let sentence =
      "<strong>Still to come</strong>, by the payments CSVs: 70.00 EUR, 36.96 USD. The payments CSVs have payments up to that of FY2026-P04, planned for 2026-03-05; later dates are"
    #expect(outcome.text("index.html").contains(sentence))
    // The table of all periods says where the money carried over is.
    #expect(outcome.text("index.html").contains("carried over to FY2026-P05"))
    let summary = outcome.text("summary.md")
    #expect(summary.contains("**Still to come**, by the payments CSVs: 70.00 EUR, 36.96 USD."))
    #expect(summary.contains("do not add up `owed` of several periods."))
    #expect(summary.contains("| USD | US | FY2026-P05 | 36.96 | 26.96 | 2026-04-02 | due |"))
    #expect(!summary.contains("| USD | US | FY2026-P04 |"))
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
      outcome.text("summary.md").contains("**Still to come**, by the payments CSVs: 36.96 USD."))
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
    let summary = try RunOutcome(sandbox).text("summary.md")
    #expect(
      summary.contains(
        "**Still to come**, by the payments CSVs: 10.00 USD. It has no date yet: Apple carries it over."
      ))
    #expect(summary.contains("does not carry it over: 26.96 USD of FY2026-P04 US."))
  }

  @Test
  func `says for which periods nothing is known of the payment`() throws {
    let sandbox = try ReportSandbox(["detail.tsv": ReportText.financeDetail.with([:]).bytes])
    let outcome = try RunOutcome(sandbox)
    let summary = outcome.text("summary.md")
    #expect(summary.contains("Not known for FY2026-P04: no payments CSV."))
    #expect(!summary.contains("Still to come"))
    #expect(
      summary.contains(
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
    let summary = try RunOutcome(sandbox).text("summary.md")
    #expect(summary.contains("| US | USD | 20.97 | 0.00 | 13.98 | not known | | | not checked |"))
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
    #expect(
      outcome.text("index.html").contains(
        "Sold 20.97, settled 6.99, owed 6.99. Estimates: 8 lines. Not paid yet, by the payments CSV."
      ))
    // 2 × 6.99 × 85/70 is 16.976.
    #expect(outcome.text("summary.md").contains("`cutoff_out` of US USD, -16.98 to 0.00."))
    #expect(!outcome.text("summary.md").contains("not checked"))
  }

  // MARK: Net proceeds

  @Test
  func `names the net proceeds by SALES where only SUBSCRIBER lacks a day`() throws {
    let world = try SimulatedReports(
      seed: 5, subscribers: 60, to: "2026-02-28", kinds: [.sales, .subscriber])
    let whole = try RunOutcome(try world.sandbox())
    #expect(!whole.text("summary.md").contains("SALES reports have every day"))
    var damaged = world
    let names = damaged.reports.keys.filter { $0.contains("20260215") && $0.contains("ubscriber_") }
    #expect(names.count == 1)
    for name in names { damaged.reports[name] = nil }
    let outcome = try RunOutcome(try damaged.sandbox())
    let ofSales = outcome.rows("proceeds.csv", source: "sales").first {
      $0["month"] == "2026-02" && $0["currency"] == "USD"
    }
    let dollars = try #require(ofSales?["net_proceeds"])
    let summary = outcome.text("summary.md")
    #expect(
      summary.contains(
        "SALES reports have every day of February 2026, `subscribers` lacks some. By SALES net proceeds were"
      ))
    #expect(summary.contains("see The other sources."))
    #expect(summary.contains("| Net proceeds, USD | \(dollars) ("))
    let sentence = "SALES reports have every day of February 2026, <code>subscribers</code>"
    // Below the tiles and in the section on proceeds.
    #expect(PageReader.parts(of: outcome.text("index.html"), from: sentence, to: "</p>").count == 2)
  }
}
