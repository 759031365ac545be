import AppStoreReports
import Scanning
import SubscriptionModel
import Testing

/// A return and a sale as a region file has them.
private let goodRow = TestRow([
  "Start Date": "11/30/2025", "End Date": "12/27/2025", "Vendor Identifier": "m", "Quantity": "2",
  "Partner Share": "7.00", "Extended Partner Share": "14.00", "Partner Share Currency": "USD",
  "Sales or Return": "S", "Apple Identifier": "2", "Title": "Monthly", "Country Of Sale": "US",
  "Product Type Identifier": "IAY", "Customer Price": "9.99", "Customer Currency": "USD",
])

private let goodDetail = TestRow([
  "Transaction Date": "11/28/2025", "Settlement Date": "12/01/2025", "Apple Identifier": "2",
  "SKU": "m", "Title": "Monthly", "Product Type Identifier": "IAY", "Country of Sale": "US",
  "Quantity": "1", "Partner Share": "7.00", "Extended Partner Share": "7.00",
  "Partner Share Currency": "USD", "Customer Price": "9.990", "Customer Currency": "USD",
  "Sale or Return": "S", "Region": "TX",
])

private func financial(_ rows: [TestRow], _ trailers: [String] = []) -> TestReport {
  let columns = ReportColumns.financial
  var report = TestReport(columns: columns, rows: rows.map { $0.values(columns) })
  report.lines += trailers.map { Array($0.utf8) }
  return report
}

private func detail(
  _ rows: [TestRow], preamble: [String] = ["11/30/2025", "12/27/2025"], _ summary: [String] = []
) -> TestReport {
  let columns = ReportColumns.financeDetail
  let dates = zip(["Start Date", "End Date"], preamble).map { "\($0)\t\($1)\n" }.joined()
  let body = ([columns] + rows.map { $0.values(columns) }).map { $0.joined(separator: "\t") }
  return TestReport(
    "Vendor Name\tExample\n" + dates + (body + summary).joined(separator: "\n") + "\n")
}

private let badCells: [(column: String, value: String, code: Reject.Code)] = [
  ("Start Date", "2025", .notADate), ("End Date", "", .missingValue),
  ("Quantity", "1.5", .notAWholeNumber), ("Quantity", "", .missingValue),
  ("Quantity", "1000000001", .unitsOutOfRange), ("Partner Share", "9,99", .notADecimal),
  ("Extended Partner Share", "1.2345", .tooManyDecimals), ("Customer Price", "", .missingValue),
  ("Apple Identifier", " ", .missingValue), ("Country Of Sale", "", .missingValue),
  ("Partner Share Currency", "", .missingValue), ("Sales or Return", "X", .notASaleOrReturn),
]

private let regions: [(name: String, form: FinanceStatement.Form)] = [
  ("45545510_1225_US.txt", .region("US")), ("45545510_1225_EU.txt.gz", .region("EU")),
  ("45545510_1225_ZZ.txt", .single), ("finance_2026-03_FINANCIAL_AP.tsv", .region("AP")),
  ("finance_2026-03_FINANCIAL_ZZ.tsv", .single), ("renamed.txt", .region("US")),
  ("reports_my.txt", .region("US")), ("reports_XX.txt", .region("US")),
]

/// Rows of countries that move on a day within the period, and a region file's form without a name.
private let moving: [(countries: [String], form: FinanceStatement.Form)] = [
  (["KE"], .region("WW")), (["KE", "LK"], .single), (["LK"], .single),
]

