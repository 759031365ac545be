import AppStoreReports
import Scanning
import SubscriptionModel
import Testing

let goodSnapshot = TestRow([
  "App Name": "App", "App Apple ID": "1", "Subscription Name": "Monthly",
  "Subscription Apple ID": "2", "Subscription Group ID": "3",
  "Standard Subscription Duration": "1 Month", "Subscription Duration": "1 Month",
  "Customer Price": "9.99", "Customer Currency": "USD", "Country": "US",
])

private let goodSale = TestRow([
  "SKU": "m", "Vendor Identifier": "m", "Title": "Monthly", "Title / Episode / Season": "Monthly",
  "Product Type Identifier": "IAY", "Units": "3", "Developer Proceeds": "7.00",
  "Royalty Price": "7.00", "Begin Date": "10/05/2026", "End Date": "10/05/2026",
  "Customer Currency": "USD", "Country Code": "US", "Currency of Proceeds": "USD",
  "Royalty Currency": "USD", "Apple Identifier": "2", "Customer Price": "9.99",
  "Parent Identifier": "app", "Period": "1 Month",
])

private func active(_ columns: [String], _ counts: [String: String]) throws -> Int64 {
  let report = TestReport(columns: columns, rows: [goodSnapshot.with(counts).values(columns)])
  return try #require(report.snapshots().first?.used).active
}

private func sales(
  _ changes: [String: String], _ columns: [String] = ReportColumns.sales
) -> RowOutcome<SalesRow>? {
  TestReport(columns: columns, rows: [goodSale.with(changes).values(columns)]).sales().first
}

private let badSales: [(column: String, value: String, code: Reject.Code)] = [
  ("Units", "1.5", .notAWholeNumber), ("Units", "", .missingValue),
  ("Units", "-1000000001", .unitsOutOfRange), ("Customer Price", "9,99", .notADecimal),
  ("Customer Price", "", .missingValue), ("Developer Proceeds", "1.2345", .tooManyDecimals),
  ("Developer Proceeds", "9999999999999999999", .amountOutOfRange),
  ("Begin Date", "13/01/2026", .notADate), ("Begin Date", "", .missingValue),
  ("End Date", "x", .notADate), ("End Date", "01/01/2026", .notADate),
]

@Suite("SUBSCRIPTION and SALES rows")
struct SnapshotAndSalesReaderTests {
  @Test
  func `active counts every paid column and no other`() throws {
    let first = ReportColumns.snapshot13.firstIndex(of: "Active Standard Price Subscriptions")
    let columns = ReportColumns.snapshot13[try #require(first)...]
    for column in columns {
      let isPaid =
        column.hasPrefix("Active Standard") || column.contains("Pay Up Front")
        || column.contains("Pay As You Go")
      #expect(try active(ReportColumns.snapshot13, [column: "5"]) == (isPaid ? 5 : 0), "\(column)")
    }
    let all = Dictionary(uniqueKeysWithValues: columns.map { ($0, "1") })
    #expect(try active(ReportColumns.snapshot13, all) == 9)
    let later = ReportColumns.snapshot13 + ["Pay Up Front Loyalty Offers"]
    #expect(try active(later, ["Pay Up Front Loyalty Offers": "2"]) == 2)
  }

  @Test
  func `active of the first version is Active Subscriptions`() throws {
    let counts = ["Active Subscriptions": "4", "Active Free Trials": "9"]
    #expect(try active(ReportColumns.snapshot10, counts) == 4)
  }

  /// As 0 it would be a smaller number, in silence.
  @Test(arguments: [
    ("Active Standard Price Subscriptions", "x"), ("Pay As You Go Win-back Offers", "-1"),
    ("Billing Retry", "n/a"), ("Grace Period", "1.5"), ("Free Trial Offer Code Subscriptions", "-"),
  ])
  func `a count must be a whole number, 0 or more`(name: String, value: String) throws {
    let columns = ReportColumns.snapshot13
    let row = goodSnapshot.with([name: value]).values(columns)
    let reject = try #require(
      TestReport(columns: columns, rows: [row]).snapshots().first?.reject)
    #expect(reject.code == .notAWholeNumber)
    #expect(reject.column == name)
  }

