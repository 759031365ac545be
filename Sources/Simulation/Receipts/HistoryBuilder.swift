/// Builds a customer's history, to the millisecond, from a member's events by day.
///
/// Every moment is on the day that the reports give. But a period ends when the next one begins, even
/// if the reports date that a day early or two days late, because the store's days are not the reports'.
struct HistoryBuilder {
  let timeline: Timeline
  let prices: PriceBook
  var history: CustomerHistory
  var random: SeededRandom
  /// The time of day at which the customer is charged.
  var timeOfDay = 0
  /// The day on which the last period is scheduled to end.
  var endDay = 0
  /// Whether the notice of the increase at the end of the last period was already sent.
  var isIncreaseAnnounced = false
  /// Whether the customer has turned off the renewal of the commitment.
  var endsWithTerm = false

  /// Returns the history of a member of a finished world, from its journal.
  ///
  /// It has no purchases if the member made none.
  static func history(of member: Int, in world: World, _ journal: Journal) -> CustomerHistory {
    let membership = world.memberships[member]
    let seed = world.options.seed
    var builder = HistoryBuilder(
      timeline: world.timeline, prices: world.prices,
      history: CustomerHistory(
        customer: member, storefront: Catalog.storefronts[Int(membership.terms.storefront)],
        accountToken: membership.person % 2 == 0
          ? ReceiptID(seed: seed).uuid(1, Int(membership.person)) : nil),
      random: SeededRandom(seed: seed, stream: 1 << 32 + UInt64(member)))
    for entry in journal.entries(of: member) {
      builder.announceIncrease(before: entry)
      builder.add(entry)
    }
    builder.announceIncrease(toLast: membership)
    builder.close(membership)
    return builder.history
  }

  private mutating func add(_ entry: Journal.Entry) {
    switch entry.verb {
    case .subscribe, .start, .reactivate: start(entry)
    case .renew, .paidFrom, .offerFromPaid, .sameOffer: renew(entry)
    case .change: entry.change == .upgrade ? upgrade(entry) : change(entry)
    case .renewalFromRetry: recover(entry)
    case .renewalFromGrace: recoverInGrace(entry)
    case .retryFrom: happen(.paymentFailed(graceEnd: nil), at: lastExpiry)
    case .graceFromPaid: happen(.paymentFailed(graceEnd: graceEnd), at: lastExpiry)
    case .retryFromGrace: happen(.graceExpired, at: graceEnd)
    case .canceledFromRetry:
      happen(.expired(.billingIssue), at: lastExpiry + entry.terms.retryDays * Timeline.dayLength)
    case .cancel: cancel(entry)
    case .refund: refund(entry)
    case .turnOff: turnOffRenewal(entry)
    case .unknown: break
    }
  }

  /// Moves the last period's end to the planned renewal, if they are at most 2 days apart; sorts the events.
  private mutating func close(_ membership: Membership) {
    if let last = history.purchases.indices.last, membership.plan == .renew,
      abs(Int(membership.due) - endDay) <= 2
    {
      history.purchases[last].expires = timeline.instant(Int(membership.due), timeOfDay)
    }
    history.events.sort { $0.date < $1.date }
  }

  // MARK: Charges

  private mutating func start(_ entry: Journal.Entry) {
    if history.purchases.last?.purchased == timeline.instant(Int(entry.day), timeOfDay) {
      timeOfDay += 180_000
    } else {
      timeOfDay = anyTime()
    }
    purchase(entry, .start, at: timeline.instant(Int(entry.day), timeOfDay))
  }

  /// Adds the next period; sometimes the store collects some minutes late.
  private mutating func renew(_ entry: Journal.Entry) {
    let day = Int(entry.day)
    guard day - endDay <= 2, let last = history.purchases.indices.last else {
      happen(.paymentFailed(graceEnd: nil), at: lastExpiry)
      recover(entry)
      return
    }
    choosePlan(entry)
    history.purchases[last].expires = timeline.instant(day, timeOfDay)
    let gap = random.chance(60) ? random.below(50 * 60_000) : 0
    if timeOfDay + gap < Timeline.closingTime { timeOfDay += gap }
    purchase(entry, .renewal, at: timeline.instant(day, timeOfDay))
  }

