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

  @Test(arguments: [("Atlantis (USD)", true), ("Europe", false)])
  func `keep the currency of a row of an unknown region`(name: String, isKept: Bool) throws {
    let (_, statement) = try payments(["\(name),1,2,2,0,0,0,2,1,2,EUR,"]).payments()
    #expect(statement.rejected.map { $0.currency != nil } == [isKept])
    #expect(statement.rejected.map(\.region) == [nil])
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

  @Test func `of a month that is not paid yet may lack the columns of the payment`() throws {
    let pending =
      "Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,"
      + "Total Owed,,"
    let statement = try payments(
      ["Japan (JPY),\"2\",\"179\",\"179\",\"0\",\"0\",\"-37\",\"142\",,"], columns: pending
    ).payments().statement
    #expect(statement.isPending)
    #expect(statement.rows.map(\.totalOwed) == [142_000])
    #expect(statement.rows.map(\.proceeds) == [nil])
    #expect(statement.payouts.isEmpty)
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
    #expect(statement.payouts.map(\.amount) == [10_000])
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
    #expect(
      throws: FinanceError.missingColumns(["Input Tax", "Adjustments", "Withholding Tax"])
    ) {
      try payments([], columns: "Region (Currency),Units Sold,Earned,Total Owed").payments()
    }
  }
}

/// Files as Apple writes them in other years, languages and forms, with made-up amounts.
private let variants: [(name: String, text: String)] = [
  (
    "2018 and 2019",
    """
    "iTunes Connect - Payments and Financial Reports\t(January, 2019)",,,,,,,,,,,,
    ,,,,,,,,,,,,
    Territory (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,\
    Total Owed,Exchange Rate,Proceeds,Bank Account Currency,
    Euro-Zone (EUR),"3","30.00","30.00","5.70","0","0","35.70","1.00000","35.70","EUR",
    Japan (JPY),"2","1,398","1,398","0","0","-286","1,112","0.00800","8.90","EUR",
    """
  ),
  (
    "German, by position, with tabs",
    """
    "iTunes Connect - Zahlungen und Finanzberichte\t(JANUAR, 2019)"

    Region (Währung)\tVerkaufte Einheiten\tVerdient\tZwischensumme vor Steuern\tVorsteuer\t\
    Anpassungen\tQuellensteuer\tGeschuldeter Gesamtbetrag\tWechselkurs\tErlöse\tBankkonto\t
    Eurozone (EUR)\t3\t30.00\t30.00\t5.70\t0\t0\t35.70\t1.00000\t35.70\tEUR\t
    Japan (JPY)\t2\t"1,398"\t1398\t0\t0\t-286\t1112\t0.00800\t8.90\tEUR\t
    """
  ),
  (
    "French, by position of a pending month, with semicolons",
    """
    iTunes Connect - Paiements et rapports financiers (janvier 2019);;;;;;;;;
    ;;;;;;;;;
    Région (Devise);Unités vendues;Gains;Taxe en amont;Ajustements;Retenue à la source;Total dû;\
    Recettes;Devise du compte;
    Zone euro (EUR);"3";"30.00";"5.70";"0";"0";"35.70";"35.70";"EUR";
    Japon (JPY);"2";"1398";"0";"0";"-286";"1112";"8.90";"EUR";
    ;;;;;;;;;
    """
  ),
]

@Suite("Payments CSV files in other clothes")
struct PaymentsVariantTests {
  @Test(arguments: variants)
  func `have the same amounts`(variant: (name: String, text: String)) throws {
    let report = TestReport(variant.text)
    #expect(report.header?.kind == .payments, "\(variant.name)")
    #expect(report.header?.newColumns == [])
    #expect(report.rows.count == 2)
    let (outcomes, statement) = try report.payments()
    #expect(outcomes.compactMap(\.reject).isEmpty)
    #expect(statement.period.description == "FY2019-P04")
    #expect(statement.isPending)
    #expect(statement.rows.map(\.region) == ["EU", "JP"])
    #expect(statement.rows.map(\.earned) == [30_000, 1_398_000])
    #expect(statement.rows.map(\.inputTax) == [5_700, 0])
    #expect(statement.rows.map(\.withholdingTax) == [0, -286_000])
    #expect(statement.rows.map(\.totalOwed) == [35_700, 1_112_000])
    #expect(statement.rows.map(\.proceeds) == [35_700, 8_900])
  }

