package import Storage
import SubscriptionModel
package import Tables

/// The effect of an increase on proceeds, at the first renewal after it: METRICS.md section 6, "Money".
///
/// `priceEffect + volumeEffect + mixEffect = netEffect = actual - counterfactual - shareEffect`, exactly.
package struct ImpactMoney: Equatable, Sendable {
  /// The currency of the proceeds.
  package let currency: Symbol
  /// Proceeds of the charges that continued; this and the following amounts are in milliunits.
  package let actual: Int128
  /// The expected proceeds without the increase: the last proceeds at the old price × the counterfactual rate.
  package let counterfactual: Int128
  /// The gain from subscriptions that renewed the same product, without `shareEffect`.
  package let priceEffect: Int128
  /// The loss from subscriptions that did not renew.
  package let volumeEffect: Int128
  /// The gain or loss from subscriptions that changed the product.
  package let mixEffect: Int128
  /// The effect of a different proceeds share (after a year, by commission or tax), not caused by the increase.
  package let shareEffect: Int128
  /// The whole effect of the increase.
  package let netEffect: Int128

  /// Creates the money of a cohort from the price before, above 0 milliunits, and the renewal rate expected without the
  /// increase; `nil` unless all proceeds have the same currency.
  init?(_ exposure: Exposure, oldPrice: Int64, counterfactual rate: ExactRate) {
    guard let currency = exposure.currencies.keys.first, exposure.currencies.count == 1,
      oldPrice > 0
    else { return nil }
    let money = exposure.money
    self.currency = currency
    actual = money.actual
    counterfactual = rate.part(of: money.old)
    shareEffect = money.shareTimesOldPrice.dividedHalfToEven(by: Int128(oldPrice))
    priceEffect = money.renewed - shareEffect
    mixEffect = money.changed
    netEffect = actual - counterfactual - shareEffect
    volumeEffect = netEffect - priceEffect - mixEffect
  }
}

/// The loss of renewals at which an increase breaks even, and its comparison with the observed loss.
///
/// METRICS.md section 6.
///
/// Example: from 10.00 to 12.50 USD, 1 - 10.00 / 12.50 = 20 % of the renewals may be lost.
package struct BreakEven: Sendable {
  /// The position of the observed loss relative to the break-even loss.
  package enum Verdict: String, Sendable {
    case below, above, undecided
  }

  /// The price before, in milliunits.
  package let oldPrice: Int64
  /// The price after, in milliunits.
  package let newPrice: Int64
  /// The permanent churn rate at which the increase breaks even: the churn rate before × new / old; may exceed 1.
  package let churn: Double?
  /// The share of renewals that may be lost at one renewal: `1 - old / new`.
  package let loss: Double
  /// Whether the observed loss is below or above ``loss``; `nil` if the observed loss is unknown.
  package let verdict: Verdict?

  init(oldPrice: Int64, newPrice: Int64, _ comparison: ImpactComparison) {
    let loss = Double(newPrice - oldPrice) / Double(newPrice)
    self.oldPrice = oldPrice
    self.newPrice = newPrice
    self.loss = loss
    churn = comparison.baselineRate.map { (1 - $0.rate) * Double(newPrice) / Double(oldPrice) }
    verdict = comparison.observedLoss.map {
      $0.high < loss ? .below : $0.low > loss ? .above : .undecided
    }
  }
}

extension ImpactComparison {
  /// `excess_churn` divided by the expected renewal rate without the increase; `nil` if that rate is 0 or unknown.
  package var observedLoss: RateDifference? {
    guard let excessChurn, let counterfactual, !counterfactual.isZero,
      let rate = counterfactualRate
    else { return nil }
    return RateDifference(
      value: excessChurn.value / rate, low: excessChurn.low / rate, high: excessChurn.high / rate)
  }

  /// The expected renewal rate without the increase, from 0 to 1; `nil` if it is unknown.
  package var counterfactualRate: Double? {
    guard let counterfactual, let baselineRate, let controlBeforeRate, let controlAfterRate else {
      return nil
    }
    return counterfactual.isZero
      ? 0 : min(1, baselineRate.rate + controlAfterRate.rate - controlBeforeRate.rate)
  }
}
