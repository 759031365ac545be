import AppStoreReports
import SubscriptionModel
import Testing

@Suite("Real financial reports", .enabled(if: realReports != nil, "the folder is not there"))
struct FinanceFixtureTests {
  /// Rows, Σ Extended Partner Share and Σ Quantity as `awk` finds them.
  private static let files:
    [(
      name: String, period: String, form: FinanceStatement.Form, rows: Int, share: Int64,
      units: Int64
    )] =
      [
        ("45545510_0914_CH.txt", "FY2014-P12", .region("CH"), 4, 33_150, 29),
        ("45545510_0914_EU.txt", "FY2014-P12", .region("EU"), 6, 206_890, 19),
      ]

  @Test(arguments: files)
  func `of regions add up to their sums`(
    name: String, period: String, form: FinanceStatement.Form, rows: Int, share: Int64,
    units: Int64
  ) throws {
    let (outcomes, sheet) = try realReport("fedoco_apple-slicer/" + name).finance(named: name)
    #expect(outcomes.compactMap(\.reject).isEmpty)
    #expect(sheet.statement.period.description == period)
    #expect(sheet.statement.form == form)
    #expect(sheet.statement.vendor == "45545510")
    #expect(sheet.statement.rows.count == rows)
    #expect(sheet.statement.rows.reduce(0) { $0 + $1.extendedShare } == share)
    #expect(sheet.statement.rows.reduce(0) { $0 + $1.quantity } == units)
    #expect(sheet.checks.map(\.state) == [.ok, .ok, .ok])
  }

  @Test func `in detail give days, and amounts by currency`() throws {
    let registries = Registries()
    let name = "finance_detail_z1_2026-02.tsv"
    let (outcomes, sheet) = try realReport("BunnyxStudio_app-store-connect-data-cli/" + name)
      .finance(registries, named: name)
    #expect(outcomes.compactMap(\.used).count == 76)
    #expect(sheet.statement.period.description == "FY2026-P02")
    #expect(sheet.checks.map(\.state) == [.missing])
    var shares: [String: Int64] = [:]
    var lags: [Int: Int] = [:]
    for row in sheet.statement.rows {
      shares[registries.text(of: row.currency), default: 0] += row.extendedShare
      let first = try #require(row.transactionDay)
      lags[try #require(row.settlementDay) - first, default: 0] += 1
      #expect(row.extendedShare == row.partnerShare * row.quantity)
    }
    #expect(
      shares == [
        "AUD": 50_980, "BRL": 14_780, "CAD": 8_480, "CHF": 15_730, "CNY": 2_664_060,
      ])
    #expect(lags == [0: 31, 1: 39, 2: 1, 3: 1, 4: 2, 9: 1, 10: 1])
    #expect(sheet.statement.rows.filter(\.isReturn).map(\.quantity) == [-1, -1, -1, -1, -1])
  }

  @Test func `whose dates are no fiscal period are refused`() throws {
    let report = try realReport("matisiekpl_appstore-sdk-go/financial.tsv")
    let error = #expect(throws: FinanceError.self) { try report.finance() }
    #expect(error?.code == "not-a-fiscal-period")
    #expect(
      error?.message
        == "found the dates 2020-10-05 to 2021-10-05, expected a fiscal period such as 2020-09-27 to 2020-10-31"
    )
  }

  @Test func `of payments give the way from the share to the bank`() throws {
    let registries = Registries()
    let (outcomes, statement) = try realReport("fedoco_apple-slicer/financial_report.csv")
      .payments(registries)
    #expect(outcomes.compactMap(\.used) == statement.rows)
    #expect(statement.period.description == "FY2014-P12")
    #expect(statement.payouts.map(\.amount) == [234_580])
    #expect(!statement.isPending && !statement.hasBalanceColumn)
    #expect(statement.rows.map(\.region) == ["CH", "EU", "JP"])
    #expect(statement.rows.map { registries.text(of: $0.currency) } == ["CHF", "EUR", "JPY"])
    #expect(statement.rows.map(\.earned) == [33_150, 206_890, 179_000])
    #expect(statement.rows.map(\.withholdingTax) == [0, 0, -37_000])
    #expect(statement.rows.map(\.totalOwed) == [33_150, 206_890, 142_000])
    #expect(statement.rows.map(\.proceeds) == [26_530, 206_890, 1_160])
    #expect(statement.rows.compactMap(\.proceeds).reduce(0, +) == 234_580)
  }
}