  @Test
  func `a sale gives days, units and terms`() throws {
    let registries = Registries()
    let columns = ReportColumns.sales
    let rows = [
      goodSale, goodSale.with(["Units": "-2.00", "Customer Price": "-9.99"]),
      goodSale.with(["Units": "0", "Customer Price": "-85.43", "Currency of Proceeds": " "]),
    ].map { $0.values(columns) }
    let sales = TestReport(columns: columns, rows: rows).sales(registries).compactMap(\.used)
    try #require(sales.count == 3)
    #expect(sales.map(\.units) == [3, -2, 0])
    #expect(sales.allSatisfy { $0.beginDay.description == "2026-10-05" })
    let terms = sales.map { registries.salesTerms[Int($0.terms)] }
    #expect(terms.map(\.isPriceNegative) == [false, true, true])
    #expect(terms.map(\.price.milliunits) == [9_990, 9_990, 85_430])
    #expect(terms.map(\.proceeds.milliunits) == [7_000, 7_000, 7_000])
    #expect(terms.allSatisfy { registries.text(of: $0.proceeds.currency) == "USD" })
    #expect(registries.text(of: terms[0].attributes.price) == "9.99 USD")
    #expect(registries.text(of: terms[0].attributes.product) == "2")
  }

  @Test
  func `the columns of 2010 are read too`() throws {
    let row = try #require(sales(["Begin Date": "1/21/10"], ReportColumns.sales2010)?.used)
    #expect(row.beginDay.description == "2010-01-21")
  }

  @Test
  func `the types of subscriptions are read, all others ignored`() throws {
    for type in ["IAY", "IAY-M", "IA9", "IA9-M", "IAC"] {
      #expect(sales(["Product Type Identifier": type])?.used != nil)
    }
    for type in ["1", "IA1", "3F", "", "IAYX"] {
      let changes = ["Product Type Identifier": type, "Units": "x", "Begin Date": ""]
      #expect(sales(changes)?.ignored == .otherProductTypes)
    }
  }

  @Test
  func `what a sale says of prices: standard, new or renewed, preserved`() throws {
    let changes: [(cells: [String: String], isStandard: Bool, purchase: SalesPurchase)] = [
      (["Subscription": "New"], true, .new),
      (["Subscription": "renewal ", "Preserved Pricing": "Yes"], true, .renewal),
      (["Order Type": "Pay Up Front Intro Offer", "Subscription": "New"], false, .new),
      (["Promo Code": "CR-RW", "Subscription": "Renewal"], false, .renewal),
      (["Product Type Identifier": "IAC"], false, .unknown),
    ]
    let columns = ReportColumns.sales
    let clear = ["Order Type": " ", "Promo Code": "", "Subscription": "", "Period": "1 Month"]
    for change in changes {
      let registries = Registries()
      let row = goodSale.with(clear).with(change.cells).values(columns)
      let sales = TestReport(columns: columns, rows: [row]).sales(registries).compactMap(\.used)
      #expect(sales.count == 1)
      let terms = registries.salesTerms[0]
      #expect(terms.isStandard == change.isStandard)
      #expect(terms.purchase == change.purchase)
      #expect(terms.isPreserved == (change.cells["Preserved Pricing"] == "Yes"))
      #expect(terms.standardTerm == Term(months: 1))
    }
  }

  @Test(arguments: badSales)
  func `a sale is rejected for bad cells`(column: String, value: String, code: Reject.Code) throws {
    let reject = try #require(sales([column: value])?.reject)
    #expect(reject.code == code)
    #expect(reject.column == column)
  }

  @Test
  func `the days of rows date a report and tell its frequency`() throws {
    let periods: [(String, String, Frequency?)] = [
      ("10/05/2026", "10/05/2026", .daily), ("10/05/2026", "10/11/2026", .weekly),
      ("02/01/2024", "02/29/2024", .monthly), ("01/01/2025", "12/31/2025", .yearly),
      ("10/05/2026", "10/07/2026", nil),
    ]
    for (begin, end, frequency) in periods {
      let changes = ["Begin Date": begin, "End Date": end, "Product Type Identifier": "1"]
      let columns = ReportColumns.sales
      let report = TestReport(columns: columns, rows: [goodSale.with(changes).values(columns)])
      let line = report.lines[1]
      guard let header = report.header, var reader = PeriodReader(header: header) else {
        Issue.record("no columns of days")
        return
      }
      let period = reader.period(of: line.span, Line(number: 2, byteOffset: 0))
      #expect(period?.frequency == frequency)
    }
    let header = try #require(TestReport(columns: ReportColumns.snapshot13).header)
    let reader = PeriodReader(header: header)
    let isMissing = reader == nil
    #expect(isMissing)
  }
}
