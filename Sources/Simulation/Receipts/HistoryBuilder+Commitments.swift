/// The moments of those who pay in monthly instalments.
extension HistoryBuilder {
  /// Renewal is turned off in the middle of a term, which goes on to its end.
  mutating func turnOffRenewal(_ entry: Journal.Entry) {
    endsWithTerm = true
    happenBefore(lastExpiry, days: Int(entry.daysBeforeCanceling), .renewalDisabled)
    // It was decided when the instalment was paid, and may lie after the last day.
    let known = timeline.instant(timeline.lastDay, Timeline.closingTime)
    if let last = history.events.last, last.date > known { history.events.removeLast() }
  }

  /// Some days before the end of a commitment, the customer chooses to pay for the next year at once.
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

  /// For how many days the store tries to collect what an entry is about.
  func retryDays(_ entry: Journal.Entry) -> Int {
    entry.terms.instalment > 0 ? Commitments.retryDays : 60
  }
}

extension Purchase {
  /// How many days after its end a purchase can still follow that makes good for it.
  var retryDays: Int { terms.instalment > 0 ? Commitments.retryDays : 60 }
}
