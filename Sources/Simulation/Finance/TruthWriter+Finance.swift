/// The truth table of settlements, written only in a world with finance files.
extension TruthWriter {
  /// Returns the expected lines of `reconcile.csv`, with the same names and signs.
  func reconcile(_ bridges: [(period: FiscalPeriod, cells: [FinanceTruth.Cell])]) -> String {
    var text = "period,region,currency,step,line,amount,amount_currency,count,cause\n"
    for (period, cells) in bridges {
      for (region, cell) in zip(FinanceRegion.all, cells) where !cell.isEmpty {
        let currency = Catalog.currencies[region.currency]
        let key = "\(period.text),\(region.code),\(currency)"
        for line in Self.lines where !line.isLeftOut(cell) {
          let money = line.part.map { cell[$0] } ?? FinanceTruth.Money()
          text += "\(key),\(line.step),\(line.name),\(hundredths: money.amount),\(currency),"
          text += "\(money.units),\(line.cause)\n"
        }
        text += payment(cell, key, currency)
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

  private static let lines = [
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
    Line(step: 30, name: "finance_share", part: .settled),
  ]

  private func payment(_ cell: FinanceTruth.Cell, _ key: String, _ currency: String) -> String {
    let payout = cell.payout
    let lines = [
      (40, "input_tax", payout?.inputTax), (41, "adjustments", payout?.adjustments),
      (42, "withholding_tax", payout?.withholdingTax),
      (43, "carried_balance", payout?.carriedBalance), (49, "unexplained_payment", 0),
      (50, "total_owed", payout?.owed),
    ]
    var text = ""
    for (step, name, amount) in lines {
      text += "\(key),\(step),\(name),\(hundredths: amount ?? 0),\(currency),,\n"
    }
    let cause = cell.estimate == nil ? "" : "not paid yet"
    let paid =
      (cell.paid ?? cell.estimate).map { "\(hundredths: $0),\(Payout.bankCurrency)" }
      ?? ",\(currency)"
    return text + "\(key),60,payment,\(paid),,\(cause)\n"
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
      rest of the world (`other_region`). `payment` in a month that is not paid yet is
      Apple's estimate; it is empty below the threshold of 150.00 of the bank's currency, which is
      carried over, and 0 where nothing is owed.

    """
}
