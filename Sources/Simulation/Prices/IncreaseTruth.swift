/// What became of the standard periods at the old price whose end met an increase.
///
/// The words are those of the metrics: only periods whose charge is in the window count, an end is
/// reached when it is more than 2 days before the last day, and a period that an upgrade or a refund
/// cut short is left out.
struct IncreaseTruth {
  struct Cell {
    var notReached = 0
    var renewedNewPrice = 0
    var renewedOtherPrice = 0
    var changedProduct = 0
    var recovered = 0
    var lapsed = 0
    var pending = 0
    /// The proceeds of the periods that reached their end, and of what continued them.
    var proceedsBefore = 0
    var proceedsActual = 0
    /// How many periods began that were to meet the increase, and the sums of their chances, in
    /// millionths, not to be continued: without the increase and with it.
    var begun = 0
    var usualLoss = 0
    var plantedLoss = 0

    var continued: Int { renewedNewPrice + renewedOtherPrice + changedProduct }
    var reached: Int { continued + recovered + lapsed + pending }
  }

  private struct Key: Hashable {
    let key: Int
    let number: Int
  }

  private let prices: PriceBook
  private let firstDay: Int
  private let lastDay: Int
  private var cells: [Key: Cell] = [:]

  init(timeline: Timeline, prices: PriceBook) {
    self.prices = prices
    firstDay = timeline.firstDay
    lastDay = timeline.lastDay
  }

  /// Returns what became of those who met one of ``PriceBook/plantedSteps``.
  func cell(key: Int, number: Int) -> Cell {
    cells[Key(key: key, number: number)] ?? Cell()
  }

  /// Adds the chances of a period that has just begun.
  mutating func add(
    _ increase: Increase, _ membership: Membership, usualLoss: Int, plantedLoss: Int
  ) {
    guard Int(membership.start) >= firstDay else { return }
    count(increase) { cell in
      cell.begun += 1
      cell.usualLoss += usualLoss
      cell.plantedLoss += plantedLoss
    }
  }

  /// Decides what became of the last period, now that another begins.
  ///
  /// - Parameters:
  ///   - membership: Somebody as before the new charge.
  ///   - next: The terms of the new charge.
  ///   - amounts: Its amounts.
  ///   - day: Its day.
  mutating func settle(
    _ membership: Membership, next: ChargeTerms, _ amounts: Amounts, on day: Int
  ) {
    guard let increase = increase(met: membership), increase.step.day <= day else { return }
    let gap = day - Int(membership.end)
    let isSameProduct = next.product == membership.product
    // Earlier than that it is a change at once, or the old billing date after a recovery in grace.
    guard gap >= -2 || isSameProduct else { return }
    let end = gap < -2 ? day : Int(membership.end)
    guard end < lastDay - 2 else {
      count(increase) { $0.notReached += 1 }
      return
    }
    let before = prices.amounts(membership.terms).proceeds
    count(increase) { cell in
      cell.proceedsBefore += before
      switch gap {
      case ...2:
        cell.proceedsActual += amounts.proceeds
        if !isSameProduct {
          cell.changedProduct += 1
        } else if Int(next.offer) == Offer.standard, Int(next.step) == increase.number,
          !next.isContingent
        {
          cell.renewedNewPrice += 1
        } else {
          cell.renewedOtherPrice += 1
        }
      case ...60: cell.recovered += 1
      default: cell.lapsed += 1
      }
    }
  }

  /// Decides what is known of the last period when nothing comes after it.
  mutating func close(_ membership: Membership) {
    guard let increase = increase(met: membership) else { return }
    let end = Int(membership.end)
    guard end < lastDay - 2 else {
      count(increase) { $0.notReached += 1 }
      return
    }
    let before = prices.amounts(membership.terms).proceeds
    let isOver = end + 60 <= lastDay
    count(increase) { cell in
      cell.proceedsBefore += before
      if isOver { cell.lapsed += 1 } else { cell.pending += 1 }
    }
  }

  private func increase(met membership: Membership) -> Increase? {
    guard membership.flags.contains(.hasCharge), !membership.flags.contains(.endedByRefund),
      Int(membership.start) >= firstDay
    else { return nil }
    return prices.increase(
      membership.terms, from: Int(membership.start), to: Int(membership.end))
  }

  private mutating func count(_ increase: Increase, _ change: (inout Cell) -> Void) {
    let key = Key(key: increase.key, number: increase.number)
    change(&cells[key, default: Cell()])
  }
}
