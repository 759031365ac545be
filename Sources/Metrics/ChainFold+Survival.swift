import SubscriptionModel

extension ChainFold {
  /// Follows a chain through its paid periods: METRICS.md section 5, retention.
  ///
  /// Of those that are not decided it keeps what will be counted if nothing comes.
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
      if end <= completeness.asOf { outcome.pendingPeriods += 1 }
      guard keepsLater else { continue }
      if let dayOfLoss {
        if end < dayOfLoss { wait(WaitingPeriod(.afterLoss, k: k), until: end, stretch: 0) }
      } else {
        let isLost = isLost(periods[index])
        wait(WaitingPeriod(isLost ? .lost : .kept, k: k), until: end, stretch: 0)
        if isLost { dayOfLoss = decision }
      }
    }
    return outcome
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