  @Test(arguments: [
    ("settembre", "FY2019-P12"), ("Dezember", "FY2020-P03"), ("FÉVRIER", "FY2019-P05"),
    ("enero", "FY2019-P04"), ("August", "FY2019-P11"),
  ])
  func `are of the month of their title`(month: String, period: String) throws {
    let report = payments(
      ["Japan (JPY),1,2,2,0,0,0,2,1,2,JPY,"], title: "\"Titel\t(\(month), 2019)\",,,")
    #expect(try report.payments().statement.period.description == period)
  }

  @Test
  func `are no payments without a month in the first line or a known title`() {
    let text = "Titel,,\n,,\nRegion (Währung),Verdient,Total\nJapan (JPY),1,1\n"
    #expect(TestReport(text).header?.kind == .unknown)
    #expect(TestReport("Titel (2019),,\nPrice (USD),A,B\n").header?.kind == .unknown)
  }

  private static let german = "\"Zahlungen\t(Januar, 2019)\",,,"
  private static let names = "Region (Währung),a,b,c,d,e,f,g,h,"

  @Test
  func `in another language are read only with a number of columns that is known`() {
    for (columns, count) in [(Self.names + "i,", 10), ("Region (Währung),a,b,", 3)] {
      let report = payments(["Japan (JPY),1,2,2,2"], title: Self.german, columns: columns)
      #expect(throws: FinanceError.unknownColumns(count: count)) { try report.payments() }
      #expect(report.rows.count == 1)
      #expect(report.paymentsOutcomes().compactMap(\.ignored) == [.unusableFile])
    }
  }

  @Test
  func `in another language must add up in every row`() {
    let report = payments(
      ["Japan (JPY),1,2,0,0,0,2,2,JPY,", "Kanada (CAD),1,2,0,1,0,2,2,JPY,"], title: Self.german,
      columns: Self.names)
    #expect(throws: FinanceError.otherColumns(line: 5)) { try report.payments() }
    let advice = "set App Store Connect to English and download it again"
    #expect(FinanceError.otherColumns(line: 5).message.contains(advice))
    #expect(FinanceError.unknownColumns(count: 10).message.contains(advice))
  }

  @Test(arguments: ["\"2,00\"", "\"1.398,00\"", "\"12,5.00\"", "\"1,3985\"", "\",100\""])
  func `with a decimal comma have rejected rows`(amount: String) throws {
    let row = "Japan (JPY),1,\(amount),2,0,0,0,2,1,2,JPY,"
    #expect(try payments([row]).payments().outcomes.first?.reject?.code == .notADecimal)
  }

  @Test(
    arguments: [("1,398.00", 1_398_000), ("-12,345,678", -12_345_678_000)] as [(String, Int64)])
  func `may group thousands`(amount: String, milliunits: Int64) throws {
    let row = "Japan (JPY),1,\"\(amount)\",2,0,0,0,2,1,2,JPY,"
    #expect(try payments([row]).payments().statement.rows.map(\.earned) == [milliunits])
  }

  @Test
  func `of two months in one file are an error`() throws {
    let text = (["Titel (May, 2020),,,", "Titel (May, 2020),,,"], ["Titel (June, 2020),,,"])
    #expect(try payments(text.0, title: text.0[0]).payments().statement.rows.isEmpty)
    #expect(throws: FinanceError.self) { try payments(text.1, title: text.0[0]).payments() }
  }
}

