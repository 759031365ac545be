import PipelineTestSupport
import Simulation
import SubreportTestSupport
import Testing

/// What the pages say of a simulated world's settlements, beside the CSV files of the same run.
@Suite("The words on settlements")
struct SettlementWordsTests {
  /// Returns the report of a world's finance files, with its SALES reports or without.
  private static func outcome(seed: UInt64, withSales: Bool) throws -> RunOutcome {
    let sandbox = try ReportSandbox()
    let folder = sandbox.path + "/world"
    try Simulator.write(
      world: try WorldOptions(
        subscribers: 80, firstDay: "2026-01-01", lastDay: "2026-07-11", seed: seed,
        plantsFaults: false, kinds: [.sales, .finance]), to: folder)
    return try withExtendedLifetime(sandbox) {
      try RunOutcome([folder + "/finance"] + (withSales ? [folder + "/sales"] : []))
    }
  }

  /// Returns the cells of the rows of a Markdown table, without its head.
  private static func cells(_ text: String) -> [[String]] {
    text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).map { line in
      line.dropFirst(2).split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.filter { $0 != " " } }
    }
  }

  /// Returns the digits of an amount as a number: amounts of one currency have the same decimals.
  private static func number(_ text: some StringProtocol) -> Int {
    // In hundredths: the page writes yen without them.
    let digits = text.filter { $0 != "," && $0 != "." }
    return (Int(String(digits)) ?? 0) * (text.contains(".") ? 1 : 100)
  }

  private static func part(_ text: String, from start: String, to end: String) -> String {
    PageReader.parts(of: text, from: start, to: end).first ?? ""
  }

  // MARK: What is known comes first

  @Test(arguments: [3, 8] as [UInt64])
  func `finance files alone say what agrees, what is paid and what is to come`(
    seed: UInt64
  ) throws {
    let outcome = try Self.outcome(seed: seed, withSales: false)
    let index = outcome.text("index.html")
    let tested = outcome.rows("checks.csv").filter { $0["check"] == "30 … 49 = 50" }
    let agreeing = tested.count { $0["state"] == "ok" }
    let verdicts = outcome.rows("verdicts.csv")
    #expect(agreeing == verdicts.count && agreeing > 0)
    let balances = outcome.rows("checks.csv").filter {
      $0["check"]?.hasPrefix("carried balance") == true && $0["state"] == "missing"
    }
    let all = balances.isEmpty ? "everything" : "every other number"
    #expect(index.contains("Not checked: the balance carried over into") == !balances.isEmpty)
    #expect(
      index.contains(
        "From the settlement to the amount owed \(all) agrees: \(agreeing) settlements."))
    let due = outcome.rows("payments_due.csv")
    let open = due.filter { $0["state"] == "due" }.compactMap { $0["period"] }.min() ?? "z"
    let settled = due.compactMap { $0["period"] }.filter { $0 < open }.max() ?? "none"
    #expect(
      index.contains(
        "Everything owed up to \(settled) was paid or carried over, by the payments CSVs."))
    let periods = Set(due.compactMap { $0["period"] }).sorted()
    #expect(
      index.contains(
        "Sales are not checked in \(periods[0]) to \(periods[periods.count - 1]): no SALES report."
      ))
    // The sums are those of the table.
    let sums = Self.part(
      index, from: "<strong>Still to come</strong>, by the payments CSVs: ", to: ". ")
    var added: [String: Int] = [:]
    for row in due where row["state"] == "due" {
      added[row["currency"] ?? "", default: 0] += Self.number(row["owed"] ?? "")
    }
    let found = sums.split(separator: ", ").map { sum in
      let words = sum.split(separator: " ")
      return "\(words[1].prefix(3)) \(Self.number(words[0]))"
    }
    #expect(!added.isEmpty)
    #expect(added.map { "\($0) \($1)" }.sorted() == found.sorted(), "\(sums)")
  }

  @Test
  func `the table of what is due next says how many rows it leaves out`() throws {
    let sandbox = try ReportSandbox()
    for (month, number) in [("January", 1), ("February", 2)] {
      let rows = Self.regions.map { "\($0),1,2.00,0,2.00,0,0,0,2.00," }
      try sandbox.write("payments\(number).csv", Self.pending(month, rows))
    }
    let outcome = try RunOutcome(sandbox)
    let summary = outcome.text("summary.md")
    let table = Self.cells(Self.part(summary, from: "**Due next**", to: "Files:"))
    let due = outcome.rows("payments_due.csv").filter { $0["state"] == "due" }
    let expected = Set(due.compactMap { $0["currency"] }).sorted().prefix(8)
    #expect(due.count == 20)
    #expect(table.map { $0.prefix(3) } == expected.map { [$0, "2.00", "2.00"] }, "\(summary)")
    #expect(summary.contains("2 more are not shown."))
  }

  private static let regions = [
    "Americas (USD)", "Euro-Zone (EUR)", "United Kingdom (GBP)", "Canada (CAD)", "Australia (AUD)",
    "Switzerland (CHF)", "Sweden (SEK)", "Denmark (DKK)", "Norway (NOK)", "New Zealand (NZD)",
  ]

  /// A payments CSV from before the payment.
  private static func pending(_ month: String, _ rows: [String]) -> String {
    let header =
      "Region (Currency),Units Sold,Earned,Balance,Pre-Tax Subtotal,Input Tax,Adjustments,"
      + "Withholding Tax,Total Owed,"
    let commas = String(repeating: ",", count: header.count { $0 == "," })
    let title = "\"Payments and Financial Reports\t(\(month), 2026)\"\(commas)"
    return ([title, commas, header] + rows).joined(separator: "\n") + "\n"
  }

  @Test(arguments: [3, 8] as [UInt64])
  func `balance and tax lead from the settlement to the amount owed`(seed: UInt64) throws {
    for withSales in [true, false] {
      let outcome = try Self.outcome(seed: seed, withSales: withSales)
      let page = outcome.text("reconcile-FY2026-P06.md")
      let rows = Self.cells(Self.part(page, from: "## All bridges", to: "## "))
        .filter { $0[0] != "total" }
      #expect(!rows.isEmpty)
      for row in rows {
        // The settlement, balance and tax, the amount owed and what is unexplained.
        let (settled, between, owed, rest) = (row[4], row[6], row[7], row[8])
        #expect(
          Self.number(settled) + Self.number(between) + Self.number(rest) == Self.number(owed),
          "\(row)")
      }
    }
  }

  // MARK: What is not checked

  @Test
  func `a line that a later period may fill is not called exactly 0`() throws {
    let outcome = try Self.outcome(seed: 3, withSales: false)
    let newest = try #require(outcome.rows("verdicts.csv").compactMap { $0["period"] }.max())
    let pages = outcome.files.keys.filter { $0.hasPrefix("reconcile-FY") && $0.hasSuffix(".md") }
    #expect(pages.count > 2)
    for name in pages {
      let page = outcome.text(name)
      let isNewest = name == "reconcile-\(newest).md"
      #expect(page.contains("because there is no FINANCE_DETAIL of") == isNewest, "\(name)")
      let zeros = PageReader.parts(of: page, from: "Exactly 0.00", to: "\n")
      let ofLater = zeros.filter { $0.contains("cutoff_out") || $0.contains("refund_timing") }
      #expect(!isNewest || ofLater.isEmpty)
      #expect(!page.contains("without a known range"))
    }
    // With all SALES reports the open units are known.
    let whole = try Self.outcome(seed: 3, withSales: true).text("reconcile-\(newest).md")
    #expect(!whole.contains("because there is no FINANCE_DETAIL of"))
  }

  @Test
  func `an amount carried over by a later file is not expected on its own day`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write(
      "january.csv", Self.pending("January", ["Americas (USD),1,26.96,0,26.96,0,0,0,26.96,"]))
    try sandbox.write(
      "february.csv", Self.pending("February", ["Americas (USD),1,10.00,26.96,36.96,0,0,0,36.96,"]))
    let outcome = try RunOutcome(sandbox)
    let january = outcome.text("reconcile-FY2026-P04.md")
    #expect(
      january.contains(
        "Nothing is paid for FY2026-P04: 26.96 USD of US is carried to FY2026-P05, as the payments CSV of FY2026-P05 says."
      ), "\(january)")
    #expect(!january.contains("Payment is expected"))
    #expect(!january.contains("due 2026-03-05"))
    #expect(january.contains("carried over, says the payments CSV of FY2026-P05"))
    let february = outcome.text("reconcile-FY2026-P05.md")
    #expect(
      february.contains(
        "Not checked, because the payments CSV of FY2026-P04 is older than its payment: `carried_balance`."
      ), "\(february)")
    let index = outcome.text("index.html")
    #expect(
      index.contains(
        "No payments CSV has a payment yet; the dates are Apple&#39;s plan, and the files do not say what came since."
      ))
    #expect(february.contains("| 26.96 | 36.96 | not checked | not paid yet | |"), "\(february)")
    #expect(index.contains("From the settlement to the amount owed nothing could be compared"))
  }

  @Test
  func `a region that no list has is said with the numbers that it changes`() throws {
    let sandbox = try ReportSandbox([
      "detail.tsv": ReportText.financeDetail.with(["Country of Sale": "XX"]).bytes
    ])
    let outcome = try RunOutcome(sandbox)
    let note = outcome.rows("health.csv").compactMap { $0["note"] }
      .first { $0.hasPrefix("no region lists ") }
    let pair = try #require(note).dropFirst("no region lists ".count)
    #expect(outcome.text("summary.md").contains("**Assumed:** no region of Apple's list has"))
    #expect(
      outcome.text("summary.md").contains("\(pair). Their money is in that region's settlement"))
  }
}
