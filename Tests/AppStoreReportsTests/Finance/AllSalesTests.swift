import AppStoreReports
import Scanning
import SubscriptionModel
import Testing

private let sale = TestRow([
  "SKU": "a", "Title": "App", "Product Type Identifier": "1F", "Units": "3",
  "Developer Proceeds": "7.00", "Begin Date": "10/05/2026", "End Date": "10/05/2026",
  "Customer Currency": "USD", "Country Code": "US", "Currency of Proceeds": "USD",
  "Apple Identifier": "2", "Customer Price": "9.99",
])

/// The cells that differ, and the units and sign that count; `nil` for rows that move no money.
private let rows: [(changes: [String: String], units: Int?, isRefund: Bool)] = [
  ([:], 3, false), (["Units": "-2", "Customer Price": "-9.99"], -2, true),
  (["Units": "0", "Customer Price": "-9.99"], -1, true), (["Units": "-1"], -1, true),
  (["Units": "1", "Customer Price": "-9.99"], -1, true),
  (["Units": "-1", "Customer Price": "-9.99", "CMB": "CMB-C"], -1, false),
  (["Units": "1", "Customer Price": "-9.99", "CMB": "cmb-c"], 1, false),
  (["Developer Proceeds": "0"], nil, false),
]

@Suite("SALES rows of every product type")
struct AllSalesTests {
  @Test(arguments: rows)
  func `count where they move money`(changes: [String: String], units: Int?, isRefund: Bool) throws
  {
    let registries = Registries()
    let columns = ReportColumns.sales
    let report = TestReport(columns: columns, rows: [sale.with(changes).values(columns)])
    let outcome = try #require(report.sales(registries, readsAllTypes: true).first)
    guard let units else {
      #expect(outcome.ignored == .otherProductTypes)
      return
    }
    let row = try #require(outcome.used)
    #expect(!row.isSubscription)
    let terms = registries.salesTerms[Int(row.terms)]
    let key = try #require(SaleKey(day: row.beginDay, units: Int(row.units), terms: terms))
    #expect(key.isRefund == isRefund)
    let count = max(1, Int(row.units.magnitude))
    #expect(key.signed(count: count) == units)
    #expect(key.isReturn == (units < 0))
    #expect([key.proceeds, key.customerPrice] == [7_000, 9_990])
  }

  @Test func `of subscriptions count with or without proceeds`() throws {
    let columns = ReportColumns.sales
    let free = sale.with(["Product Type Identifier": "IAY", "Developer Proceeds": "0"])
    let report = TestReport(columns: columns, rows: [free.values(columns)])
    let registries = Registries()
    let row = try #require(report.sales(registries, readsAllTypes: true).first?.used)
    #expect(row.isSubscription)
    let terms = registries.salesTerms[Int(row.terms)]
    #expect(SaleKey(day: row.beginDay, units: 1, terms: terms) == nil)
  }
}