@Suite("Blocks of payments CSV files")
struct PaymentsBlockTests {
  private static let euro = "Euro-Zone (EUR),1,30.00,30.00,0,0,0,30.00,1.00000,30.00,EUR,"
  private static let dollar = "Americas (USD),1,50.00,50.00,0,0,0,50.00,1.00000,50.00,USD,"
  private static let yen = "Japan (JPY),1,100,100,0,0,0,100,0.01000,1.00,EUR,"
  private static let bank = ",,,,,,,,,,Paid to BANK -****1299,,"

  /// The statement of lines below the first header, with the rows that are paid by region.
  private static func statement(
    _ lines: String...
  ) throws -> (PaymentsStatement, paid: [String]) {
    let statement = try payments(lines).payments().statement
    return (statement, statement.rows.filter { !$0.isBelowThreshold }.map(\.region))
  }

  @Test
  func `are paid with a bank line each`() throws {
    let (statement, paid) = try Self.statement(
      Self.euro, blank, ",,,,,,,,,,\"30.00\" EUR,,", Self.bank, blank, columns, Self.dollar, blank,
      ",,,,,,,,,,50.00 USD,,", ",,,,,,,,,,Überwiesen an BANK ****77,,")
    #expect(!statement.isPending && paid == ["EU", "US"])
    #expect(statement.payouts.map(\.amount) == [30_000, 50_000])
    #expect(statement.payouts.map(\.block) == [0, 1])
    #expect(statement.payouts.map(\.line) == [6, 12])
    #expect(statement.rows.map(\.block) == [0, 1])
  }

  @Test
  func `begin with a row after a bank line, too`() throws {
    let (statement, paid) = try Self.statement(
      Self.euro, "\"30.00\" EUR", "Paid to BANK -****1299", Self.dollar, Self.bank)
    #expect(paid == ["EU", "US"])
    #expect(statement.rows.map(\.block) == [0, 1])
    #expect(statement.payouts.map(\.amount) == [30_000, nil])
  }

  @Test
  func `without a bank line are below the threshold only beside a paid one`() throws {
    let (beside, paid) = try Self.statement(
      Self.euro, ",,,,,,,,,,\"30.00\" EUR,,", Self.bank, blank, columns, Self.dollar)
    #expect(paid == ["EU"])
    #expect(beside.rows.map(\.proceeds) == [30_000, nil])
    let (alone, all) = try Self.statement(Self.euro, blank, columns, Self.dollar)
    #expect(alone.isPending && all == ["EU", "US"])
    #expect(alone.rows.map(\.proceeds) == [30_000, 50_000])
  }

  @Test
  func `have rows after a blank line below the threshold`() throws {
    let (_, paid) = try Self.statement(Self.euro, blank, Self.yen, blank, Self.bank)
    #expect(paid == ["EU"])
    let (_, leading) = try Self.statement(blank, Self.euro, Self.yen, Self.bank)
    #expect(leading == ["EU", "JP"])
  }

  @Test
  func `are pending with an exchange rate and paid without one`() throws {
    #expect(try Self.statement(Self.euro, ",,,,,,,,,,\"30.00\" EUR,,").0.isPending)
    let withoutRate =
      "Region (Currency),Units Sold,Earned,Input Tax,Adjustments,Withholding Tax,Total Owed,"
      + "Proceeds,Bank Account Currency,"
    let report = payments(
      ["Americas (USD),5,50.00,0,0,0,50.00,50.00,USD,", ",,,,,,,Paid to BANK -****1299,"],
      columns: withoutRate)
    let statement = try report.payments().statement
    #expect(!statement.isPending)
    #expect(statement.rows.map(\.proceeds) == [50_000])
  }

  @Test
  func `of two bank currencies have a payout for each`() throws {
    let (statement, _) = try Self.statement(
      Self.euro, Self.dollar, ",,,,,,,,,,\"30.00\" EUR,,", ",,,,,,,,,,\"50.00\" USD,,", Self.bank)
    #expect(statement.payouts.map(\.amount) == [30_000, 50_000])
    #expect(statement.payouts.map(\.block) == [0, 0])
  }
}
