import Counting
import Pipeline
import PriceImpact
import Rendering
import SubscriptionModel
import Tables

extension ImpactSection {
  // MARK: Money

  package var money: String {
    guard let money = impact.money else {
      if impact.isPooled {
        return "Where it is known, in the rows of single countries of `price_impact.csv`."
      }
      if impact.source == .receipts { return "Not known: receipts do not say what you are paid." }
      return comparison.control == nil || comparison.excessChurn == nil
        ? "Not known: without a comparison nobody can say what would have been paid."
        : "Not known: there are no proceeds, or they are in several currencies."
    }
    let code = names.text(money.currency)
    let amount = { (milliunits: Int128) in Self.amount(milliunits, currency: code) }
    let made = isCauseShown ? "The increase itself made" : "If it was the increase, it made"
    let currency = MarkdownText.escaped(code)
    return """
      At that renewal you received \(amount(money.actual)) \(currency). Without the increase it would have \
      been \(amount(money.counterfactual)). \(made) \(amount(money.netEffect)): \
      \(amount(money.priceEffect)) from those who renewed at a new price, \(amount(money.volumeEffect)) by \
      those who were lost, \(amount(money.mixEffect)) by changes to other products. Apple's lower share \
      after a year, \(amount(money.shareEffect)), would have come anyway and is left out.
      """
  }

  /// Returns an amount with its currency's decimals: an estimate is not more exact than the money itself.
  ///
  /// - Parameters:
  ///   - milliunits: The amount in thousandths.
  ///   - currency: The code of the currency.
  /// - Returns: Such as `12.09` for 12,088 milliunits of USD.
  package static func amount(_ milliunits: Int128, currency: String) -> String {
    NumberStyle.amount(milliunits: rounded(milliunits, currency: currency), currency: currency)
  }

  /// Returns an amount rounded to its currency's decimals, half to even.
  package static func rounded(_ milliunits: Int128, currency: String) -> Int128 {
    let units: [Int128] = [1_000, 100, 10, 1]
    let unit = units[NumberStyle.decimals(of: currency)]
    return milliunits.dividedHalfToEven(by: unit) * unit
  }

  // MARK: How sure

  package var certainty: String {
    var text = "\(counted(impact.reached, "renewal")) after the increase"
    if let rate = comparison.renewalRate {
      let bounds = Statistics.wilson(rate)
      text +=
        ", of which \(percent(rate.rate)) continued (\(percent(bounds.low)) to \(percent(bounds.high)))"
    }
    if let rate = comparison.baselineRate {
      text +=
        "; \(NumberStyle.grouped(comparison.baselineDue)) in the 90 days before it, \(percent(rate.rate)) for the same ages"
    }
    if let control = comparison.control, let before = comparison.controlBeforeRate,
      let after = comparison.controlAfterRate
    {
      let whom = control == .storefronts ? "other countries" : "other products of the country"
      text += """
        ; in \(whom) \(percent(before.rate)) of \(NumberStyle.grouped(comparison.controlBeforeDue)) before and \
        \(percent(after.rate)) of \(NumberStyle.grouped(comparison.controlAfterDue)) after
        """
    }
    text += "."
    if let loss = comparison.excessChurn {
      text +=
        " So many could have shown a loss of about \(percent(loss.detectable)) of the renewals or more."
    }
    if comparison.unmatched > 0 {
      text += " \(comparison.unmatched) of an age without a counterpart are not compared."
    }
    switch impact.stateName {
    case "partial": text += " Days of the data are missing."
    case "provisional": text += " Provisional: some renewals or refunds are still to come."
    default: break
    }
    return text
  }
}
