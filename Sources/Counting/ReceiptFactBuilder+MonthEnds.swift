import Storage
import SubscriptionModel

extension ReceiptFactBuilder {
  /// Adds the states of a chain at the ends of the months in which no paid period covers it: METRICS.md 11.4.
  ///
  /// - Parameters:
  ///   - chain: The chain, whose facts are derived.
  ///   - history: The customer.
  mutating func addMonthEnds(of chain: ReceiptChain, _ history: borrowing ReceiptHistory) {
    var month = month(of: history.periods[chain.periods.lowerBound].start)
    let last = self.month(of: asOf)
    while month <= last {
      defer { month = month + 1 }
      let end = Instant(endOf: monthSystem.lastDay(of: month)) ?? asOf
      guard !hasPaidPlace(atEndOf: month) else { continue }
      addState(of: chain, history, at: min(end, asOf), month, isLast: month == last)
    }
  }

  /// Returns whether a paid period represents the chain at the end of a month.
  private func hasPaidPlace(atEndOf month: Month) -> Bool {
    guard let number = derived.segments.lastIndex(where: { $0.start <= month }) else {
      return false
    }
    let segment = derived.segments[number]
    return segment.isPaid && segment.lapse.map { month < $0 } ?? true
  }

  private mutating func addState(
    of chain: ReceiptChain, _ history: borrowing ReceiptHistory, at instant: Instant,
    _ month: Month, isLast: Bool
  ) {
    let free = chain.periods.last { index in
      let period = history.periods[index]
      guard !period.event.isPaid, period.start <= instant, !period.hasNoLength else {
        return false
      }
      // One whose end has passed was not seen since.
      return period.end.map { instant < $0 } ?? (period.fate == .current)
    }
    if let free {
      let isTrial = history.periods[free].event.kind == .trial
      add(isTrial ? .freeTrialBegan : .freeOfferBegan, month, ofPeriodAt: free)
      if !isLast { add(isTrial ? .freeTrialEnded : .freeOfferEnded, month + 1, ofPeriodAt: free) }
      return
    }
    guard let (state, period) = history.waitingState(of: chain, at: instant) else { return }
    let fact: Fact =
      switch state {
      case .grace: .inGrace
      case .billingRetry: .inBillingRetry
      case .suspended: .isSuspended
      case .unresolved: .isUnresolved
      }
    add(fact, month, ofPeriodAt: period)
  }

  /// Adds a fact with the cohort of a period.
  private mutating func add(_ fact: Fact, _ month: Month, ofPeriodAt index: Int) {
    let own = terms(index)
    let segment = derived.segments.lastIndex { $0.terms == own } ?? 0
    derived.facts.append(
      ChainFacts.FactCount(
        fact: fact, month: month, segment: segment, count: 1,
        period: derived.keepsPeriods ? Int32(index) : ChainFacts.noPeriod))
  }
}
