/// What customers are told of a higher price before their next renewal.
extension HistoryBuilder {
  /// Tells the customer of the increase that the last period's end meets, as an entry shows.
  mutating func tellOfIncrease(before entry: Journal.Entry) {
    tellOfIncrease(
      meetingOn: Int(entry.day), stays: entry.verb != .cancel,
      until: timeline.instant(Int(entry.day), 0))
  }

  /// Tells the customer of the increase that is still ahead when the world ends.
  mutating func tellOfIncrease(toLast membership: Membership) {
    guard membership.flags.contains(.isRunning) else { return }
    let stays = membership.plan != .cancel && membership.plan != .cancelForPrice
    tellOfIncrease(
      meetingOn: Int(membership.due), stays: stays,
      until: timeline.instant(timeline.lastDay, Timeline.closingTime))
  }

  /// Adds the notice and, if it is needed, the consent of those who stay, as far as they are known.
  ///
  /// - Parameters:
  ///   - day: The day on which the period is followed by another, or not.
  ///   - stays: Whether it is.
  ///   - known: The moment up to which something may be told.
  private mutating func tellOfIncrease(meetingOn day: Int, stays: Bool, until known: Instant) {
    guard !knowsIncrease, let last = history.purchases.last, last.refunded == nil,
      let increase = prices.increase(
        last.terms, from: timeline.day(of: last.purchased), to: endDay),
      increase.step.day <= day
    else { return }
    let needsConsent = increase.step.needsConsent
    let notice = last.product.noticeDays(needsConsent: needsConsent) * Timeline.dayLength
    let told = max(last.expires - notice, last.purchased + 60_000)
    guard told < known else { return }
    knowsIncrease = true
    guard needsConsent else {
      happen(.priceIncreased(.announced), at: told)
      return
    }
    happen(.priceIncreased(.consentAsked), at: told)
    guard stays else { return }
    let agreed = told + random.below(max(1, last.expires - told))
    if agreed < known { happen(.priceIncreased(.consentGiven), at: agreed) }
  }
}

extension Product {
  /// How many days before a renewal its higher price is told: Apple's "Managing prices".
  fileprivate func noticeDays(needsConsent: Bool) -> Int {
    if term.days > 0 { return 7 }
    return needsConsent && term.months > 1 ? 60 : 27
  }
}