@Suite("FINANCIAL and FINANCE_DETAIL files")
struct FinanceReaderTests {
  @Test
  func `a row gives units, shares and price without their signs, and the sign of its Quantity`()
    throws
  {
    let registries = Registries()
    let refund = goodRow.with([
      "Quantity": "-1", "Extended Partner Share": "-7.00", "Sales or Return": "R",
      "Customer Price": "-9.99",
    ])
    let (outcomes, sheet) = try financial([goodRow, refund]).finance(registries)
    #expect(outcomes.compactMap(\.used) == sheet.statement.rows)
    let rows = sheet.statement.rows
    try #require(rows.count == 2)
    #expect(rows.map(\.quantity) == [2, -1])
    #expect(rows.map(\.extendedShare) == [14_000, -7_000])
    #expect(rows.map(\.partnerShare) == [7_000, 7_000])
    #expect(rows.map(\.customerPrice) == [9_990, 9_990])
    #expect(rows.map(\.isReturn) == [false, true])
    #expect(rows.map(\.line) == [2, 3])
    #expect(rows.allSatisfy { $0.transactionDay == nil && $0.settlementDay == nil })
    #expect(registries.text(of: rows[0].country) == "US")
    #expect(registries.text(of: rows[0].product) == "2")
    #expect(registries.text(of: rows[0].productName) == "Monthly")
    #expect(sheet.statement.period.description == "FY2026-P03")
    #expect(sheet.statement.fileIndex == 3)
  }

  @Test
  func `a detail row has its days, and may end with a tab more than the header`() throws {
    var report = detail([goodDetail])
    report.lines[4].append(UInt8(ascii: "\t"))
    let (outcomes, sheet) = try report.finance()
    let row = try #require(outcomes.first?.used)
    #expect(row.transactionDay?.description == "2025-11-28")
    #expect(row.settlementDay?.description == "2025-12-01")
    #expect(row.customerPrice == 9_990)
    #expect(sheet.statement.form == .detail)
    #expect(sheet.statement.period.description == "FY2026-P03")
    #expect(sheet.checks.map(\.state) == [.missing])
  }

  @Test(arguments: badCells)
  func `a row is rejected for bad cells`(column: String, value: String, code: Reject.Code) throws {
    let (outcomes, _) = try financial([goodRow, goodRow.with([column: value])]).finance()
    let reject = try #require(outcomes.last?.reject)
    #expect(reject.code == code)
    #expect(reject.column == column)
    #expect(reject.line == 3)
  }

  @Test(arguments: [0, 2])
  func `a transaction after the period's end is a date that a spreadsheet rewrote`(preamble: Int)
    throws
  {
    // 4 December and 12 April: the file's period ends on 27 December.
    let rows = ["12/04/2025", "12/28/2025", "04/12/2026"].map {
      goodDetail.with(["Transaction Date": $0])
    }
    let dates = Array(["11/30/2025", "12/27/2025"].prefix(preamble))
    let (outcomes, sheet) = try detail(rows, preamble: dates).finance()
    #expect(outcomes.compactMap(\.reject).map(\.code) == [.rewrittenDate, .rewrittenDate])
    #expect(outcomes.last?.reject?.expected == "a day up to 2025-12-27, the end of its period")
    #expect(sheet.statement.rejected.allSatisfy { $0.day == nil })
  }

  @Test
  func `a row that is rejected for another field keeps the day of its transaction`() throws {
    let (_, sheet) = try detail([goodDetail, goodDetail.with(["Quantity": "abc"])]).finance()
    #expect(sheet.statement.rejected.map { $0.day?.description } == ["2025-11-28"])
  }

  @Test func `a row that is cut off is no sum`() throws {
    let (outcomes, _) = try financial([goodRow], ["11/30/2025\t12/27"]).finance()
    #expect(outcomes.last?.reject?.code == .tooFewFields)
  }

  @Test(arguments: regions)
  func `the region is the name's, else the only one of the rows`(
    name: String, form: FinanceStatement.Form
  ) throws {
    #expect(try financial([goodRow]).finance(named: name).sheet.statement.form == form)
  }

  @Test(arguments: moving)
  func `without a name, a country that moves within the period is in no region`(
    countries: [String], form: FinanceStatement.Form
  ) throws {
    let rows = countries.map {
      goodRow.with([
        "Start Date": "09/29/2024", "End Date": "11/02/2024", "Country Of Sale": $0,
      ])
    }
    #expect(try financial(rows).finance(named: "renamed.txt").sheet.statement.form == form)
  }

