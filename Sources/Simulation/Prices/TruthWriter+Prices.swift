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
