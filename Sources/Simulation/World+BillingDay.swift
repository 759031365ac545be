/// The ends of periods in months: a subscription that was bought on the 31st renews on the 28th or the 30th and then on
/// the 31st again.
extension World {
  /// Days by which a charge may be early and still belong to a run.
  private static let earliest = -3

  /// Sets the end of a new period, as reports show it, and the day on which the store charges the next.
  ///
  /// The membership has the terms of the new charge; `old` is the member before it.
  func setEnd(
    _ membership: inout Membership, after old: Membership, _ purchase: Purchase, on day: Int
  ) {
    let term =
      purchase.instalment > 0
      ? Term.month : Offer.all[purchase.offer].term(of: Catalog.products[purchase.product])
    membership.start = Int32(day)
    membership.flags.subtract([.beginsAtMonthsEnd, .continuesLate])
    guard term.months > 0 else {
      (membership.billingDay, membership.runDay) = (0, 0)
      membership.end = Int32(day + term.days)
      membership.renewal =
        purchase.keepsBillingDay ? old.renewal + Int32(term.days) : membership.end
      return
    }
    let isSame = old.billingDay > 0 && !purchase.isNew && mayShareRun(old, membership.terms)
    let isContinued = isSame && old.isContinued(by: membership.terms, on: day)
    if !isContinued && !purchase.keepsBillingDay {
      membership.billingDay = timeline.dayOfMonth(day)
    }
    if isContinued, goesOn(old, on: day) {
      membership.end = Int32(
        timeline.end(ofMonths: term.months, from: Int(old.end), billingDay: old.runDay))
    } else {
      membership.runDay = timeline.dayOfMonth(day)
      membership.end = Int32(timeline.end(ofMonths: term.months, from: day))
      setFlagsOfMonthsEnd(&membership)
    }
    membership.renewal = Int32(
      purchase.keepsBillingDay
        ? timeline.end(
          ofMonths: term.months, from: Int(old.renewal), billingDay: membership.billingDay)
        : nextCharge(membership))
  }

  /// Returns whether charges are of the same product, and paid in the same way.
  ///
  /// Reports do not say how a free charge of a product that is sold in instalments is paid.
  private func mayShareRun(_ old: Membership, _ next: ChargeTerms) -> Bool {
    guard old.isSameProduct(next) else { return false }
    let isSold = commitments != nil && Catalog.products[Int(next.product)].term.months == 12
    return !isSold || old.flags.contains(.isPaid) == (prices.amounts(next).price > 0)
  }

  /// Returns whether a charge that continues the last period belongs to its run, as far as reports show.
  private func goesOn(_ old: Membership, on day: Int) -> Bool {
    let isSeen = Int(old.start) >= timeline.firstDay || day < timeline.firstDay
    let days = day - Int(old.end)
    guard isSeen, days >= Self.earliest else { return false }
    return days <= 0 || !old.flags.contains(.beginsAtMonthsEnd)
      || timeline.lastOfMonth(day) != timeline.lastOfMonth(Int(old.end))
  }

  private func setFlagsOfMonthsEnd(_ membership: inout Membership) {
    let (start, end) = (Int(membership.start), Int(membership.end))
    guard timeline.lastOfMonth(start) == start else { return }
    membership.flags.insert(.beginsAtMonthsEnd)
    if timeline.lastOfMonth(end) - end > Membership.toleranceDays {
      membership.flags.insert(.continuesLate)
    }
  }

  /// Returns the end of a period or, if the reports have only its charge at the end of a month, the later day of that
  /// month on which the store charges.
  private func nextCharge(_ membership: Membership) -> Int {
    let end = Int(membership.end)
    guard membership.flags.contains(.beginsAtMonthsEnd) else { return end }
    return max(end, timeline.end(ofMonths: 0, from: end, billingDay: membership.billingDay))
  }

  /// Returns the day of a renewal for a random number below 1,000: the due day if it is below `punctual`, otherwise a day
  /// early or one or two days late.
  func chargeDay(_ membership: Membership, _ chance: Int, punctual: Int) -> Int {
    let due = Int(membership.renewal)
    let day =
      switch chance {
      case ..<punctual: due
      case ..<930: due - 1
      case ..<985: due + 1
      default: due + 2
      }
    // In the next month it would be late in the reports.
    return due == membership.end ? day : min(day, timeline.lastOfMonth(due))
  }
}

extension Membership {
  /// Days by which a charge may be late and still continue a period in the reports.
  static let toleranceDays = 2

  /// Returns whether the next charge is of the same product, and in instalments as this one or not.
  func isSameProduct(_ next: ChargeTerms) -> Bool {
    next.product == terms.product && (next.instalment > 0) == (terms.instalment > 0)
  }

  /// Returns whether a charge continues the last period in the reports.
  func isContinued(by next: ChargeTerms, on day: Int) -> Bool {
    let isLate = flags.contains(.continuesLate) && isSameProduct(next)
    return day - Int(end) <= Self.toleranceDays + (isLate ? 1 : 0)
  }
}
