/// The truth table of settlements, written only in a world with finance files.
extension TruthWriter {
  /// Returns the expected lines of `reconcile.csv`, with the same names and signs.
  func reconcile(_ bridges: [(period: FiscalPeriod, cells: [FinanceTruth.Cell])]) -> ByteText {
    var text = ByteText()
    text.append("period,region,currency,step,line,amount,amount_currency,count,cause\n")
    for (period, cells) in bridges {
      for (region, cell) in zip(FinanceRegion.all, cells) where !cell.isEmpty {
        let key = "\(period.text),\(region.code),\(Catalog.currencies[region.currency])"
        for line in Self.sales + [Self.settled] where !line.isLeftOut(cell) {
          append(line, key, Catalog.currencies[region.currency], to: &text) { cell[$0] }
        }
        appendPayment(cell, key, Catalog.currencies[region.currency], to: &text)
      }
    }
    return text
  }

  private struct Line {
    let step: Int
    let name: String
    /// The sum to print; nil for a line that is always 0.
    var part: FinanceTruth.Part?
    var cause = ""
    /// Whether the line is left out if its amount is 0.
    var isRare = false

    func isLeftOut(_ cell: FinanceTruth.Cell) -> Bool {
      isRare && part.map { cell[$0].amount == 0 } ?? true
    }
  }

  private static let sales = [
    Line(step: 10, name: "sales_gross", part: .gross),
    Line(step: 11, name: "sales_refunds", part: .refunds),
    Line(step: 12, name: "missing_days"),
    Line(step: 20, name: "cutoff_in", part: .cutoffIn),
    Line(step: 21, name: "cutoff_out", part: .cutoffOut),
    Line(step: 22, name: "refund_timing", part: .refundTiming),
    Line(step: 23, name: "not_collected", part: .notCollected),
    Line(step: 24, name: "share_difference", part: .rateDifference, cause: "70/85"),
    Line(
      step: 24, name: "share_difference", part: .newRateDifference, cause: "74/85", isRare: true),
    Line(step: 24, name: "share_difference", cause: "other"),
    Line(step: 25, name: "other_region", part: .otherRegion),
    Line(step: 29, name: "unexplained_sales"),
  ]
  private static let settled = Line(step: 30, name: "finance_share", part: .settled)

  private func append(
    _ line: Line, _ key: String, _ currency: String, to text: inout ByteText,
    sum: (FinanceTruth.Part) -> FinanceTruth.Money
  ) {
    let money = line.part.map(sum) ?? FinanceTruth.Money()
    text.append("\(key),\(line.step),\(line.name),")
    text.append(hundredths: money.amount)
    text.append(",\(currency),\(money.units),\(line.cause)\n")
  }

  private func appendPayment(
    _ cell: FinanceTruth.Cell, _ key: String, _ currency: String, to text: inout ByteText
  ) {
    let payout = cell.payout
    let lines = [
      (40, "input_tax", payout?.inputTax), (41, "adjustments", payout?.adjustments),
      (42, "withholding_tax", payout?.withholdingTax),
      (43, "carried_balance", payout?.carriedBalance), (49, "unexplained_payment", 0),
      (50, "total_owed", payout?.owed),
    ]
    for (step, name, amount) in lines {
      text.append("\(key),\(step),\(name),")
      text.append(hundredths: amount ?? 0)
      text.append(",\(currency),,\n")
    }
    text.append("\(key),60,payment,")
    if let paid = cell.paid {
      text.append(hundredths: paid)
      text.append(",\(Payout.bankCurrency),,\n")
    } else {
      text.append(",\(currency),,\n")
    }
  }

  static let readmeOfFinance = """

    With finance files there is one table more, about the fiscal periods that lie in the window as a
    whole: only they have files.

    - `reconcile.csv`: the lines from the sales to the settlement and the payment, with the names
      and signs of the tool's own `reconcile.csv`; see METRICS.md. A unit is settled 0 to 20 days
      after its sale. `not_collected` are sales that were never settled, `70/85` what other units
      gained or lost because they were settled at the other rate than the sales reports say: a
      product has at most one of the two in a store and period, because with both nobody could tell
      them apart by counting. In one world of three Brazil's sales are settled in dollars, with the
      rest of the world (`other_region`). `payment` is empty in a pending month, and below the
      threshold of 150.00 of the bank's currency, which is carried over; 0 where nothing is owed.

    """
}