  @Test func `a region that Apple has retired is the storefront's own`() throws {
    let kuna = goodRow.with(["Country Of Sale": "LT", "Partner Share Currency": "LTL"])
    let name = "45545510_1225_LT.txt"
    #expect(try financial([kuna]).finance(named: name).sheet.statement.form == .region("LT"))
    #expect(throws: FinanceError.unknownRegion("LT")) {
      try financial([goodRow]).finance(named: name)
    }
  }

  @Test(arguments: ["S", "R", ""])
  func `units are returns where their number is negative, whatever the letter`(letter: String)
    throws
  {
    let row = goodRow.with([
      "Quantity": "-2", "Extended Partner Share": "-14.00", "Sales or Return": letter,
    ])
    let sold = goodRow.with(["Sales or Return": letter])
    let rows = try financial([row, sold]).finance().sheet.statement.rows
    #expect(rows.map(\.isReturn) == [true, false])
    #expect(rows.map(\.extendedShare) == [-14_000, 14_000])
  }

  @Test func `a file with rows of several regions is the single one`() throws {
    let other = goodRow.with(["Country Of Sale": "JP", "Partner Share Currency": "JPY"])
    #expect(try financial([goodRow, other]).finance().sheet.statement.form == .single)
  }

  @Test func `a name of Apple's form with another region is an error`() {
    #expect(throws: FinanceError.unknownRegion("QX")) {
      try financial([goodRow]).finance(named: "45545510_1225_QX.txt")
    }
  }

  @Test func `the dates must be those of one fiscal period`() throws {
    let first = try #require(Day("2025-11-30"))
    let last = try #require(Day("2025-12-28"))
    #expect(throws: FinanceError.notAFiscalPeriod(firstDay: first, lastDay: last)) {
      try financial([goodRow.with(["End Date": "12/28/2025"])]).finance()
    }
    #expect(throws: FinanceError.notAFiscalPeriod(firstDay: first, lastDay: last)) {
      try detail([goodDetail], preamble: ["11/30/2025", "12/28/2025"]).finance()
    }
    let other = goodRow.with(["Start Date": "12/28/2025", "End Date": "01/31/2026"])
    let periods = (
      FiscalPeriod(fiscalYear: 2026, period: 3), FiscalPeriod(fiscalYear: 2026, period: 4)
    )
    #expect(throws: FinanceError.severalPeriods(periods.0, periods.1)) {
      try financial([goodRow, other]).finance()
    }
    #expect(throws: FinanceError.severalPeriods(periods.0, periods.1)) {
      try detail([goodDetail, goodDetail.with(["Settlement Date": "12/29/2025"])], preamble: [])
        .finance()
    }
    #expect(
      try detail([goodDetail], preamble: []).finance().sheet.statement.period == periods.0)
  }

  @Test func `a file without rows is dated by its name or its preamble`() throws {
    let named = try financial([]).finance(named: "45545510_0914_EU.txt").sheet
    #expect(named.statement.period.description == "FY2014-P12")
    #expect(named.statement.form == .region("EU"))
    #expect(try detail([]).finance().sheet.statement.period.description == "FY2026-P03")
    #expect(throws: FinanceError.self) { try financial([]).finance() }
    #expect(throws: FinanceError.self) { try detail([], preamble: []).finance() }
  }
}

private let trailers: [(lines: [String], states: [TrailerCheck.State])] = [
  (["Total_Rows\t2", "Total_Amount\t21.00", "Total_Units\t3"], [.ok, .ok, .ok]),
  (["Total_Rows\t2", "Total_Amount\t21", "Total_Units\t3.00", ""], [.ok, .ok, .ok]),
  (["Total_Rows\t3", "Total_Amount\t21.00", "Total_Units\t3"], [.failed, .ok, .ok]),
  (["Total_Rows\t2", "Total_Amount\t21.01", "Total_Units\t4"], [.ok, .failed, .warning]),
  (["Total_Amount\tx"], [.missing, .failed, .missing]),
  (["Total_Amount:21.00"], [.missing, .ok, .missing]),
  (["\t\t\t\t\t\tTotal\t21.00 USD"], [.missing, .ok, .missing]),
  (["\t\t\t\t\t\tTotal\t20.00 USD"], [.missing, .failed, .missing]),
  ([], [.missing]),
  (summary + ["US\tUSD\t3\t21.00"], [.ok, .ok]),
  (summary + ["US\tUSD\t2\t21"], [.ok, .warning]),
  (summary + ["US\tUSD\t3\t20.99"], [.failed, .ok]),
  (summary + ["JP\tJPY\t0\t0"], [.ok, .ok, .failed]),
  (
    ["Total_Rows\t2", "Total_Amount\t21.00", "Total_Units\t3"] + summary + ["US\tUSD\t3\t21.00"],
    [.ok, .ok, .ok, .ok, .ok]
  ),
]

