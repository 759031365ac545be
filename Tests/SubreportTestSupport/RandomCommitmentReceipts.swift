import SubscriptionModel

/// Makes dumps of customers who pay a product of one year upfront or in instalments, among others.
///
/// METRICS.md section 10 for receipts. Ids are sound; `RandomReceipts` has the chaos.
package struct RandomCommitmentReceipts {
  private static let day = 86_400
  private var random: SeededGenerator
  private var world = ReceiptWorld()
  private var asOf = instant("2027-06-01")
  /// Whether transactions have a `billingPlanType`.
  private var hasBillingPlan = true
  /// Whether instalments have their numbers.
  private var statesNumber = true

  /// Creates a maker of dumps; the same seed makes the same one.
  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func isLikely(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  /// Returns a world of some customers.
  package mutating func world(customers: ClosedRange<Int>) -> ReceiptWorld {
    world = ReceiptWorld()
    asOf = instant("2026-10-01") + Int.random(in: 0..<600 * Self.day, using: &random)
    hasBillingPlan = isLikely(3, of: 4)
    statesNumber = hasBillingPlan && isLikely(1, of: 2)
    for customer in 0..<Int.random(in: customers, using: &random) { addCustomer(customer) }
    if !hasBillingPlan || world.responses.isEmpty {
      // One record sells it as a commitment.
      let seller = Bought("2026-05-01T08:00:00", "2026-06-01T08:00:00").with {
        $0.original = "7000"
        $0.product = "yearly"
        $0.country = "US"
        $0.price = 6_000
        $0.flags = [.hasBillingPlan, .commitment]
      }
      world.add(asOf, [seller])
    }
    world.responses.shuffle(using: &random)
    return world
  }

  private mutating func addCustomer(_ customer: Int) {
    var purchases: [Bought] = []
    var start = instant("2026-03-01") + Int.random(in: 0..<400 * Self.day, using: &random)
    let isStartKnown = isLikely(4, of: 5)
    let country = pick(["US", "DE", "JP"])
    for number in 0..<Int.random(in: 1...5, using: &random) {
      let part = isLikely(3, of: 5) ? term(&start) : others(&start, isFirst: number == 0)
      purchases += part
      if isLikely(1, of: 3) { start = max(start + gap(), (purchases.last?.start ?? start) + 60) }
      if isLikely(1, of: 6) { break }
    }
    let began = purchases[0].start
    for index in purchases.indices {
      purchases[index].original = "\(100 + customer)"
      purchases[index].country = country
      purchases[index].currency = country == "US" ? "USD" : country == "DE" ? "EUR" : "JPY"
      purchases[index].originalPurchase = isStartKnown ? began : began + -200 * Self.day
      purchases[index].origin = .v2
    }
    // Most are seen until the end, some only until an earlier day.
    let seenAt =
      isLikely(4, of: 5) ? asOf : began + Int.random(in: 0..<400 * Self.day, using: &random)
    capture(purchases, min(seenAt, asOf))
  }

  private mutating func capture(_ purchases: [Bought], _ madeAt: Instant) {
    let told = purchases.filter { $0.start <= madeAt }.map { bought in
      bought.with { copy in
        if let refund = copy.cancellation, refund > madeAt {
          copy.cancellation = nil
          copy.percentage = nil
          copy.flags.subtract([.prorated, .upgraded])
        }
      }
    }
    guard !told.isEmpty else { return }
    var infos: [Info] = []
    if isLikely(3, of: 4) {
      var info = Info()
      info.original = told[0].original
      info.product = told[told.count - 1].product
      info.intent = UInt8(pick([0, 0, 0, 1, 2]))
      info.renews = pick([nil, true, true, false])
      info.renewsAfterTerm = pick([nil, true, false])
      info.retry = pick([nil, true, false])
      if isLikely(1, of: 4) { info.grace = madeAt + pick([-Self.day, 3 * Self.day]) }
      infos.append(info)
    }
    world.add(madeAt, told, infos)
  }

  /// Seconds from a period's end to what comes next: mostly on the edge of a rule.
  private mutating func gap() -> Int {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: pick([60, 3_599, 3_601, 7_200])
    case 1: pick([1, 2, 3]) * Self.day + pick([-1, 0, 1])
    case 2: pick([60, 90]) * Self.day + pick([-1, 0, 1])
    case 3, 4: Int.random(in: 1...100 * Self.day, using: &random)
    case 5: Int.random(in: 93...200, using: &random) * Self.day
    default: 0
    }
  }

  private func end(of months: Int, from start: Instant) -> Instant {
    let last = ReferenceCalendar.end(of: Term(months: Int16(months)), from: start.day)
    return start + (last - start.day) * Self.day
  }

  // MARK: Purchases

  private func bought(_ start: Instant, _ expires: Instant, _ price: Int64) -> Bought {
    Bought("2026-01-01").with {
      $0.start = start
      $0.expires = expires
      $0.product = "yearly"
      $0.price = price
    }
  }

  /// Returns a term and moves the instant to the end of its last instalment.
  private mutating func term(_ start: inout Instant) -> [Bought] {
    var rows: [Bought] = []
    var price: Int64 = pick([6_000, 6_000, 6_000, 7_000])
    let count = isLikely(1, of: 2) ? 12 : Int.random(in: 1...11, using: &random)
    for number in 1...count {
      var row = bought(start, end(of: 1, from: start), price)
      if hasBillingPlan { row.flags = [.hasBillingPlan, .commitment] }
      if statesNumber { row.instalment = UInt8(number) }
      if statesNumber, isLikely(1, of: 2) { row.instalmentTotal = 12 }
      if number == 1, hasBillingPlan, isLikely(1, of: 12) {
        row.flags.insert(pick([.offer, .intro]))
        row.price = 3_000
      }
      if isLikely(1, of: 12) { row = refunded(row, months: 1) }
      if isLikely(1, of: 60) { price = 8_000 }
      let mayUpgrade = number == count && isLikely(1, of: 3)
      if mayUpgrade, row.cancellation == nil {
        // Another product or plan takes its place within the period.
        row.flags.insert(.upgraded)
        rows.append(row)
        start = start + Int.random(in: Self.day...20 * Self.day, using: &random)
        rows.append(contentsOf: others(&start, isFirst: false, isPaid: true))
        return rows
      }
      rows.append(row)
      start = row.expires ?? start
      guard number < count else { break }
      if isLikely(1, of: 10) { start = start + pick([-7_200, -60, 60, 3_600, 3_601, 7_200]) }
      if isLikely(1, of: 14) { start = start + gap() }
    }
    return rows
  }

  private mutating func others(
    _ start: inout Instant, isFirst: Bool, isPaid: Bool = false
  ) -> [Bought] {
    var rows: [Bought] = []
    if !isPaid, isLikely(isFirst ? 2 : 1, of: 4) {
      var row = bought(start, start + pick([3, 7, 30]) * Self.day, 0)
      row.flags = pick([[.trial], [.trial], [.offer, .freeOffer]])
      if hasBillingPlan { row.flags.insert(.hasBillingPlan) }
      if hasBillingPlan, isLikely(1, of: 2) { row.flags.insert(.commitment) }
      start = row.expires ?? start
      return [row]
    }
    let isYear = isLikely(1, of: 2)
    let product = isYear ? pick(["yearly", "annual"]) : "monthly"
    for _ in 0..<(isYear ? 1 : Int.random(in: 1...4, using: &random)) {
      var row = bought(start, end(of: isYear ? 12 : 1, from: start), isYear ? 60_000 : 9_990)
      row.product = product
      if hasBillingPlan { row.flags = [.hasBillingPlan] }
      if isLikely(1, of: 12) { row = refunded(row, months: isYear ? 6 : 1) }
      rows.append(row)
      start = row.expires ?? start
      if isLikely(1, of: 6) { start = start + gap() }
    }
    return rows
  }

  /// Returns a purchase with a refund: inside its period, or after it; full, by a percentage, or prorated.
  private mutating func refunded(_ row: Bought, months: Int) -> Bought {
    let days = pick([1, 3, 10, 20, 27, 29, 35, 50, 80])
    return row.with {
      $0.cancellation = $0.start + days * months * Self.day + 500
      if days.isMultiple(of: 10) { $0.percentage = 40_000 }
      if days == 27 { $0.flags.insert(.prorated) }
    }
  }
}
