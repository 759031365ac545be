/// Commitments built from a customer's transactions, where a period ends when the next one begins.
extension CommitmentHistory {
  /// Returns the commitments of a customer, in order.
  static func commitments(
    of history: CustomerHistory, timeline: Timeline, prices: PriceBook
  ) -> [CommitmentHistory] {
    var commitments: [CommitmentHistory] = []
    for (place, purchase) in history.purchases.enumerated() where purchase.terms.instalment > 0 {
      if purchase.terms.instalment == 1 {
        commitments.append(
          CommitmentHistory(
            subscriberID: history.customer, terms: purchase.terms,
            amounts: prices.amounts(purchase.terms)))
      }
      guard var commitment = commitments.popLast() else { continue }
      commitment.instalments.append(
        Instalment(
          day: timeline.day(of: purchase.purchased), end: timeline.day(of: purchase.expires),
          proceeds: 0, latest: timeline.day(of: purchase.expires) + Membership.toleranceDays))
      let next = history.purchases.dropFirst(place + 1).first
      if next.map({ $0.terms.instalment <= 1 }) ?? true {
        commitment.end(with: purchase, next: next, timeline)
      }
      commitments.append(commitment)
    }
    return commitments
  }

  /// Ends the term after its last instalment, unless it still runs on the last day of the world.
  private mutating func end(with last: Purchase, next: Purchase?, _ timeline: Timeline) {
    let end = timeline.day(of: last.end)
    let isContinued = last.isContinued(by: next)
    if let refunded = last.refunded, refunded < last.expires {
      self.end(.refunded, on: end)
    } else if isPaidUp {
      guard end <= timeline.lastDay else { return }
      self.end(.complete, on: end)
      guard let next, isContinued else { return }
      renewal = renewal(by: next.terms)
    } else if let next, isContinued {
      self.end(.changed, on: timeline.day(of: next.purchased))
    } else if end + Commitments.retryDays <= timeline.lastDay {
      self.end(.defaulted, on: end + Commitments.retryDays)
    }
  }
}
