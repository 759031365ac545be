import AppStoreReports
import Scanning
import SubscriptionModel
import Testing

private let title =
  "\"iTunes Connect - Payments and Financial Reports\t(December, 2025)\",,,,,,,,,,,,"
private let blank = ",,,,,,,,,,,,"
private let columns =
  "Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,"
  + "Total Owed,Exchange Rate,Proceeds,Bank Account Currency,"

private func payments(
  _ rows: [String], title: String = title, columns: String = columns
) -> TestReport {
  TestReport(([title, blank, columns] + rows + [blank]).joined(separator: "\n") + "\n")
}

private let titles: [(title: String, period: String?)] = [
  ("\"iTunes Connect - Payments and Financial Reports\t(September, 2014)\",,,", "FY2014-P12"),
  ("iTunes Connect - Payments and Financial Reports (January 2026),,,", "FY2026-P04"),
  ("\"iTunes Connect - Payments and Financial Reports\t(July, 2026)\"", "FY2026-P10"),
  ("\"iTunes Connect - Pagos e informes financieros\t(diciembre, 2025)\",,,", "FY2026-P03"),
  ("\"iTunes Connect - Pagos e informes financieros\t(julio, 2026)\"", "FY2026-P10"),
  ("\"iTunes Connect - Zahlungen und Finanzberichte\t(März 2026)\",,,", "FY2026-P06"),
  ("\"iTunes Connect - Payments and Financial Reports\t(Dummy)\",,,", nil),
]

private let badRows: [(row: String, code: Reject.Code)] = [
  ("Atlantis (USD),1,2.00,2.00,0,0,0,2.00,0.9,1.80,EUR,", .unknownRegion),
  ("Europe,1,2.00,2.00,0,0,0,2.00,0.9,1.80,EUR,", .unknownRegion),
  ("Japan (JPY),1,\"1,2\",2,0,0,0,2,0.9,1.80,EUR,", .notADecimal),
  ("Japan (JPY),1,2,2,0,x,0,2,0.9,1.80,EUR,", .notADecimal),
  ("Japan (JPY),1,,2,0,0,0,2,0.9,1.80,EUR,", .missingValue),
  ("Japan (JPY),1,2,2,0,0,0", .missingValue),
]

@Suite("Payments CSV files")
struct PaymentsReaderTests {
  @Test(arguments: titles)
  func `are of the month of their title`(title: String, period: String?) throws {
    let report = payments(["Japan (JPY),1,2,2,0,0,0,2,1,2,JPY,"], title: title)
    if let period {
      #expect(try report.payments().statement.period.description == period)
    } else {
      #expect(throws: FinanceError.self) { try report.payments() }
    }
  }

  @Test
  func `read taxes, adjustments and a balance that stands before what was earned`() throws {
    let withBalance =
      "Country or Region (Currency),Units Sold,Balance,Earned,Pre-Tax Subtotal,Input Tax,"
      + "Adjustments,Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency,"
    let report = payments(
      [
        "\"Euro-Zone (EUR)\",\"1\",\"\",\"10.00\",\"10.00\",\"1.90\",\"-0.50\",\"-1\",\"10.40\",\"1.00000\",\"10.40\",\"EUR\",",
        "\"Australia (AUD)\",\"72\",\"5.00\",\"3,818.08\",\"3823.08\",\"0\",\"0\",\"0\",\"3,823.08\",\"0.58189\",\"2,224.61\",\"EUR\",",
      ], columns: withBalance)
    let (outcomes, statement) = try report.payments()
    #expect(outcomes.compactMap(\.reject).isEmpty)
    #expect(statement.hasBalanceColumn)
    #expect(statement.rows.map(\.carriedBalance) == [0, 5_000])
    #expect(statement.rows.map(\.earned) == [10_000, 3_818_080])
    #expect(statement.rows.map(\.inputTax) == [1_900, 0])
    #expect(statement.rows.map(\.adjustments) == [-500, 0])
    #expect(statement.rows.map(\.withholdingTax) == [-1_000, 0])
    #expect(statement.rows.map(\.totalOwed) == [10_400, 3_823_080])
    #expect(statement.rows.map(\.proceeds) == [10_400, 2_224_610])
  }

