extension World {
  /// The description of a charge to make.
  struct Purchase {
    var product: Int
    var offer = Offer.standard
    var event: EventName
    /// Whether it begins a subscription: the first one, or one after a lapse.
    var isNew = false
    var daysCanceled: Int?
    var daysRecovered: Int?
    /// The number of equal charges made at once.
    var copies = 1
    /// The position in a commitment, from 1; 0 for a charge that is no instalment.
    var instalment = 0
    /// Whether the store charges the next period on the old billing date.
    var keepsBillingDay = false
  }

  /// Charges a member, free or paid, and begins a new period.
  mutating func charge(_ member: Int, _ purchase: Purchase, on day: Int) {
    var membership = memberships[member]
    let previousProduct = membership.terms.product
    let offer = Offer.all[purchase.offer]
    let isChange = Int(previousProduct) != purchase.product
    let old = membership
    setTerms(&membership, purchase, isChange: isChange, on: day)
    let amounts = prices.amounts(membership.terms)
    let isPaid = amounts.price > 0
    truth.settle(old, next: membership.terms, isPaid: isPaid, on: day)
    truth.increases.settle(old, next: membership.terms, amounts, on: day)
    truth.addStart(membership, isPaid: isPaid, on: day)
    let subscriberID = subscriberID(membership)
    setEnd(&membership, after: old, purchase, on: day)
    commitments?.add(member, membership, amounts, subscriberID: subscriberID)
    if isPaid { membership.paidDays += membership.end - membership.start }
    if offer.family == .standard { membership.consecutive += 1 }
    membership.serial &+= UInt16(purchase.copies)
    let isFirstOfNewID = membership.flags.contains(.hasNewID)
    setFlags(&membership, isPaid: isPaid, isNew: purchase.isNew)
    memberships[member] = membership
    let transaction = Transaction(
      kind: .charge, terms: membership.terms, amounts: amounts,
      subscriberID: subscriberID, isFirstOfNewID: isFirstOfNewID,
      isNew: purchase.isNew, day: day, purchaseDay: day, copies: purchase.copies)
    if day >= timeline.firstDay { truth.addCharge(transaction) }
    reports?.add(transaction)
    for copy in 1...purchase.copies {
      var event = lifeEvent(purchase.event, membership, on: day)
      event.serial &-= UInt16(purchase.copies - copy)
      event.previousProduct = isChange ? previousProduct : nil
      event.daysCanceled = purchase.daysCanceled
      event.daysRecovered = purchase.daysRecovered
      publish(event, of: member)
    }
  }

  /// Charges a member, and plans what follows the new period.
  mutating func sell(_ member: Int, _ purchase: Purchase, on day: Int) {
    charge(member, purchase, on: day)
    planPeriod(member)
  }

  private func setTerms(
    _ membership: inout Membership, _ purchase: Purchase, isChange: Bool, on day: Int
  ) {
    let product = Catalog.products[purchase.product]
    let isBeforeRise = day < riseDays[purchase.product]
    if purchase.isNew {
      membership.consecutive = 0
      if day - Int(membership.end) > 60 { membership.paidDays = 0 }
    }
    if purchase.isNew || isChange {
      membership.flags.remove(.keepsEarlierPrice)
      if product.preservesPrice && isBeforeRise { membership.flags.insert(.keepsEarlierPrice) }
    }
    let offer = Offer.all[purchase.offer]
    let continues = !purchase.isNew && Int(membership.terms.offer) == purchase.offer
    membership.chargesLeft =
      UInt8(continues && membership.chargesLeft > 0 ? Int(membership.chargesLeft) : offer.charges)
      - 1
    membership.terms.product = UInt8(purchase.product)
    membership.terms.offer = UInt8(purchase.offer)
    membership.terms.instalment = UInt8(purchase.instalment)
    membership.terms.commission = prices.commission(of: membership.terms.storefront, on: day)
    membership.terms.isContingent = false
    membership.terms.isAfterOneYear = membership.paidDays >= 365
    // The price of an instalment is fixed for the term.
    guard purchase.instalment <= 1 else { return }
    membership.terms.pricing = .current
    if offer.family == .standard, product.earlierPrices != nil {
      if isBeforeRise {
        membership.terms.pricing = .earlier
      } else if membership.flags.contains(.keepsEarlierPrice) {
        membership.terms.pricing = .preserved
      }
    }
    setStep(&membership, startsAnew: purchase.isNew || isChange, on: day)
    membership.terms.isContingent = isContingent(membership, on: day)
  }

