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

  /// Counts the outcome of the last period, when another begins; `membership` is the member before the new charge.
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
    return prices.increase(membership.terms, from: Int(membership.start), to: Int(membership.end))
  }

  private mutating func count(_ increase: Increase, _ change: (inout Cell) -> Void) {
    let key = Key(key: increase.key, number: increase.number)
    change(&cells[key, default: Cell()])
  }
}

/// The truth table of planted prices, written only in a world with planted prices.
extension TruthWriter {
  /// Returns the planted prices and, for increases, the outcome of the periods that they apply to.
  func steps() -> String {
    let rows = prices.plantedSteps.map { key, number, step in
      let item = "\(place(step.product, step.storefront)),\(Catalog.currencies[step.currency])"
      let day = CalendarDay.text(timeline.base + step.day)
      let old = "\(Catalog.currencies[step.oldCurrency]),\(hundredths: step.oldPrice)"
      let outcome: String? = step.extraLoss.map { extra in
        let cell = truth.increases.cell(key: key, number: number)
        return "\(Self.fraction(extra)),\(Self.fields(cell))"
      }
      return "\(item),\(day),\(old),\(hundredths: step.price),\(step.kind.text),"
        + (outcome ?? String(repeating: ",", count: 13))
    }
    return table(
      "product,country,currency,date,old_currency,old_price,new_price,class,extra,usual_loss,"
        + "planted_loss,exposed,not_reached,reached,renewed_new_price,renewed_other_price,"
        + "changed_product,recovered,lapsed,pending,proceeds_before,proceeds_actual", rows)
  }

  private static func fields(_ cell: IncreaseTruth.Cell) -> String {
    let losses = [cell.usualLoss, cell.plantedLoss].map { sum in
      cell.begun > 0 ? fraction(sum / cell.begun) : ""
    }
    let counts = [
      cell.reached + cell.notReached, cell.notReached, cell.reached, cell.renewedNewPrice,
      cell.renewedOtherPrice, cell.changedProduct, cell.recovered, cell.lapsed, cell.pending,
    ]
    return "\(losses[0]),\(losses[1]),\(fields(counts)),"
      + "\(hundredths: cell.proceedsBefore),\(hundredths: cell.proceedsActual)"
  }

  /// Returns a number of millionths with six decimals: 80,000 is `0.080000`.
  private static func fraction(_ millionths: Int) -> String {
    "\(millionths / 1_000_000).\(millionths % 1_000_000, digits: 6)"
  }

  static let readmeOfPrices = """

    Some prices were planted. Their products have no other change of price, here or elsewhere.

    - `prices.csv`: the planted prices. `class` is `increase`, `decrease`, `new_customers_only`
      (those who were there keep their price), `glitch` (one day) or `currency_change`. The price
      before is that of everybody new. From `date` on new subscribers pay the new price, the others
      from their first renewal on or after it. `extra` is what an increase adds to the probability
      that such a renewal, of a standard period at the old price, does not follow within 2 days.
      `usual_loss` and `planted_loss` are the means of that probability without and with it, over
      the periods that began and were to end on or after `date`. `exposed` = `not_reached` +
      `reached` are those whose charge is in the window and that neither an upgrade nor a refund cut
      short; `reached` ended more than 2 days before the last day. The six counts after it add up to
      `reached`: `recovered` came back 3 to 60 days after the end, `lapsed` later or not in 60 days,
      `pending` may still. `proceeds_before` is what the periods of `reached` brought,
      `proceeds_actual` the charges that continued them.

    """
}

extension PlantedPrice.Kind {
  fileprivate var text: String {
    switch self {
    case .increase: "increase"
    case .decrease: "decrease"
    case .preserved: "new_customers_only"
    case .glitch: "glitch"
    case .currency: "currency_change"
    }
  }
}
