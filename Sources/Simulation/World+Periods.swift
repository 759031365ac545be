extension World {
  // MARK: Deciding

  /// Chances, per mille, of cancellation, failed payment, upgrade, change of product and promotional offer.
  struct Odds {
    let cancel: Int
    let fail: Int
    var upgrade = 0
    var change = 0
    var promote = 0

    /// The chances of each, in this order, and of none of them.
    var weights: [Int] {
      let chances = [cancel, fail, upgrade, change, promote]
      return chances + [1_000 - chances.reduce(0, +)]
    }
  }

  /// Plans what follows a period that has just begun.
  mutating func planPeriod(_ member: Int, mayBeRefunded: Bool = true) {
    let membership = memberships[member]
    if membership.terms.instalment > 0 {
      planInstalment(member)
      return
    }
    if mayBeRefunded, membership.flags.contains(.isPaid), random.chance(18) {
      planRefund(member, after: 1 + min(random.below(60), random.below(60)), copies: 1)
    }
    let end = Int(membership.renewal)
    let odds = odds(membership)
    noteIncrease(member, odds)
    let next = random.pick(odds.weights)
    if pricesRise(membership), random.chance(120) {
      plan(member, .cancelForPrice, on: end)
      return
    }
    switch next {
    case 0: plan(member, .cancel, on: end)
    case 1: plan(member, .failToPay, on: end)
    case 2 where canUpgrade(memberships[member]):
      let product = random.element(of: Self.higherProducts(membership))
      planUpgrade(member, to: product, after: random.below(Self.daysToUpgrade(membership)))
    case 3: planCharge(member, .change, on: end, odds)
    case 4:
      let offers = Offer.indexes(of: .promotional, product: Int(membership.terms.product))
      memberships[member].target = UInt8(random.element(of: offers))
      planCharge(member, .promote, on: end, odds)
    default: planCharge(member, .renew, on: renewalDay(membership), odds)
    }
  }

  private func odds(_ membership: Membership) -> Odds {
    let offer = Offer.all[Int(membership.terms.offer)]
    let product = Catalog.products[Int(membership.terms.product)]
    if membership.chargesLeft > 0 { return Odds(cancel: 90, fail: 30) }
    if offer.isTrial { return Odds(cancel: 360, fail: 50, upgrade: 20) }
    if offer.payment == .freeTrial { return Odds(cancel: 300, fail: 50) }
    if offer.family != .standard { return Odds(cancel: 180, fail: 40) }
    // Members cancel twice as often in their first paid period.
    let factor = membership.consecutive <= 1 ? 2 : 1
    return switch product.term.text {
    case Term.week.text: Odds(cancel: 45 * factor, fail: 30, change: 8)
    case Term.month.text:
      Odds(cancel: 45 * factor, fail: 40, upgrade: 12, change: 10, promote: 15)
    case Term.quarter.text: Odds(cancel: 150 * factor, fail: 45, upgrade: 20, change: 20)
    default: Odds(cancel: 180 * factor, fail: 50, upgrade: 30, change: 20, promote: 30)
    }
  }

  /// Returns whether the next charge would be the first after the catalogue's own price rise, not a planted one.
  private func pricesRise(_ membership: Membership) -> Bool {
    let product = Catalog.products[Int(membership.terms.product)]
    guard membership.terms.pricing == .earlier, !product.preservesPrice else { return false }
    return Int(membership.end) >= riseDays[Int(membership.terms.product)]
  }

  /// Draws the day of a renewal, as reports date it: mostly the due day, some a day early, or one or two days late.
  ///
  /// After a trial it is up to 4 days late, never early.
  private mutating func renewalDay(_ membership: Membership) -> Int {
    let due = Int(membership.renewal)
    let chance = random.below(1_000)
    let isTrial = Offer.all[Int(membership.terms.offer)].isTrial
    if isTrial { return chance < 880 ? due : due + chance % 5 }
    return chargeDay(membership, chance, punctual: 840)
  }

  /// Plans an upgrade a number of days after the second day of the period.
  mutating func planUpgrade(_ member: Int, to product: Int, after days: Int) {
    memberships[member].target = UInt8(product)
    plan(member, .upgrade, on: Int(memberships[member].start) + 1 + days)
  }

  /// Returns the indexes of the products of the group with the highest level of service, 1.
  static func higherProducts(_ membership: Membership) -> [Int] {
    Catalog.group(of: Int(membership.terms.product)).filter { Catalog.products[$0].level == 1 }
  }

  func canUpgrade(_ membership: Membership) -> Bool {
    Catalog.products[Int(membership.terms.product)].level == 2 && Self.daysToUpgrade(membership) > 0
      && !membership.flags.contains(.willBeRefunded)
  }

  /// Returns the number of days on which an upgrade can be: from the second day to the fourth before the period's end.
  static func daysToUpgrade(_ membership: Membership) -> Int {
    Int(membership.end - membership.start) - 4
  }

  /// Plans a full refund of the last charge.
  mutating func planRefund(_ member: Int, after days: Int, copies: Int) {
    let membership = memberships[member]
    let day = Int(membership.start) + days
    guard day <= timeline.lastDay else { return }
    memberships[member].flags.insert(.willBeRefunded)
    refunds.add(PlannedRefund(member: member, sale: membership, copies: copies), on: day)
  }

  // MARK: Renewing

  /// Charges the next period of the same product: in its offer, or at the standard price after it.
  mutating func renew(_ member: Int, on day: Int) {
    let membership = memberships[member]
    let offer = Int(membership.terms.offer)
    let staysInOffer = membership.chargesLeft > 0
    let event: EventName =
      if staysInOffer {
        EventName(.sameOffer, offer: membership.terms.offer)
      } else if offer != Offer.standard {
        EventName(.paidFrom, offer: membership.terms.offer)
      } else {
        EventName(.renew)
      }
    let beginsToPay = !staysInOffer && Offer.all[offer].isTrial
    let product = Int(membership.terms.product)
    let purchase = Purchase(
      product: product, offer: staysInOffer ? offer : Offer.standard, event: event,
      instalment: beginsToPay
        ? firstInstalment(member, of: product, on: day) : nextInstalment(membership))
    sell(member, purchase, on: day)
  }

  /// Charges the next period in the promotional offer that was planned.
  mutating func promote(_ member: Int, on day: Int) {
    let membership = memberships[member]
    let purchase = Purchase(
      product: Int(membership.terms.product), offer: Int(membership.target),
      event: EventName(.offerFromPaid, offer: membership.target))
    sell(member, purchase, on: day)
  }

  /// Charges another product of the group, not a higher one, from the next period on.
  mutating func changeProduct(_ member: Int, on day: Int) {
    let old = Int(memberships[member].terms.product)
    let others = Catalog.group(of: old).filter {
      $0 != old && Catalog.products[$0].level >= Catalog.products[old].level
    }
    let product = random.element(of: others)
    let event = EventName(.change, change: Self.change(from: old, to: product))
    sell(member, Purchase(product: product, event: event), on: day)
  }

  /// Charges a higher product at once, and refunds the rest of the period.
  mutating func upgrade(_ member: Int, on day: Int) {
    let membership = memberships[member]
    if membership.flags.contains(.isPaid) {
      let share = PriceBook.share(
        of: prices.amounts(membership.terms), days: Int(membership.end) - day,
        length: Int(membership.end - membership.start))
      addRefund(.partialRefund, of: membership, share, on: day)
    }
    let event = EventName(.change, offer: membership.terms.offer, change: .upgrade)
    sell(member, Purchase(product: Int(membership.target), event: event), on: day)
  }

  /// Adds a refund to the truth, if it is in the window, and to the reports.
  ///
  /// `sale` is the membership as it was after the charge, `amounts` what is refunded of one of `copies` equal
  /// charges.
  mutating func addRefund(
    _ kind: Transaction.Kind, of sale: Membership, _ amounts: Amounts, copies: Int = 1, on day: Int
  ) {
    let refund = Transaction(
      kind: kind, terms: sale.terms, amounts: amounts, subscriberID: subscriberID(sale),
      isFirstOfNewID: false, isNew: sale.flags.contains(.isNew), day: day,
      purchaseDay: Int(sale.start), copies: copies)
    if day >= timeline.firstDay { truth.addRefund(refund) }
    reports?.add(refund)
  }
}
