extension World {
  /// Ends a subscription at the end of its period.
  mutating func cancel(_ member: Int, on day: Int, reason: CancellationReason) {
    let membership = memberships[member]
    var event = lifeEvent(EventName(.cancel), membership, on: day)
    event.reason = reason
    if reason == .canceled {
      event.daysBeforeCanceling = random.below(Int(membership.end - membership.start))
    }
    publish(event, of: member)
    commitments?.end(member, .complete, on: day)
    leave(member, on: day)
  }

  /// Starts retries after a failed payment: 60 days, or 90 for an instalment.
  mutating func failToPay(_ member: Int, on day: Int) {
    let membership = memberships[member]
    if membership.terms.instalment > 0 {
      missInstalment(member, on: day)
      return
    }
    let product = Catalog.products[Int(membership.terms.product)]
    let recovery = random.chance(550) ? 1 + min(random.below(59), random.below(59)) : 0
    memberships[member].recovery = UInt8(recovery)
    memberships[member].flags.remove(.isRunning)
    let isStandard = Int(membership.terms.offer) == Offer.standard
    let hasGrace = product.app == 0 && isStandard && random.chance(400)
    guard hasGrace else {
      memberships[member].flags.insert(.isInRetry)
      let name = EventName(.retryFrom, offer: membership.terms.offer)
      publish(lifeEvent(name, membership, on: day), of: member)
      planCollection(member)
      return
    }
    memberships[member].flags.insert(.isInGrace)
    publish(lifeEvent(EventName(.graceFromPaid), membership, on: day), of: member)
    let grace = product.graceDays
    if (1...grace).contains(recovery) {
      plan(member, .recoverInGrace, on: day + recovery)
    } else {
      plan(member, .graceRunsOut, on: day + grace)
    }
  }

  private mutating func planCollection(_ member: Int) {
    let membership = memberships[member]
    let end = Int(membership.renewal)
    if membership.recovery > 0 {
      plan(member, .recover, on: end + Int(membership.recovery))
    } else {
      plan(member, .giveUp, on: end + 60)
    }
  }

  mutating func endGrace(_ member: Int, on day: Int) {
    memberships[member].flags.remove(.isInGrace)
    memberships[member].flags.insert(.isInRetry)
    publish(lifeEvent(EventName(.retryFromGrace), memberships[member], on: day), of: member)
    planCollection(member)
  }

  /// Charges a member whose payment was collected in retry; the next period begins that day.
  mutating func recover(_ member: Int, on day: Int) {
    let membership = memberships[member]
    let offer = membership.chargesLeft > 0 ? Int(membership.terms.offer) : Offer.standard
    let purchase = Purchase(
      product: Int(membership.terms.product), offer: offer, event: EventName(.renewalFromRetry),
      instalment: nextInstalment(membership))
    sell(member, purchase, on: day)
  }

  /// Charges a member whose payment was collected in grace: the billing date stays.
  ///
  /// Service never stopped. The next charge is on the old billing date, before the end that the reports
  /// show.
  mutating func recoverInGrace(_ member: Int, on day: Int) {
    let membership = memberships[member]
    let purchase = Purchase(
      product: Int(membership.terms.product), event: EventName(.renewalFromGrace),
      daysRecovered: day - Int(membership.renewal), keepsBillingDay: true)
    charge(member, purchase, on: day)
    planCharge(member, .renew, on: Int(memberships[member].renewal), Odds(cancel: 0, fail: 0))
  }

  mutating func giveUp(_ member: Int, on day: Int) {
    let membership = memberships[member]
    var event = lifeEvent(EventName(.canceledFromRetry), membership, on: day)
    event.reason = .billingIssue
    publish(event, of: member)
    commitments?.end(member, .defaulted, on: day)
    leave(member, on: day)
  }

  /// Refunds a charge in full, and ends its period if that is running.
  mutating func make(_ refund: PlannedRefund, on day: Int) {
    let (member, sale) = (refund.member, refund.sale)
    let membership = memberships[member]
    let isLast = membership.serial == sale.serial && membership.generation == sale.generation
    if isLast, Int(membership.due) == day {
      // The member has another event today: delay the refund, so that each day has one event.
      refunds.add(refund, on: day + 1)
      return
    }
    let endsPeriod =
      isLast && membership.flags.contains(.isRunning) && day < Int(membership.end)
    addRefund(.fullRefund, of: sale, prices.amounts(sale.terms), copies: refund.copies, on: day)
    for copy in 0..<refund.copies {
      var event = lifeEvent(EventName(.refund), membership, on: day)
      event.terms = sale.terms
      event.serial = sale.serial &- UInt16(copy)
      publish(event, of: member)
    }
    guard endsPeriod else { return }
    var event = lifeEvent(EventName(.cancel), membership, on: day)
    event.reason = .other
    publish(event, of: member)
    (memberships[member].end, memberships[member].renewal) = (Int32(day), Int32(day))
    memberships[member].flags.subtract([.beginsAtMonthsEnd, .continuesLate])
    memberships[member].flags.insert(.endedByRefund)
    commitments?.end(member, .refunded, on: day)
    leave(member, on: day)
    reports?.snapshot?.update(member, memberships[member])
  }

  /// Ends a membership; 15 % come back, within 60 days, within 180 days, or later under a new ID.
  private mutating func leave(_ member: Int, on day: Int) {
    memberships[member].flags.subtract([.isRunning, .isInRetry, .isInGrace])
    memberships[member].plan = .stayAway
    memberships[member].due = -1
    guard random.chance(150), memberships[member].generation < 7 else { return }
    let isShared = memberships[member].flags.contains(.isShared)
    let daysAway = day - Int(memberships[member].renewal)
    let delay =
      switch random.pick([daysAway == 0 ? 30 : 0, 45, isShared ? 0 : 25]) {
      case 0: 3 + random.below(58)
      // After 90 days of retries, a member comes back only after them.
      case 1: daysAway > 60 ? daysAway + 1 + random.below(85) : 61 + random.below(115)
      default: 180 + random.below(150)
      }
    plan(member, .comeBack, on: Int(memberships[member].renewal) + delay)
  }

  /// Adds an event to the journal and, within the window, to the reports.
  mutating func publish(_ event: LifeEvent, of member: Int) {
    addToJournal(event, of: member)
    if event.day >= timeline.firstDay { reports?.add(event) }
  }

  /// Adds an event to the journal only, from which receipts are made.
  mutating func addToJournal(_ event: LifeEvent, of member: Int) {
    journal?.add(
      event, of: member, until: memberships[member].renewal,
      termEnd: commitments?.scheduledEnd(member) ?? 0)
  }
}