  @Test func `keep one currency of several regions apart`() throws {
    let report = payments([
      "Americas (USD),\"42\",\"336.78\",\"336.78\",\"0\",\"0\",\"0\",\"336.78\",\"0.91956\",\"309.69\",\"EUR\",",
      "Latin America and the Caribbean (USD),1,5.09,5.09,0,0,0,5.09,0.91945,4.68,EUR,",
      "South Asia and Pacific (USD),1,5.09,5.09,0,0,0,5.09,0.91945,4.68,EUR,",
      "Rest of World (USD),1,4.95,4.95,0,0,0,4.95,0.91919,4.55,EUR,",
    ])
    #expect(try report.payments().statement.rows.map(\.region) == ["US", "LL", "AP", "WW"])
  }

  @Test func `of a month that is not paid yet lack the columns of the payment`()
    throws
  {
    let pending =
      "Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,"
      + "Total Owed,,"
    let statement = try payments(
      ["Japan (JPY),\"2\",\"179\",\"179\",\"0\",\"0\",\"-37\",\"142\",,"], columns: pending
    ).payments().statement
    #expect(statement.isPending)
    #expect(statement.rows.map(\.totalOwed) == [142_000])
    #expect(statement.rows.map(\.proceeds) == [nil])
    #expect(statement.payout == nil)
  }

  @Test
  func `have regions below the threshold after a blank line, under a header of their own`() throws {
    let report = payments([
      "Euro-Zone (EUR),1,10.00,10.00,0,0,0,10.00,1.00000,10.00,EUR,", blank, columns,
      "Bulgaria (BGN),1,21.24,0.00,0,-21.24,0,0.00,,-10.85,EUR,", blank,
      ",,,,,,,,,,\"10.00\" EUR,,", ",,,,,,,,,,Paid to FICTIONAL BANK -****1299,,",
    ])
    let (outcomes, statement) = try report.payments()
    #expect(outcomes.count == 2)
    #expect(report.rows.count == 2)
    #expect(statement.rows.map(\.isBelowThreshold) == [false, true])
    #expect(statement.rows.map(\.proceeds) == [10_000, nil])
    #expect(statement.payout == 10_000)
  }

  @Test func `are read in Spanish too`() throws {
    let spanish =
      "País o región (Divisa),Unidades vendidas,Ingresado,Subtotal antes de impuestos,"
      + "Impuesto repercutido,Ajustes,Retención fiscal,Total adeudado,Tipo de cambio,Ganancias,"
      + "Divisa de la cuenta bancaria,"
    let report = payments(
      ["Eurozona (EUR),667,3030.30,3030.30,0,27.15,0,3057.45,1.00000,3057.45,EUR,"],
      columns: spanish)
    #expect(report.header?.newColumns == [])
    let row = try #require(try report.payments().statement.rows.first)
    #expect([row.earned, row.adjustments, row.totalOwed] == [3_030_300, 27_150, 3_057_450])
    #expect(row.region == "EU")
  }

  @Test(arguments: badRows)
  func `reject a row that cannot be read`(row: String, code: Reject.Code) throws {
    let outcomes = try payments([row]).payments().outcomes
    let reject = try #require(outcomes.first?.reject)
    #expect(reject.code == code)
    #expect(reject.line == 4)
  }

  @Test func `with a region twice are an error`() {
    let row = "Japan (JPY),2,179,179,0,0,-37,142,0.00817,1.16,EUR,"
    #expect(throws: FinanceError.repeatedRegion(region: "JP", currency: "JPY", line: 5)) {
      try payments([row, row]).payments()
    }
  }

  @Test func `without a column that is needed are an error`() {
    let error = payments([], columns: "Region (Currency),Units Sold,Earned,Total Owed").error
    #expect(
      error == .missingColumns(.payments, ["Input Tax", "Adjustments", "Withholding Tax"]))
  }
}