  private mutating func change(_ entry: Journal.Entry) {
    happenBefore(lastExpiry, days: random.below(6), .productChosen(Int(entry.terms.product)))
    renew(entry)
  }

  private mutating func upgrade(_ entry: Journal.Entry) {
    timeOfDay = anyTime()
    let moment = timeline.instant(Int(entry.day), timeOfDay)
    if let last = history.purchases.indices.last {
      history.purchases[last].upgraded = moment
    }
    purchase(entry, .upgrade, at: moment)
  }

  /// Adds a recovery after the period's end: a new billing cycle begins on the day of collection.
  private mutating func recover(_ entry: Journal.Entry) {
    timeOfDay = anyTime()
    purchase(entry, .recovery, at: timeline.instant(Int(entry.day), timeOfDay))
  }

  /// Adds a recovery within the grace period, which keeps the billing date.
  private mutating func recoverInGrace(_ entry: Journal.Entry) {
    purchase(entry, .recovery, at: timeline.instant(Int(entry.day), anyTime()))
  }

  private mutating func purchase(
    _ entry: Journal.Entry, _ cause: Purchase.Cause, at moment: Instant
  ) {
    endDay = Int(entry.end)
    isIncreaseAnnounced = false
    if entry.terms.instalment <= 1 { endsWithTerm = false }
    history.purchases.append(
      Purchase(
        serial: Int(entry.serial), terms: entry.terms, cause: cause, purchased: moment,
        expires: timeline.instant(endDay, timeOfDay), termEnds: termEnd(entry)))
    happen(.purchased, at: moment)
  }

  // MARK: Endings

  private mutating func cancel(_ entry: Journal.Entry) {
    switch entry.reason {
    case .canceled where endsWithTerm: break
    case .canceled:
      happenBefore(lastExpiry, days: Int(entry.daysBeforeCanceling), .renewalDisabled)
    case .priceConsent where !isIncreaseAnnounced:
      happenBefore(lastExpiry, days: 27, .priceIncreased(.consentAsked))
    case .priceConsent: break
    // A refund ended the period, which already has its event.
    case .none, .billingIssue, .other: return
    }
    happen(.expired(entry.reason), at: lastExpiry)
  }

  private mutating func refund(_ entry: Journal.Entry) {
    guard
      let place = history.purchases.lastIndex(where: { $0.serial == Int(entry.serial) })
    else { return }
    let moment = timeline.instant(Int(entry.day), anyTime())
    history.purchases[place].refunded = moment
    happen(.refunded, at: moment, to: place)
  }

  // MARK: Moments

  var lastExpiry: Instant { history.purchases.last?.expires ?? 0 }

  private var graceEnd: Instant {
    lastExpiry + (history.purchases.last?.product.graceDays ?? 0) * Timeline.dayLength
  }

  mutating func happen(
    _ kind: CustomerEvent.Kind, at moment: Instant, to purchase: Int? = nil
  ) {
    history.events.append(
      CustomerEvent(kind: kind, date: moment, purchase: purchase ?? history.purchases.count - 1))
  }

  /// Adds an event some days before a period's end, but after the period's beginning.
  mutating func happenBefore(_ end: Instant, days: Int, _ kind: CustomerEvent.Kind) {
    let begin = history.purchases.last?.purchased ?? end
    let moment = end - days * Timeline.dayLength - random.below(Timeline.dayLength / 4)
    happen(kind, at: max(moment, begin + 60_000))
  }

  /// Returns a time of day, from 1:00 on, that leaves room for some minutes of delay.
  private mutating func anyTime() -> Int {
    3_600_000 + random.below(Timeline.closingTime - 4 * 3_600_000)
  }
}

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
  /// `day` is the one on which the next period begins, or would begin; later events than `limit` are not visible.
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
