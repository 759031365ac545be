public import SubscriptionModel

/// What an increase changed in proceeds, at the renewal at which it was met: METRICS.md section 6, money.
///
/// `priceEffect + volumeEffect + mixEffect = netEffect = actual - counterfactual - shareEffect`, exactly.
public struct ImpactMoney: Equatable, Sendable {
  /// The currency of the proceeds.
  public let currency: Symbol
  /// Proceeds of the charges that continued, in milliunits as all that follow.
  public let actual: Int128
  /// What would have been at the old price and the counterfactual rate.
  public let counterfactual: Int128
  /// More for those who renewed the same product, apart from Apple's share.
  public let priceEffect: Int128
  /// Less for those who did not renew.
  public let volumeEffect: Int128
  /// More or less for those who changed the product.
  public let mixEffect: Int128
  /// What the step of Apple's share after a year changed, which would have come anyway.
  public let shareEffect: Int128
  /// All that the increase did.
  public let netEffect: Int128

  /// Creates the money of a cohort; `nil` unless all proceeds are of one currency.
  ///
  /// - Parameters:
  ///   - money: The sums.
  ///   - oldPrice: The price before, in milliunits.
  ///   - rate: The rate at which the old price would have been renewed.
  init?(_ money: ExposureMoney, oldPrice: Int64, counterfactual rate: ExactRate) {
    guard let currency = money.currencies.keys.first, money.currencies.count == 1, oldPrice > 0
    else {
      return nil
    }
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

/// What loss an increase could bear, and what loss it met: METRICS.md section 6, money.
public struct BreakEven: Sendable {
  /// How the loss stands to what the price makes up for.
  public enum Verdict: String, Sendable {
    case below, above, undecided
  }

  /// The prices; the share of renewals that may be lost at one renewal is `1 - old / new`.
  public let oldPrice: Int64
  /// The price that was met.
  public let newPrice: Int64
  /// The churn rate that may follow for good: that of before × new / old; above 1 when nothing can.
  public let churn: Double?
  /// `excess_churn` as a part of those who would have renewed.
  public let observedLoss: RateDifference?

  /// The share of renewals that may be lost at one renewal.
  public var loss: Double { Double(newPrice - oldPrice) / Double(newPrice) }

  /// How the loss stands to what the price makes up for; `nil` when it is not known.
  public var verdict: Verdict? {
    guard let observedLoss else { return nil }
    if observedLoss.high < loss { return .below }
    return observedLoss.low > loss ? .above : .undecided
  }

  init(oldPrice: Int64, newPrice: Int64, _ comparison: ImpactComparison) {
    self.oldPrice = oldPrice
    self.newPrice = newPrice
    churn = comparison.baselineRate.map { (1 - $0.rate) * Double(newPrice) / Double(oldPrice) }
    observedLoss = comparison.observedLoss
  }
}

extension ImpactComparison {
  /// `excess_churn` as a part of those who would have renewed; `nil` where nobody would have.
  public var observedLoss: RateDifference? {
    guard let excessChurn, let counterfactual, !counterfactual.isZero, let baselineRate,
      let controlBeforeRate, let controlAfterRate
    else { return nil }
    let rate = min(1, baselineRate.rate + controlAfterRate.rate - controlBeforeRate.rate)
    return RateDifference(
      value: excessChurn.value / rate, low: excessChurn.low / rate, high: excessChurn.high / rate)
  }
}
