/// The true sums from sales to settlement and payment, by fiscal period and region.
struct FinanceTruth {
  /// One of the bridge's sums, with the bridge's sign.
  enum Part: Int, CaseIterable {
    case gross, refunds, cutoffIn, cutoffOut, refundTiming, notCollected, rateDifference
    /// The gain or loss from settlement at the other rate, for units sold under a storefront's new shares.
    case newRateDifference
    case otherRegion, settled
  }

  /// An amount in hundredths and its units; both are negative where money is deducted.
  struct Money {
    var amount = 0
    var units = 0
  }

  /// The sums of one period and region.
  struct Cell {
    private var sums = [Money](repeating: Money(), count: Part.allCases.count)
    /// The amount owed, if the payments file has a row for it.
    var payout: Payout?
    /// The amount paid to the bank, in hundredths of the bank's currency.
    ///
    /// 0 if nothing was owed; `nil` in a pending month and below the threshold.
    var paid: Int?
    /// Apple's estimate of the payment in a pending month, in hundredths of the bank's currency.
    var estimate: Int?

    subscript(part: Part) -> Money { sums[part.rawValue] }

    /// Whether anything was sold, settled or owed.
    var isEmpty: Bool { payout == nil && sums.allSatisfy { $0.units == 0 && $0.amount == 0 } }

    mutating func add(_ amount: Int, units: Int, to part: Part) {
      sums[part.rawValue].amount += amount
      sums[part.rawValue].units += units
    }
  }

  /// A unit that was sold or refunded.
  struct Unit {
    /// The index of the period of the sale or refund.
    let period: Int
    /// The index in ``FinanceRegion/all``.
    let region: Int
    /// The developer's proceeds according to the sales reports, in hundredths.
    let proceeds: Int
    let isReturn: Bool
    /// Whether the storefront had new shares, not the usual ones, at the time of the sale.
    let hasNewShares: Bool
  }

  /// The sums by period and region.
  private(set) var cells: [[Cell]]

  init(periodCount: Int) {
    cells = Array(
      repeating: Array(repeating: Cell(), count: FinanceRegion.all.count), count: periodCount)
  }

  /// Adds a sold unit that is never settled.
  mutating func addNotCollected(_ unit: Unit) {
    addSold(unit)
    cells[unit.period][unit.region].add(-unit.proceeds, units: -1, to: .notCollected)
  }

  mutating func add(_ unit: Unit, settledIn period: Int, region: Int, share: Int) {
    addSold(unit)
    let sign = unit.isReturn ? -1 : 1
    cells[period][region].add(sign * share, units: sign, to: .settled)
    if region == unit.region {
      cells[unit.period][region].add(
        sign * (share - unit.proceeds), units: 0,
        to: unit.hasNewShares ? .newRateDifference : .rateDifference)
    } else {
      cells[unit.period][unit.region].add(-sign * unit.proceeds, units: -sign, to: .otherRegion)
      cells[unit.period][region].add(sign * share, units: sign, to: .otherRegion)
    }
    guard period != unit.period else { return }
    let (into, out): (Part, Part) =
      unit.isReturn ? (.refundTiming, .refundTiming) : (.cutoffIn, .cutoffOut)
    cells[period][region].add(sign * share, units: sign, to: into)
    cells[unit.period][region].add(-sign * share, units: -sign, to: out)
  }

  private mutating func addSold(_ unit: Unit) {
    let sign = unit.isReturn ? -1 : 1
    cells[unit.period][unit.region].add(
      sign * unit.proceeds, units: sign, to: unit.isReturn ? .refunds : .gross)
  }

  /// Adds the amounts owed and paid for a period.
  mutating func add(_ payouts: [Payout?], of period: Int, isPending: Bool) {
    for (region, payout) in payouts.enumerated() {
      cells[period][region].payout = payout
      if isPending { cells[period][region].estimate = payout?.estimate }
      guard !isPending else { continue }
      cells[period][region].paid = payout.map { $0.isAboveThreshold ? $0.proceeds : nil } ?? 0
    }
  }
}

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
