/// How the sales of each fiscal period and region really became its settlement and its payment.
struct FinanceTruth {
  /// A sum of what happened, signed as the bridge adds it.
  enum Part: Int, CaseIterable {
    case gross, refunds, cutoffIn, cutoffOut, refundTiming, notCollected, rateDifference
    /// What is lost or gained between the new shares of a storefront, where a world has them.
    case newRateDifference
    case otherRegion, settled
  }

  /// An amount in hundredths and its units; both are negative where money is taken away.
  struct Money {
    var amount = 0
    var units = 0
  }

  /// One period and region.
  struct Cell {
    private var sums = [Money](repeating: Money(), count: Part.allCases.count)
    /// What was owed, where payments have a row.
    var payout: Payout?
    /// What has reached the bank, in hundredths of its currency: 0 where nothing was owed; `nil` in a
    /// pending month and below the threshold.
    var paid: Int?

    subscript(part: Part) -> Money { sums[part.rawValue] }

    /// Whether anything was sold, settled or owed.
    var isEmpty: Bool { payout == nil && sums.allSatisfy { $0.units == 0 && $0.amount == 0 } }

    mutating func add(_ amount: Int, units: Int, to part: Part) {
      sums[part.rawValue].amount += amount
      sums[part.rawValue].units += units
    }
  }

  /// A unit that was sold or given back, as the truth is told of it.
  struct Unit {
    /// The place of the period of the sale or refund.
    let period: Int
    /// The place in ``FinanceRegion/all``.
    let region: Int
    /// What the sales reports say the developer gets, in hundredths.
    let proceeds: Int
    let isReturn: Bool
    /// Whether it was sold when the storefront had other shares than the usual ones.
    let hasNewShares: Bool
  }

  /// By period and region.
  private(set) var cells: [[Cell]]

  init(periodCount: Int) {
    cells = Array(
      repeating: Array(repeating: Cell(), count: FinanceRegion.all.count), count: periodCount)
  }

  /// Adds a unit that is never settled.
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

  /// Adds what is owed and paid for a period.
  mutating func add(_ payouts: [Payout?], of period: Int, isPending: Bool) {
    for (region, payout) in payouts.enumerated() {
      cells[period][region].payout = payout
      guard !isPending else { continue }
      cells[period][region].paid = payout.map { $0.isAboveThreshold ? $0.proceeds : nil } ?? 0
    }
  }
}
