import Storage
import SubscriptionModel
import Testing

private let period = FiscalPeriod(fiscalYear: 2026, period: 3)

/// A row of a country and currency, which stand for themselves.
private func row(_ country: Symbol, _ currency: Symbol) -> FinanceRow {
  FinanceRow(
    product: 1, productName: 1, country: country, currency: currency, customerPrice: 9_990,
    customerCurrency: currency, quantity: 1, partnerShare: 7_000, extendedShare: 7_000, line: 2)
}

private func statement(
  _ form: FinanceStatement.Form, _ rows: [FinanceRow], vendor: String = "80012345",
  _ period: FiscalPeriod = period
) -> FinanceStatement {
  FinanceStatement(form: form, period: period, vendor: vendor, fileIndex: 0, rows: rows)
}

extension FinanceForms {
  fileprivate init(_ statements: [FinanceStatement]) {
    var records = FinanceData()
    records.statements = statements
    var lookup = RegionLookup(.apple, records) { "\($0)" }
    self.init(statements, &lookup)
  }

  fileprivate func settles(_ row: FinanceRow, of statement: FinanceStatement) -> Bool {
    settles(statement.pair(row), of: statement)
  }
}

@Suite("Forms of finance files")
struct FinanceFormsTests {
  @Test func `settle by region, else by the single file, else in detail`() {
    let (german, french, japanese) = (row(10, 20), row(11, 20), row(12, 21))
    let region = statement(.region("EU"), [german])
    let single = statement(.single, [german, french])
    let detail = statement(.detail, [german, french, japanese])
    let forms = FinanceForms([detail, single, region])
    #expect(region.rows.map { forms.settles($0, of: region) } == [true])
    #expect(single.rows.map { forms.settles($0, of: single) } == [false, true])
    #expect(detail.rows.map { forms.settles($0, of: detail) } == [false, false, true])
    #expect(FinanceForms([detail]).settles(german, of: detail))
  }

  @Test func `settle each vendor, period and currency on its own`() {
    let region = statement(.region("EU"), [row(10, 20)])
    let others = [
      statement(.single, [row(10, 20)], vendor: "80099999"),
      statement(.single, [row(10, 20)], period + 1), statement(.single, [row(10, 21)]),
    ]
    let forms = FinanceForms([region] + others)
    #expect(others.allSatisfy { forms.settles($0.rows[0], of: $0) })
  }

  @Test func `add up the same in any order`() {
    var first = FinanceData()
    var second = FinanceData()
    let sale = SaleKey(
      day: period.firstDay, product: 1, country: 2, currency: 3, customerPrice: 9_990,
      proceeds: 7_000, isRefund: false)
    first.sales[sale] = 2
    second.sales[sale] = 3
    first.salesDays = [period.firstDay]
    second.salesDays = [period.firstDay, period.lastDay]
    var one = first
    one.merge(second)
    var other = second
    other.merge(first)
    #expect(one.sales == [sale: 5])
    #expect(one.sales == other.sales && one.salesDays == other.salesDays)
    #expect(one.salesDays.count == 2)
  }
}
