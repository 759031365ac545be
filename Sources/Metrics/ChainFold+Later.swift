public import SubscriptionModel

extension ChainFold {
  /// Returns when something changes that is said of a subscriber, though no row of his comes: only periods
  /// after which nothing came can change.
  ///
  /// Of all others it is known what will be said of them and when, which tallies keep: ``LaterCounts``. So
  /// every comparison with as-of in ``ChainBuilder``, in this fold and in ``ImpactFold`` changes its outcome
  /// on one of these days, or is kept.
  ///
  /// - Parameter history: A builder that has built the subscriber's chains.
  /// - Returns: The first such day after as-of; `nil` when nothing changes any more.
  public func nextChange(of history: borrowing ChainBuilder) -> Day? {
    var next: Day?
    for chain in history.chains {
      guard let change = nextChange(of: chain, history.periods) else { continue }
      next = min(next ?? change, change)
    }
    return next
  }

  private func nextChange(of chain: Chain, _ periods: Refillable<Period>) -> Day? {
    let end = periods[chain.periods.upperBound - 1].end
    return Self.waits.first { end + $0 > completeness.asOf }.map { end + $0 }
  }

  /// Days after a period's end on which something changes if nothing comes: a renewal is due, it has not come,
  /// a lapse or a trial is final.
  private static let waits = [0, ImpactScope.undecidedDays, ChainBuilder.retryDays]

  /// Tells what became of a period that is due later, though its next charge is known: a renewal came a day or
  /// two early, or rows are dated after their report.
  mutating func tellLaterRenewal(of period: Period, _ month: Month) {
    guard period.end > completeness.asOf, period.wasDue, !period.isOpen else { return }
    told.laterFacts.append(
      .init(
        fact: Self.fact(ofDue: period), month: month, stretch: told.stretches.count - 1,
        day: period.end))
  }

  /// Tells how far the chain will be followed on each day after as-of, until something else changes.
  mutating func tellLaterSurvival(of chain: Chain, _ periods: Refillable<Period>) {
    guard var before = told.survival else { return }
    let change = nextChange(of: chain, periods)
    var days: [Day] = []
    for index in chain.periods.dropLast() {
      // It has ended; it is decided.
      let (end, last) = (periods[index].end, periods[index].end + ChainBuilder.retryDays)
      if end > completeness.asOf { days.append(end) }
      if last > completeness.asOf { days.append(last) }
    }
    if let change { days.removeAll { $0 >= change } }
    for day in days.sorted() {
      let after = survival(of: chain, periods, on: day)
      let end = max(before.counted.upperBound, after.counted.upperBound)
      for k in before.counted.lowerBound..<end {
        var counts = after.counts(at: k)
        counts.merge(before.counts(at: k), .minus)
        guard counts != SurvivalCounts() else { continue }
        told.laterSurvival.append(.init(day: day, k: k, counts: counts))
      }
      before = after
    }
  }
}
