extension World {
  // MARK: Deciding

  /// Chances, per mille, of cancellation, failed payment, upgrade, change of product and promotional offer.
  struct Fates {
    let cancel: Int
    let fail: Int
    var upgrade = 0
    var change = 0
    var promote = 0
  }

  /// Plans what follows a period that has just begun.
  mutating func planPeriod(_ member: Int, on day: Int, mayBeRefunded: Bool = true) {
    let membership = memberships[member]
    if membership.instalment > 0 {
      planInstalment(member, on: day)
      return
    }
    if mayBeRefunded, membership.flags.contains(.isPaid), random.chance(18) {
      planRefund(member, after: 1 + min(random.below(60), random.below(60)), copies: 1)
    }
    let end = Int(membership.end)
    let fates = fates(membership)
    noteIncrease(member, fates)
    var chance = random.below(1_000)
    let priceRises = pricesRise(membership)
    if priceRises, random.chance(120) {
      plan(member, .cancelForPrice, on: end)
      return
    }
    if chance < fates.cancel {
      plan(member, .cancel, on: end)
      return
    }
    chance -= fates.cancel
    if chance < fates.fail {
      plan(member, .failToPay, on: end)
      return
    }
    chance -= fates.fail
    if chance < fates.upgrade, planUpgrade(member) { return }
    chance -= fates.upgrade
    if (0..<fates.change).contains(chance) {
      planCharge(member, .change, on: end, fates)
      return
    }
    chance -= fates.change
    if (0..<fates.promote).contains(chance), planPromotion(member) {
      planCharge(member, .promote, on: end, fates)
      return
    }
    planCharge(member, .renew, on: renewalDay(membership), fates)
  }

  private func fates(_ membership: Membership) -> Fates {
    let offer = Offer.all[Int(membership.offer)]
    let product = Catalog.products[Int(membership.product)]
    if membership.chargesLeft > 0 { return Fates(cancel: 90, fail: 30) }
    if offer.isTrial { return Fates(cancel: 360, fail: 50, upgrade: 20) }
    if offer.payment == .freeTrial { return Fates(cancel: 300, fail: 50) }
    if offer.family != .standard { return Fates(cancel: 180, fail: 40) }
    let newcomers = membership.consecutive <= 1 ? 2 : 1
    return switch product.term.text {
    case Term.week.text: Fates(cancel: 45 * newcomers, fail: 30, change: 8)
    case Term.month.text:
      Fates(cancel: 45 * newcomers, fail: 40, upgrade: 12, change: 10, promote: 15)
    case Term.quarter.text: Fates(cancel: 150 * newcomers, fail: 45, upgrade: 20, change: 20)
    default: Fates(cancel: 180 * newcomers, fail: 50, upgrade: 30, change: 20, promote: 30)
    }
  }

  /// Returns whether the next charge would be the first after a price rise.
  private func pricesRise(_ membership: Membership) -> Bool {
    let product = Catalog.products[Int(membership.product)]
    guard membership.pricing == .earlier, !product.preservesPrice else { return false }
    return Int(membership.end) >= riseDays[Int(membership.product)]
  }

  /// Draws the day of a renewal: mostly the due day, some a day early, or one or two days late.
  ///
  /// After a trial it is up to 4 days late, never early. Days are those of the reports.
  private mutating func renewalDay(_ membership: Membership) -> Int {
    let end = Int(membership.end)
    let chance = random.below(1_000)
    if Offer.all[Int(membership.offer)].isTrial { return chance < 880 ? end : end + chance % 5 }
    if chance < 840 { return end }
    if chance < 930 { return end - 1 }
    return chance < 985 ? end + 1 : end + 2
  }

  private mutating func planUpgrade(_ member: Int) -> Bool {
    let membership = memberships[member]
    let product = Catalog.products[Int(membership.product)]
    guard canUpgrade(membership) else { return false }
    let higher = Catalog.products.indices.filter {
      Catalog.products[$0].app == product.app && Catalog.products[$0].level == 1
    }
    memberships[member].target = UInt8(higher[random.below(higher.count)])
    let days = Self.daysToUpgrade(membership)
    plan(member, .upgrade, on: Int(membership.start) + 1 + random.below(days))
    return true
  }

