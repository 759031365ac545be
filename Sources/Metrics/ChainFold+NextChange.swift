public import SubscriptionModel

extension ChainFold {
  /// Returns when something changes that is said of a subscriber, though no row of his comes: as days go by,
  /// periods end, lapses become final, and it is decided whether a renewal came.
  ///
  /// Every comparison with as-of in ``ChainBuilder``, in this fold and in ``ImpactFold`` changes its outcome on
  /// one of these days.
  ///
  /// - Parameters:
  ///   - history: A builder that has built the subscriber's chains.
  ///   - isImpactKept: Whether what increases did will be changed too.
  /// - Returns: The first such day after as-of; `nil` when nothing changes any more.
  public func nextChange(of history: borrowing ChainBuilder, isImpactKept: Bool) -> Day? {
    var next: Day?
    let note = { [asOf = completeness.asOf] (day: Day) in
      if day > asOf { next = min(next ?? day, day) }
    }
    for chain in history.chains {
      for index in chain.periods {
        let period = history.periods[index]
        // Most periods are long over.
        guard period.end + Self.longestWait > completeness.asOf else { continue }
        // A renewal is due.
        note(period.end)
        // It has not come; increases count it from then on.
        if period.isOpen || isImpactKept { note(period.end + ChainBuilder.toleranceDays + 1) }
        // A lapse or a trial is final, and retention counts the period.
        if period.isOpen || chain.start == .known { note(period.end + ChainBuilder.retryDays) }
        // Refunds of a charge at a new price are final.
        if isImpactKept, !period.isOpen, history.periods[index + 1].terms != period.terms {
          note(history.periods[index + 1].start + PriceMeeting.refundDays)
        }
      }
    }
    return next
  }

  /// Days after a period's end in which something can change, those included by which the next charge may be
  /// late.
  private static let longestWait = ChainBuilder.retryDays + ChainBuilder.toleranceDays + 1
}
