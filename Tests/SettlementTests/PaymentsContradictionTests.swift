import Settlement
import Storage
import SubscriptionModel
import Testing

/// Rows of a payments CSV whose numbers do not agree.
@Suite("contradictions of a payments row")
struct PaymentsContradictionTests {
  private func row(
    earned: Int64, taxes: Int64 = 0, owed: Int64, rate: String, proceeds: Int64?
  ) -> PaymentsRow {
    var row = PaymentsRow(
      region: "US", currency: .blank, earned: earned, inputTax: 0, adjustments: 0,
      withholdingTax: taxes, carriedBalance: 0, totalOwed: owed, proceeds: proceeds,
      bankCurrency: .blank, isBelowThreshold: proceeds == nil, line: 4)
    row.exchangeRate = rate
    return row
  }

  private func columns(_ row: PaymentsRow, tolerance: Int128 = 0) -> [String] {
    row.contradictions(tolerance: tolerance).map {
      "\($0.column) \($0.found) for \($0.expected)"
    }
  }

  @Test
  func `a real statement has none`() {
    // The rows of a statement of September 2014, as Apple printed it.
    #expect(columns(row(earned: 33_150, owed: 33_150, rate: "0.80030", proceeds: 26_530)).isEmpty)
    #expect(
      columns(row(earned: 206_890, owed: 206_890, rate: "1.00000", proceeds: 206_890)).isEmpty)
    #expect(
      columns(row(earned: 179_000, taxes: -37_000, owed: 142_000, rate: "0.00817", proceeds: 1_160))
        .isEmpty)
  }

  @Test
  func `the rate is rounded, so its last digit is no contradiction and the one before is`() {
    // A rate from 0.915875 to 0.915885 is printed as 0.91588; 1,000,000.00 × 0.915884 = 915,884.00.
    #expect(
      columns(
        row(earned: 1_000_000_000, owed: 1_000_000_000, rate: "0.91588", proceeds: 915_884_000)
      )
      .isEmpty)
    #expect(
      columns(
        row(earned: 1_000_000_000, owed: 1_000_000_000, rate: "0.91588", proceeds: 915_894_000))
        == ["Proceeds 915894.00 for 915880.00"])
  }

  @Test
  func `Proceeds, Exchange Rate and Earned that were changed are found`() {
    #expect(
      columns(row(earned: 356_570, owed: 356_570, rate: "0.92168", proceeds: 300_000))
        == ["Proceeds 300.00 for 328.64"])
    #expect(
      columns(row(earned: 356_570, owed: 356_570, rate: "0.99168", proceeds: 328_640))
        == ["Proceeds 328.64 for 353.60"])
    #expect(
      columns(row(earned: 355_570, owed: 356_570, rate: "0.92168", proceeds: 328_640))
        == ["Earned 355.57 for 356.57"])
    #expect(
      columns(row(earned: 355_570, owed: 356_570, rate: "", proceeds: nil), tolerance: 1_000)
        .isEmpty)
  }

  @Test
  func `amounts of yen are whole, and a negative balance has its sign`() {
    #expect(
      columns(row(earned: 1_000_000, owed: 1_000_000, rate: "110.515", proceeds: 110_515_000))
        .isEmpty)
    #expect(columns(row(earned: -10_000, owed: -10_000, rate: "0.9", proceeds: -9_000)).isEmpty)
    #expect(
      columns(row(earned: -10_000, owed: -10_000, rate: "0.9", proceeds: -90_000))
        == ["Proceeds -90.00 for -9.00"])
  }

  @Test(arguments: ["", "n/a", "0,92", "-0.5", "1.2.3", "0.1234567890123456789"])
  func `a rate that is no plain decimal is not compared`(rate: String) {
    #expect(columns(row(earned: 1_000, owed: 1_000, rate: rate, proceeds: 5_000)).isEmpty)
  }
}
