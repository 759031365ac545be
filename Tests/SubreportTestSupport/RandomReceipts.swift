import SubscriptionModel

/// Seeded, chaotic dumps of a few customers: everything that may happen does, with ids that may collide.
package struct RandomReceipts {
  private var random: SeededGenerator
  private var world = ReceiptWorld()

  /// Creates a maker of dumps.
  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  /// Returns a world of some customers.
  package mutating func world(customers: Int) -> ReceiptWorld {
    world = ReceiptWorld()
    if chance(30) { world.toleranceSeconds = ReceiptSettings.sandboxTolerance }
    if chance(50) { world.groups[world.symbol("plain")] = world.symbol("configured") }
    if chance(50) { world.durations[world.symbol("pass")] = Term(days: 7) }
    for customer in 0..<customers { addCustomer(customer) }
    if chance(25) { addSharedToken() }
    world.responses.shuffle(using: &random)
    if chance(30) { world.asOf = world.responses.flatMap(\.copies).map(\.madeAt).max() }
    return world
  }

  private mutating func addCustomer(_ customer: Int) {
    var purchases: [Bought] = []
    var start = instant("2023-01-01") + Int.random(in: 0..<300 * 86_400, using: &random)
    let count = Int.random(in: 1...9, using: &random)
    for index in 0..<count {
      let bought = purchase(customer, index, start)
      purchases.append(bought)
      start = next(after: bought)
      if chance(10), let (other, renewal) = upgrade(of: bought) {
        purchases += [other] + (chance(70) ? [renewal] : [])
        start = next(after: other)
      }
    }
    if chance(25) {
      deliver(purchases, feed: UInt64(customer % 2))
      if chance(50) { return }
    }
    let isNotified = chance(30)
    let captures = Int.random(in: 1...4, using: &random)
    for _ in 0..<captures {
      let last = purchases[Int.random(in: 0..<purchases.count, using: &random)].start
      let madeAt = last + Int.random(in: 0..<100 * 86_400, using: &random)
      capture(purchases.filter { $0.start - madeAt < 86_400 }, madeAt, isNotified: isNotified)
    }
  }

  private mutating func purchase(_ customer: Int, _ index: Int, _ start: Instant) -> Bought {
    var bought = Bought("2023-01-01")
    bought.start = start
    let length = pick([7 * 86_400, 30 * 86_400, 30 * 86_400, 365 * 86_400, 3_600])
    bought.expires = start + length
    bought.product = pick(["monthly", "monthly", "yearly", "plain"])
    bought.group =
      bought.product == "plain" ? "" : pick(["premium", "premium", "premium", "", "sport"])
    bought.original = "\(100 + customer * 10 + (chance(20) ? 1 : 0))"
    bought.originalPurchase = chance(40) ? start : chance(50) ? start + -90_000 : nil
    if chance(3) { bought.line = pick(["", "L7"]) }
    if chance(5) { bought.line = "" }
    if chance(4) { bought.transaction = pick(["", "T7", bought.original]) }
    if chance(2) { bought.original = pick(["", "0000", "shared"]) }
    if chance(5) { bought.token = pick(["token-a", "token-b"]) }
    if chance(10) { bought.appTransaction = "\(900 + customer)" }
    if index == 0, chance(40) { bought.flags.insert(pick([.trial, .intro])) }
    if chance(8) { bought.flags.insert(.offer) }
    if chance(4) { bought.flags.insert(.freeOffer) }
    if chance(12) { bought.cancellation = start + Int.random(in: 0..<40 * 86_400, using: &random) }
    if chance(1) { bought.cancellation = start }
    if chance(6) { bought.flags.insert(pick([.prorated, .familyRevoke])) }
    if chance(12) { bought.flags.insert(.upgraded) }
    if chance(6) { bought.flags.insert(.upgradeNotification) }
    if chance(10) { bought.ownership = pick([.family, .missing]) }
    if chance(30) { bought.price = pick([9_990, 4_990, 0]) }
    if chance(30) { bought.country = pick(["US", "DE"]) }
    if chance(4) { bought.percentage = pick([40_000, 100_000]) }
    if chance(6) { makeOther(&bought) }
    return bought
  }

  /// Returns another product bought near the end of a period, and the renewal that had been charged by then.
  private mutating func upgrade(of bought: Bought) -> (other: Bought, renewal: Bought)? {
    guard let expires = bought.expires, bought.type == .missing else { return nil }
    var other = bought
    other.product = pick(["monthly", "yearly"])
    other.start = max(bought.start, expires + -pick([100, 3_600, 3_601, 50_000, 86_400, 90_000]))
    other.expires = other.start + pick([30 * 86_400, 365 * 86_400])
    (other.flags, other.cancellation) = ([], chance(10) ? other.start + pick([0, 60]) : nil)
    if chance(40) { other.flags = .upgradeNotification }
    var renewal = bought
    renewal.start = expires + pick([0, 0, 30, 60, 61])
    renewal.expires = renewal.start + (expires - bought.start)
    renewal.flags = chance(30) ? .upgraded : []
    renewal.cancellation = chance(50) ? other.start + pick([-1, 0, 300, 301, 30_000]) : nil
    return (other, renewal)
  }

  private mutating func makeOther(_ bought: inout Bought) {
    bought.product = pick(["pass", "ticket", "paper"])
    bought.group = ""
    bought.type = pick([.missing, .nonRenewing, .free, .other])
    if chance(80) { bought.expires = nil }
    if chance(10) { bought.expires = bought.start }
  }

  private mutating func next(after bought: Bought) -> Instant {
    let end = bought.expires ?? bought.start
    let gaps = [
      0, 0, 0, 30, 60, 61, 3_600, 3_601, 86_400, 20 * 86_400, 5_184_000, 5_184_001, -86_400,
      -10 * 86_400, 120 * 86_400,
    ]
    return max(bought.start + pick([0, 1, 100]), end + pick(gaps))
  }

  /// Adds deliveries of a feed with rows of a customer: of all purchases, or of some.
  private mutating func deliver(_ purchases: [Bought], feed: UInt64) {
    var madeAt = purchases[0].start
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      madeAt = madeAt + Int.random(in: 0..<100 * 86_400, using: &random)
      let known = purchases.filter { $0.start <= madeAt && (chance(80) || $0.start == madeAt) }
      let rows = known.map { bought in
        var flags = Info()
        flags.renews = chance(70)
        flags.retry = chance(20) ? true : nil
        if chance(10) { flags.grace = madeAt + pick([-86_400, 86_400]) }
        return (vary(bought, madeAt), flags)
      }
      world.add(
        snapshot: madeAt, feed: feed,
        rows.map { row in
          let bought = row.0.with {
            $0.line = ""
            $0.percentage = nil
            if $0.cancellation != nil, $0.price != nil, chance(30) {
              $0.refunded = 1_234
              $0.flags.insert(.prorated)
            }
          }
          return (bought, row.1)
        })
    }
  }

  /// Adds subscriptions that have one token, two or more of them at once.
  private mutating func addSharedToken() {
    var start = instant("2023-03-01")
    for number in 0..<Int.random(in: 2...4, using: &random) {
      var bought = Bought("2023-03-01")
      bought.start = start
      bought.expires = start + 30 * 86_400
      bought.original = "\(700 + number)"
      bought.token = "token-a"
      if chance(20) { bought.group = pick(["", "sport"]) }
      if chance(20) { bought.cancellation = start + pick([0, 86_400]) }
      world.add(start + 100, [bought])
      start = start + pick([0, 86_400, 15 * 86_400, 30 * 86_400])
    }
  }

  private mutating func capture(_ purchases: [Bought], _ madeAt: Instant, isNotified: Bool) {
    var told: [Bought] = []
    for bought in purchases {
      let origin: TransactionCopy.Origin = isNotified ? .v2 : pick([.latest, .latest, .v2])
      told.append(vary(bought, madeAt).with { $0.origin = origin })
      guard chance(30) else { continue }
      told.append(
        vary(bought, madeAt).with {
          $0.origin = .inApp
          $0.flags.subtract([.upgraded, .upgradeNotification])
          $0.ownership = .missing
          $0.group = ""
        })
    }
    var infos: [Info] = []
    for original in Set(purchases.map(\.original)).sorted() where chance(60) {
      var info = Info()
      info.original = original
      info.product = pick(["", "monthly", "plain", "never sold"])
      info.intent = UInt8(pick([0, 0, 1, 2, 3, 4, 5]))
      info.renews = pick([nil, true, false])
      info.retry = pick([nil, nil, true, false])
      info.status = UInt8(pick([0, 0, 1, 2, 3, 4]))
      if chance(20) { info.grace = madeAt + pick([-86_400, 86_400]) }
      info.newest = isNotified ? nil : newest(of: original, told)
      infos.append(info)
    }
    // The list of the answer has the subscription, and its renewal infos do not.
    for original in Set(told.map(\.original)).sorted()
    where !isNotified && !infos.contains(where: { $0.original == original }) && chance(70) {
      guard let newest = newest(of: original, told), newest.expires <= madeAt else { continue }
      infos.append(
        Info().with { ($0.original, $0.newest, $0.isAbsent) = (original, newest, true) })
    }
    told.shuffle(using: &random)
    if isNotified {
      for bought in told {
        let own = infos.map { info in info.with { $0.notified = bought.app } }
        world.add(madeAt, [bought.with { $0.flags.insert(.inNotificationLog) }], own)
      }
      // A notification may have no transaction.
      if !infos.isEmpty, chance(20) {
        let app = pick(["", told.first?.app ?? ""])
        world.add(
          madeAt + pick([0, 86_400]), [], infos.map { info in info.with { $0.notified = app } })
      }
    } else if !told.isEmpty || !infos.isEmpty {
      world.add(madeAt, told, infos)
    }
  }

  private func newest(
    of original: String, _ told: [Bought]
  ) -> (purchase: Instant, expires: Instant)? {
    let own = told.filter { $0.original == original && $0.origin != .inApp }
    guard let last = own.max(by: { $0.start < $1.start }), let expires = last.expires else {
      return nil
    }
    return (last.start, expires)
  }

  /// Tells a purchase as another capture would: other ids, fewer fields, a refund not known yet.
  private mutating func vary(_ bought: Bought, _ madeAt: Instant) -> Bought {
    bought.with { copy in
      if chance(15) { copy.transaction = "\(bought.original)-\(madeAt.seconds)" }
      if chance(10) { copy.line = "" }
      if chance(5) { copy.expires = nil }
      if chance(10) { copy.price = nil }
      if chance(10) { copy.originalPurchase = nil }
      if chance(20) { copy.flags = [] }
      if chance(10) { copy.group = "" }
      if chance(2) { copy.group = "other" }
      if chance(15) { copy.country = "" }
      if chance(10) { copy.app = "" }
      if chance(10) { copy.isSigned = false }
      if let cancellation = bought.cancellation, cancellation > madeAt || chance(10) {
        copy.cancellation = nil
        copy.percentage = nil
      }
      if chance(5) { copy.flags.insert(.hasExpiredStatus) }
      if chance(5) { copy.flags.insert(.nonProduction) }
    }
  }
}
