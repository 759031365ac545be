public import SubscriptionModel

extension ReceiptHistory {
  /// Returns a chain as the impact of a price increase needs it: instants become days (UTC).
  ///
  /// - Parameters:
  ///   - chain: One of the customer's chains.
  ///   - terms: The terms of the chain's periods, by number.
  /// - Returns: The chain.
  public func pricedChain(_ chain: ReceiptChain, terms: [Int]) -> PricedChain {
    let own = periods[chain.periods]
    var priced = PricedChain(
      key: ChainKey(chain, periods), isStartKnown: chain.isStartKnown, asOf: chain.asOf.day)
    priced.consents = priceConsents(of: chain).map {
      PriceConsent(madeAt: $0.madeAt, isGiven: $0.isGiven)
    }
    var ordinal = 0
    for (period, number) in zip(own, terms) {
      if period.event.isPaid, !period.isPassedOver || period.isRefunded { ordinal += 1 }
      var charge = PricedCharge(
        terms: number, start: period.start.day, end: (period.end ?? period.start).day,
        ending: period.priceEnding, fate: period.priceFate, ordinal: ordinal)
      charge.isLapseForPrice = period.reason == .price
      if period.refund == .full { charge.fullRefundDay = period.event.cancellation?.day }
      priced.charges.append(charge)
    }
    return priced
  }
}

extension ReceiptPeriod {
  /// What ended it, in the words of SUBSCRIBER chains: METRICS.md 3.8.
  fileprivate var priceEnding: Period.Ending {
    if isUpgraded { return .changedProduct }
    if isRefunded { return .refunded }
    return isPassedOver ? .boughtAgainSameDay : .ownEnd
  }

  /// What came after it, in the words of SUBSCRIBER chains; a period without a known end is running.
  fileprivate var priceFate: Period.Fate {
    switch fate {
    case .renewed, .upgraded: .continued
    case .recovered: .recovered
    case .reactivated: .reactivated
    case .openFinal: .openFinal
    case .openProvisional: .openProvisional
    case .current, .none: .running
    }
  }
}