private let summary = [
  "Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share"
]

@Suite("Sums below the rows of financial reports")
struct FinanceTotalsTests {
  @Test(arguments: trailers)
  func `are compared with the rows as numbers`(lines: [String], states: [TrailerCheck.State]) throws
  {
    let one = goodRow.with(["Quantity": "1", "Extended Partner Share": "7.00"])
    let (outcomes, sheet) = try financial([goodRow, one], lines).finance()
    #expect(outcomes.count == 2)
    #expect(sheet.checks.map(\.state) == states)
    #expect((sheet.problem != nil) == states.contains(.failed))
    #expect(sheet.problem?.isCorruption != false)
    let detailed = try detail([goodDetail, goodDetail, goodDetail], summary + ["US\tUSD\t3\t21"])
      .finance().sheet
    #expect(detailed.checks.map(\.state) == [.ok, .ok])
  }

  @Test func `leave returns out of the units`() throws {
    let refund = goodRow.with([
      "Quantity": "-1", "Extended Partner Share": "-7.00", "Sales or Return": "R",
    ])
    let lines = ["Total_Rows\t2", "Total_Amount\t7.00", "Total_Units\t2"]
    let checks = try financial([goodRow, refund], lines).finance().sheet.checks
    #expect(checks.map(\.state) == [.ok, .ok, .ok])
    #expect(checks.map(\.sum) == [.count(2), .money(milliunits: 7_000), .count(2)])
  }

  @Test(arguments: [
    ("USD", "3500.00", ["Total_Rows\t2", "Total_Amount\t7,000.00", "Total_Units\t2,000"]),
    ("USD", "3500.00", ["Total_Amount:7,000.00"]),
    ("JPY", "3500", ["Total_Rows\t2", "Total_Amount\t7,000", "Total_Units\t2000"]),
    ("USD", "3500.00", summary + ["US\tUSD\t2,000\t7,000.00"]),
    ("JPY", "1750000", summary + ["US\tJPY\t2,000\t3,500,000"]),
  ])
  func `may have their thousands grouped`(currency: String, share: String, lines: [String]) throws {
    let row = goodRow.with([
      "Quantity": "1000", "Partner Share": "3.50", "Extended Partner Share": share,
      "Partner Share Currency": currency,
    ])
    let checks = try financial([row, row], lines).finance().sheet.checks
    #expect(!checks.contains { $0.state == .failed || $0.state == .warning })
    #expect(checks.contains { $0.state == .ok })
  }

  @Test(arguments: ["21,00", "2,1.00", "0021,000.00", "21.0,00", ",021.00"])
  func `are no numbers with their digits grouped otherwise`(amount: String) throws {
    let checks = try financial([goodRow], ["Total_Amount\t" + amount]).finance().sheet.checks
    #expect(checks.first { $0.name == "Total_Amount" }?.printed == .text(amount))
    #expect(checks.first { $0.name == "Total_Amount" }?.state == .failed)
  }

  @Test func `of rows may not have their thousands grouped`() throws {
    let row = goodRow.with(["Extended Partner Share": "7,000.00"])
    let outcomes = try financial([goodRow, row]).finance().outcomes
    #expect(outcomes.map { $0.reject?.code } == [nil, .notADecimal])
  }

  @Test func `say what they are and what the rows make`() throws {
    let lines = ["Total_Rows\t1", "Total_Amount\t14.01", "Total_Units\t2"]
    let problem = try financial([goodRow], lines).finance().sheet.problem
    #expect(
      problem?.message
        == "found Total_Amount 14.01, expected 14.00, the sum of the rows")
    #expect(problem?.code == "trailer-mismatch")
  }
}