  /// Sets the number of the planted price that applies to the charge, if there are planted prices.
  private func setStep(_ membership: inout Membership, startsAnew: Bool, on day: Int) {
    guard let schedule = prices.schedule(membership.terms) else {
      membership.terms.step = 0
      return
    }
    let step =
      startsAnew
      ? schedule.listed(on: day) : schedule.following(Int(membership.terms.step), on: day)
    membership.terms.step = UInt8(step)
    if schedule.isPreserved(step, on: day) { membership.terms.pricing = .preserved }
  }

  private func setFlags(_ membership: inout Membership, isPaid: Bool, isNew: Bool) {
    membership.flags.subtract([
      .endedByRefund, .willBeRefunded, .hasNewID, .isInRetry, .isInGrace, .isPaid, .isNew,
    ])
    membership.flags.formUnion([.hasCharge, .isRunning])
    if isPaid { membership.flags.formUnion([.isPaid, .hasPaid]) }
    if isNew { membership.flags.insert(.isNew) }
  }

  /// Returns an event with a member's current terms and state.
  func lifeEvent(_ name: EventName, _ membership: Membership, on day: Int) -> LifeEvent {
    LifeEvent(
      name: name, terms: membership.terms, state: membership.state,
      consecutive: Int(membership.consecutive), originalStart: Int(membership.originalStart),
      day: day, serial: membership.serial)
  }

  // MARK: Beginning

  mutating func join(_ member: Int, on day: Int) {
    memberships[member].originalStart = Int32(day)
    let product = Int(memberships[member].terms.product)
    if member % 97 == 5 {
      joinTwice(member, product, on: day)
      return
    }
    let offer = offer(for: product, [.standard, .introductory, .offerCode], [46, 46, 8])
    let event = EventName(offer == Offer.standard ? .subscribe : .start, offer: UInt8(offer))
    begin(member, Purchase(product: product, offer: offer, event: event, isNew: true), on: day)
  }

  /// Draws an offer of one of some families for a product; the standard price if it has none.
  private mutating func offer(
    for product: Int, _ families: [Offer.Family], _ weights: [Int]
  ) -> Int {
    let offers = Offer.indexes(of: families[random.pick(weights)], product: product)
    return offers.isEmpty ? Offer.standard : random.element(of: offers)
  }

  /// Begins a subscription; at the standard price perhaps in instalments.
  private mutating func begin(_ member: Int, _ purchase: Purchase, on day: Int) {
    var purchase = purchase
    if purchase.offer == Offer.standard {
      purchase.instalment = firstInstalment(member, of: purchase.product, on: day)
    }
    sell(member, purchase, on: day)
  }

  /// Lets a member buy the same product twice on one day by mistake, and plans the refund of both.
  private mutating func joinTwice(_ member: Int, _ product: Int, on day: Int) {
    let event = EventName(.subscribe)
    charge(member, Purchase(product: product, event: event, isNew: true, copies: 2), on: day)
    planRefund(member, after: 1 + random.below(4), copies: 2)
    planPeriod(member, mayBeRefunded: false)
  }

  mutating func comeBack(_ member: Int, on day: Int) {
    let gap = day - Int(memberships[member].end)
    if gap >= 180 {
      truth.settle(memberships[member], next: memberships[member].terms, isPaid: true, on: day)
      truth.increases.close(memberships[member])
      memberships[member].flags.subtract([.isPaid, .hasCharge, .keepsEarlierPrice])
      memberships[member].flags.insert(.hasNewID)
      memberships[member].generation += 1
      memberships[member].originalStart = Int32(day)
      memberships[member].terms.offer = 0
    }
    let (product, change) = productOfReturn(member)
    let hasPaid = memberships[member].flags.contains(.hasPaid)
    let weights = [60, hasPaid ? 15 : 0, hasPaid ? 25 : 0]
    let offer = offer(for: product, [.standard, .promotional, .winBack], weights)
    let event = EventName(.reactivate, offer: UInt8(offer), change: change)
    let purchase = Purchase(
      product: product, offer: offer, event: event, isNew: true, daysCanceled: gap)
    begin(member, purchase, on: day)
  }

  private mutating func productOfReturn(_ member: Int) -> (Int, EventName.Change) {
    let old = Int(memberships[member].terms.product)
    guard random.chance(250) else { return (old, .none) }
    let product = random.element(of: Catalog.group(of: old).filter { $0 != old })
    return (product, Self.change(from: old, to: product))
  }

  /// Returns the kind of a change of product.
  static func change(from old: Int, to new: Int) -> EventName.Change {
    let (oldLevel, newLevel) = (Catalog.products[old].level, Catalog.products[new].level)
    return newLevel < oldLevel ? .upgrade : newLevel > oldLevel ? .downgrade : .crossgrade
  }
}