  func canUpgrade(_ membership: Membership) -> Bool {
    Catalog.products[Int(membership.product)].level == 2 && Self.daysToUpgrade(membership) > 0
      && !membership.flags.contains(.willBeRefunded)
  }

  private static func daysToUpgrade(_ membership: Membership) -> Int {
    Int(membership.end - membership.start) - 4
  }

  /// Chooses a promotional offer of the same product for the next period, if there is one.
  private mutating func planPromotion(_ member: Int) -> Bool {
    let membership = memberships[member]
    let offers = Offer.indexes(of: .promotional, product: Int(membership.product))
    guard !offers.isEmpty else { return false }
    memberships[member].target = UInt8(offers[random.below(offers.count)])
    return true
  }

  /// Plans a full refund of the last charge.
  mutating func planRefund(_ member: Int, after days: Int, copies: Int) {
    let membership = memberships[member]
    let day = Int(membership.start) + days
    guard day < refunds.count else { return }
    memberships[member].flags.insert(.willBeRefunded)
    refunds[day].append(
      PlannedRefund(
        member: Int32(member), serial: membership.serial, generation: membership.generation,
        copies: UInt8(copies), purchaseDay: membership.start,
        isNew: membership.flags.contains(.isNew), terms: membership.terms))
  }

  // MARK: Going on

  /// Charges the next period of the same product: in its offer, or at the standard price after it.
  mutating func renew(_ member: Int, on day: Int) {
    let membership = memberships[member]
    let offer = Int(membership.offer)
    let staysInOffer = membership.chargesLeft > 0
    let event: EventName =
      if staysInOffer {
        EventName(.sameOffer, offer: membership.offer)
      } else if offer != Offer.standard {
        EventName(.paidFrom, offer: membership.offer)
      } else {
        EventName(.renew)
      }
    let beginsToPay = !staysInOffer && Offer.all[offer].isTrial
    let product = Int(membership.product)
    charge(
      member,
      Purchase(
        product: product, offer: staysInOffer ? offer : Offer.standard, event: event,
        instalment: beginsToPay
          ? firstInstalment(member, of: product, on: day) : nextInstalment(membership)),
      on: day)
    planPeriod(member, on: day)
  }

  mutating func promote(_ member: Int, on day: Int) {
    let membership = memberships[member]
    charge(
      member,
      Purchase(
        product: Int(membership.product), offer: Int(membership.target),
        event: EventName(.offerFromPaid, offer: membership.target)),
      on: day)
    planPeriod(member, on: day)
  }

  /// Charges another product of the group, not a higher one, from the next period on.
  mutating func changeProduct(_ member: Int, on day: Int) {
    let old = Int(memberships[member].product)
    let others = Catalog.products.indices.filter {
      $0 != old && Catalog.products[$0].app == Catalog.products[old].app
        && Catalog.products[$0].level >= Catalog.products[old].level
    }
    let product = others[random.below(others.count)]
    charge(
      member,
      Purchase(
        product: product, event: EventName(.change, change: Self.change(from: old, to: product))),
      on: day)
    planPeriod(member, on: day)
  }

  /// Charges a higher product at once, and refunds the rest of the period.
  mutating func upgrade(_ member: Int, on day: Int) {
    let membership = memberships[member]
    if membership.flags.contains(.isPaid) {
      let share = PriceBook.share(
        of: prices.amounts(membership.terms), days: Int(membership.end) - day,
        length: Int(membership.end - membership.start))
      addRefund(
        Transaction(
          kind: .partialRefund, terms: membership.terms, amounts: share,
          subscriberID: subscriberID(membership), isFirstOfNewID: false,
          isNew: membership.flags.contains(.isNew), day: day,
          purchaseDay: Int(membership.start)))
    }
    charge(
      member,
      Purchase(
        product: Int(membership.target),
        event: EventName(.change, offer: membership.offer, change: .upgrade)),
      on: day)
    planPeriod(member, on: day)
  }

  /// Adds a refund to the truth, if it is in the window, and to the reports.
  mutating func addRefund(_ transaction: Transaction) {
    if transaction.day >= timeline.firstDay { truth.addRefund(transaction) }
    reports?.add(transaction)
  }
}
