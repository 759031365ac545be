extension World {
  /// The facts of a charge.
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
  }

  /// Charges a member, free or paid, and begins a new period.
  mutating func charge(_ member: Int, _ purchase: Purchase, on day: Int) {
    var membership = memberships[member]
    let previousProduct = membership.product
    let product = Catalog.products[purchase.product]
    let offer = Offer.all[purchase.offer]
    let isChange = Int(previousProduct) != purchase.product
    let old = membership
    setTerms(&membership, purchase, isChange: isChange, on: day)
    let amounts = prices.amounts(membership.terms)
    let isPaid = amounts.price > 0
    truth.settle(old, before: day, isPaid: isPaid)
    truth.increases.settle(old, next: membership.terms, amounts, on: day)
    truth.addStart(membership, isPaid: isPaid, on: day)
    let subscriberID = subscriberID(membership)
    let instalmentEnd = commitments?.add(
      member, membership.terms, amounts, subscriberID: subscriberID, on: day)

    membership.start = Int32(day)
    membership.end = Int32(instalmentEnd ?? offer.end(of: product, from: day, on: timeline))
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
      tell(event, of: member)
    }
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
    let continues = !purchase.isNew && Int(membership.offer) == purchase.offer
    membership.chargesLeft =
      UInt8(continues && membership.chargesLeft > 0 ? Int(membership.chargesLeft) : offer.charges)
      - 1
    membership.product = UInt8(purchase.product)
    membership.offer = UInt8(purchase.offer)
    membership.instalment = UInt8(purchase.instalment)
    membership.commission = prices.commission(of: membership.storefront, on: day)
    membership.flags.remove(.isContingent)
    if purchase.instalment > 1 {
      // The price is fixed for the term.
      setRate(&membership)
      return
    }
    membership.pricing = .current
    if offer.family == .standard, product.earlierPrices != nil {
      if isBeforeRise {
        membership.pricing = .earlier
      } else if membership.flags.contains(.keepsEarlierPrice) {
        membership.pricing = .preserved
      }
    }
    setStep(&membership, startsAnew: purchase.isNew || isChange, on: day)
    if isContingent(membership, on: day) { membership.flags.insert(.isContingent) }
    setRate(&membership)
  }

  private func setRate(_ membership: inout Membership) {
    if membership.paidDays >= 365 {
      membership.flags.insert(.isAfterOneYear)
    } else {
      membership.flags.remove(.isAfterOneYear)
    }
  }

  /// Sets the number of the planted price that applies to the charge, if there are planted prices.
  private func setStep(_ membership: inout Membership, startsAnew: Bool, on day: Int) {
    guard let schedule = prices.schedule(membership.terms) else {
      membership.step = 0
      return
    }
    let step =
      startsAnew
      ? schedule.listed(on: day) : schedule.following(Int(membership.step), on: day)
    membership.step = UInt8(step)
    if schedule.isPreserved(step, on: day) { membership.pricing = .preserved }
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
    let product = Int(memberships[member].product)
    if member % 97 == 5 {
      joinTwice(member, product, on: day)
      return
    }
    let families: [Offer.Family] = [.standard, .introductory, .offerCode]
    let family = families[random.pick([46, 46, 8])]
    let offers = Offer.indexes(of: family, product: product)
    let offer = offers.isEmpty ? Offer.standard : offers[random.below(offers.count)]
    let verb: EventName.Verb = offer == Offer.standard ? .subscribe : .start
    let instalment =
      offer == Offer.standard ? firstInstalment(member, of: product, on: day) : 0
    charge(
      member,
      Purchase(
        product: product, offer: offer, event: EventName(verb, offer: UInt8(offer)), isNew: true,
        instalment: instalment),
      on: day)
    planPeriod(member, on: day)
  }

  /// Lets a member buy the same product twice on one day by mistake, and plans the refund of both.
  private mutating func joinTwice(_ member: Int, _ product: Int, on day: Int) {
    charge(
      member,
      Purchase(product: product, event: EventName(.subscribe), isNew: true, copies: 2), on: day)
    planRefund(member, after: 1 + random.below(4), copies: 2)
    planPeriod(member, on: day, mayBeRefunded: false)
  }

  mutating func comeBack(_ member: Int, on day: Int) {
    let gap = day - Int(memberships[member].end)
    if gap >= 180 {
      truth.settle(memberships[member], before: day, isPaid: true)
      truth.increases.close(memberships[member])
      memberships[member].flags.subtract([.isPaid, .hasCharge, .keepsEarlierPrice])
      memberships[member].flags.insert(.hasNewID)
      memberships[member].generation += 1
      memberships[member].originalStart = Int32(day)
      memberships[member].offer = 0
    }
    let (product, change) = productOfReturn(member)
    let hasPaid = memberships[member].flags.contains(.hasPaid)
    let families: [Offer.Family] = [.standard, .promotional, .winBack]
    let family = families[random.pick([60, hasPaid ? 15 : 0, hasPaid ? 25 : 0])]
    let offers = Offer.indexes(of: family, product: product)
    let offer = offers.isEmpty ? Offer.standard : offers[random.below(offers.count)]
    let instalment =
      offer == Offer.standard ? firstInstalment(member, of: product, on: day) : 0
    charge(
      member,
      Purchase(
        product: product, offer: offer,
        event: EventName(.reactivate, offer: UInt8(offer), change: change), isNew: true,
        daysCanceled: gap, instalment: instalment),
      on: day)
    planPeriod(member, on: day)
  }

  private mutating func productOfReturn(_ member: Int) -> (Int, EventName.Change) {
    let old = Int(memberships[member].product)
    guard random.chance(250) else { return (old, .none) }
    let app = Catalog.products[old].app
    let others = Catalog.products.indices.filter { $0 != old && Catalog.products[$0].app == app }
    let product = others[random.below(others.count)]
    return (product, Self.change(from: old, to: product))
  }

  /// Returns the kind of a change of product.
  static func change(from old: Int, to new: Int) -> EventName.Change {
    let (oldLevel, newLevel) = (Catalog.products[old].level, Catalog.products[new].level)
    return newLevel < oldLevel ? .upgrade : newLevel > oldLevel ? .downgrade : .crossgrade
  }
}
