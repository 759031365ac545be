/// The moments of customers who pay in monthly instalments.
extension HistoryBuilder {
  /// Turns off renewal in the middle of a term; the term continues to its end.
  mutating func turnOffRenewal(_ entry: Journal.Entry) {
    endsWithTerm = true
    happenBefore(lastExpiry, days: Int(entry.daysBeforeCanceling), .renewalDisabled)
    // The event was planned when the instalment was paid, and may lie after the last day.
    let limit = timeline.instant(timeline.lastDay, Timeline.closingTime)
    if let last = history.events.last, last.date > limit { history.events.removeLast() }
  }

  /// Adds the choice, some days before the end of a commitment, to pay the next year at once.
  mutating func choosePlan(_ entry: Journal.Entry) {
    guard let last = history.purchases.last, last.terms.instalment > 0,
      entry.terms.instalment == 0, entry.terms.product == last.terms.product
    else { return }
    happenBefore(lastExpiry, days: random.below(6), .upfrontChosen)
  }

  /// Returns the end of the commitment that an instalment belongs to.
  func termEnd(_ entry: Journal.Entry) -> Instant? {
    entry.terms.instalment > 0 ? timeline.instant(Int(entry.termEnd), timeOfDay) : nil
  }
}
