import Storage
import SubscriptionModel

extension ChainFold {
  /// Returns a refund with its dates, amounts and cohort.
  func facts(of refund: Refund, _ history: borrowing ChainBuilder) -> RefundFacts {
    let refunded = terms[Int(refund.terms)]
    let soldTerms: Int
    let key: ChainKey
    if let charge = refund.charge {
      soldTerms = Int(history.periods[charge.period].terms)
      key = ChainKey(
        history.chains[charge.chain], history.periods, terms, firstDay: completeness.firstDay)
    } else {
      soldTerms = Int(refund.terms)
      key = ChainKey(start: .before(completeness.firstDay.month), offer: nil)
    }
    return RefundFacts(
      price: refunded.price, proceeds: refunded.proceeds, isFull: refund.isFull,
      day: refund.day, month: months[refund.day],
      saleMonth: refund.charge.map { months[history.periods[$0.period].start] },
      terms: soldTerms, key: key)
  }
}
