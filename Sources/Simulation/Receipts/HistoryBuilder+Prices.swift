/// Notices of a higher price, and the customers' consent, before the next renewal.
extension HistoryBuilder {
  /// Adds the notice of an increase that applies at the end of the last period, given the next entry.
  mutating func announceIncrease(before entry: Journal.Entry) {
    announceIncrease(
      meetingOn: Int(entry.day), stays: entry.verb != .cancel,
      until: timeline.instant(Int(entry.day), 0))
  }

  /// Adds the notice of an increase that applies after the last day of the world.
  mutating func announceIncrease(toLast membership: Membership) {
    guard membership.flags.contains(.isRunning) else { return }
    let stays = membership.plan != .cancel && membership.plan != .cancelForPrice
    announceIncrease(
      meetingOn: Int(membership.due), stays: stays,
      until: timeline.instant(timeline.lastDay, Timeline.closingTime))
  }

  /// Adds the notice and, if consent is needed and the customer stays, the consent.
  ///
  /// - Parameters:
  ///   - day: The day on which the next period begins, or would begin.
  ///   - stays: Whether the next period begins.
  ///   - limit: The time before which events are visible.
  private mutating func announceIncrease(meetingOn day: Int, stays: Bool, until limit: Instant) {
    guard !isIncreaseAnnounced, let last = history.purchases.last, last.refunded == nil,
      let increase = prices.increase(
        last.terms, from: timeline.day(of: last.purchased), to: endDay),
      increase.step.day <= day
    else { return }
    let needsConsent = increase.step.needsConsent
    let notice = last.product.noticeDays(needsConsent: needsConsent) * Timeline.dayLength
    let announced = max(last.expires - notice, last.purchased + 60_000)
    guard announced < limit else { return }
    isIncreaseAnnounced = true
    guard needsConsent else {
      happen(.priceIncreased(.announced), at: announced)
      return
    }
    happen(.priceIncreased(.consentAsked), at: announced)
    guard stays else { return }
    let agreed = announced + random.below(max(1, last.expires - announced))
    if agreed < limit { happen(.priceIncreased(.consentGiven), at: agreed) }
  }
}

extension Product {
  /// Returns how many days before a renewal Apple announces a higher price: Apple's "Managing prices".
  fileprivate func noticeDays(needsConsent: Bool) -> Int {
    if term.days > 0 { return 7 }
    return needsConsent && term.months > 1 ? 60 : 27
  }
}
