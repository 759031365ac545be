public import SubscriptionModel

extension ChainBuilder {
  /// Returns one of the subscriber's chains as the impact of a price increase needs it.
  ///
  /// - Parameters:
  ///   - index: The chain's index.
  ///   - terms: The terms that periods refer to by index.
  ///   - completeness: Which days of the data are there.
  /// - Returns: The chain.
  public func pricedChain(
    _ index: Int, terms: [ChargeTerms], _ completeness: Completeness
  ) -> PricedChain {
    let chain = chains[index]
    var priced = PricedChain(
      key: ChainKey(chain, periods, terms, firstDay: completeness.firstDay),
      isStartKnown: chain.start == .known, asOf: completeness.asOf)
    var ordinal = 0
    for period in periods[chain.periods] {
      let isCompleted = period.wasDue || period.ending == .refunded
      if isCompleted, terms[Int(period.terms)].isPaid { ordinal += 1 }
      priced.charges.append(
        PricedCharge(
          terms: Int(period.terms), start: period.start, end: period.end, ending: period.ending,
          fate: period.fate, nextStart: period.nextStart, ordinal: ordinal))
    }
    for refund in refunds where refund.isFull {
      guard let charge = refund.charge, charge.chain == index else { continue }
      priced.charges[charge.period - chain.periods.lowerBound].fullRefundDay = refund.day
    }
    return priced
  }
}
