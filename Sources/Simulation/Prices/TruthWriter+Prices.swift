/// The truth table of planted prices, written only in a world with planted prices.
extension TruthWriter {
  /// Returns the planted prices and, for increases, the outcome of the periods that they apply to.
  func steps() -> ByteText {
    var text = ByteText()
    text.append(
      "product,country,currency,date,old_currency,old_price,new_price,class,extra,usual_loss,"
        + "planted_loss,exposed,not_reached,reached,renewed_new_price,renewed_other_price,"
        + "changed_product,recovered,lapsed,pending,proceeds_before,proceeds_actual\n")
    for (key, number, step) in prices.plantedSteps {
      appendPlace(step.product, step.storefront, currency: step.currency, to: &text)
      text.append(CalendarDay.text(timeline.base + step.day))
      text.append(",\(Catalog.currencies[step.oldCurrency]),")
      text.append(hundredths: step.oldPrice)
      text.append(",")
      text.append(hundredths: step.price)
      text.append("," + step.kind.text + ",")
      if let extra = step.extraLoss {
        text.append(millionths: extra)
        text.append(",")
        append(truth.increases.cell(key: key, number: number), to: &text)
      } else {
        text.append(String(repeating: ",", count: 13))
      }
      text.appendNewline()
    }
    return text
  }

  private func append(_ cell: IncreaseTruth.Cell, to text: inout ByteText) {
    for sum in [cell.usualLoss, cell.plantedLoss] {
      if cell.begun > 0 { text.append(millionths: sum / cell.begun) }
      text.append(",")
    }
    let counts = [
      cell.reached + cell.notReached, cell.notReached, cell.reached, cell.renewedNewPrice,
      cell.renewedOtherPrice, cell.changedProduct, cell.recovered, cell.lapsed, cell.pending,
    ]
    Self.append(counts, to: &text)
    text.append(",")
    text.append(hundredths: cell.proceedsBefore)
    text.append(",")
    text.append(hundredths: cell.proceedsActual)
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
