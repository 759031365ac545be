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

  /// Adds a unit that is settled in a period and region at a share.
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
