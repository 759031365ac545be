import SubscriptionModel

extension ChainFold {
  /// Follows a chain through its paid periods: METRICS.md section 5, retention.
  ///
  /// Periods that as-of has not decided are kept open.
  mutating func survival(
    of chain: Chain, _ periods: Refillable<Period>
  ) -> ToldChain.Survival {
    var outcome = ToldChain.Survival()
    var (k, lastEnd, dayOfLoss) = (0, Day?.none, Day?.none)
    for index in chain.periods where isCompleted(periods[index]) {
      // A period is pending, and decided, once all before it are.
      let end = max(lastEnd ?? periods[index].end, periods[index].end)
      lastEnd = end
      k += 1
      let decision = end + ChainBuilder.retryDays
      guard decision > completeness.asOf else {
        outcome.k = k
        outcome.isLost = isLost(periods[index])
        if outcome.isLost { break }
        continue
      }
      if let dayOfLoss {
        if end < dayOfLoss { keepOpen(OpenPeriod(.afterLoss, k: k), until: end) }
      } else {
        let isLost = isLost(periods[index])
        keepOpen(OpenPeriod(isLost ? .lost : .kept, k: k), until: end)
        if isLost { dayOfLoss = decision }
      }
    }
    return outcome
  }

  private mutating func keepOpen(_ period: OpenPeriod, until end: Day) {
    guard end <= lastDay, !period.isDecided(end, on: completeness.asOf) else { return }
    told.open.append(.init(period: period, end: end, stretch: 0))
  }

  /// Returns whether a period is one of those that retention numbers.
  private func isCompleted(_ period: Period) -> Bool {
    kindOfTerms[Int(period.terms)].isPaid && (period.wasDue || period.ending == .refunded)
  }

  /// Returns whether nothing came after a period in time, or nothing so far.
  private func isLost(_ period: Period) -> Bool {
    period.isOpen || period.isLapse && period.fate != .recovered
  }
}
