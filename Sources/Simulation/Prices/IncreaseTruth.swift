/// The outcome of standard periods at an old price that ended on or after an increase.
///
/// The rules are those of the metrics: a period counts if its charge is in the window, its end is
/// reached if it is more than 2 days before the last day, and a period cut short by an upgrade or a
/// refund is left out.
struct IncreaseTruth {
  struct Cell {
    var notReached = 0
    var renewedNewPrice = 0
    var renewedOtherPrice = 0
    var changedProduct = 0
    var recovered = 0
    var lapsed = 0
    var pending = 0
    /// The proceeds of the periods that reached their end, and of the charges that continued them.
    var proceedsBefore = 0
    var proceedsActual = 0
    /// The number of periods begun before an increase and due to end on or after it.
    ///
    /// The next two are the sums of their probabilities, in millionths, of not being continued: without
    /// the increase and with it.
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

  /// Returns the outcome for one of ``PriceBook/plantedSteps``.
  func cell(key: Int, number: Int) -> Cell {
    cells[Key(key: key, number: number)] ?? Cell()
  }

  /// Adds the probabilities of a period that has just begun.
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

  /// Counts the outcome of the last period, when another begins.
  ///
  /// - Parameters:
  ///   - membership: The member before the new charge.
  ///   - next: The terms of the new charge.
  ///   - amounts: The amounts of the new charge.
  ///   - day: The day of the new charge.
  mutating func settle(
    _ membership: Membership, next: ChargeTerms, _ amounts: Amounts, on day: Int
  ) {
    guard let increase = increase(met: membership), increase.step.day <= day else { return }
    let gap = day - Int(membership.end)
    let isSameProduct = next.product == membership.terms.product
    // An earlier change of product is immediate; an earlier renewal keeps the billing date after grace.
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
      case _ where membership.isContinued(by: next, on: day):
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

  /// Counts the outcome of the last period, if no other follows it.
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
