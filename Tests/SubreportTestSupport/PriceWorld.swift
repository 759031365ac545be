import Counting
package import PriceImpact
import SubscriptionModel

/// Makes small worlds in which prices rise, in some storefronts and for some products, and subscribers do
/// everything that can happen to them at a renewal.
package struct PriceWorld: Sendable {
  /// The subscribers.
  package private(set) var world: WorldBuilder
  /// The changes of prices, as they would be found.
  package private(set) var changes: [PriceChange] = []

  private struct Storefront {
    var country: String
    var currency: String
    var price: Int64
  }

  private struct Plan {
    var product: String
    var term: Term
    var price: Int64
    var billing = BillingPlan.upfront
  }

  private static let storefronts = [
    Storefront(country: "US", currency: "USD", price: 1),
    Storefront(country: "DE", currency: "EUR", price: 1),
    Storefront(country: "FR", currency: "EUR", price: 1),
    Storefront(country: "JP", currency: "JPY", price: 100),
  ]
  private static let plans = [
    Plan(product: "monthly", term: Term(months: 1), price: 9_990),
    Plan(product: "plus", term: Term(months: 1), price: 14_990),
    Plan(product: "weekly", term: Term(days: 7), price: 2_490),
    Plan(product: "yearly", term: Term(months: 12), price: 79_990),
  ]

  private static let commitment = Plan(
    product: "yearly", term: Term(months: 12), price: 7_990, billing: .commitment)

  private var random: SeededGenerator
  /// What is sold.
  private var plans = Self.plans
  private let churnPercent: Int
  /// Whether some pay less because of another subscription.
  private let hasContingent: Bool
  /// Whether the world is long enough for terms of a year to end.
  private let isLong: Bool
  /// Points by which fewer renew at a price that has risen; below 0 more do.
  private let extraPercent: Int
  /// What most subscribers have, and where: so there are enough to compare.
  private var mainPlan: Plan
  private var open: [Storefront]

  /// Makes a world; the same seed makes the same one.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - subscribers: How many.
  ///   - hasCommitments: Whether a product of a year is sold in monthly instalments too.
  package init(seed: UInt64, subscribers: Int = 360, hasCommitments: Bool = false) {
    random = SeededGenerator(seed: seed)
    hasContingent = seed % 3 == 1
    let begin = day(hasCommitments ? "2026-03-01" : "2024-01-01")
    let first = begin + Int.random(in: 0...40, using: &random)
    let days = hasCommitments ? 520...800 : 220...440
    let asOf = first + Int.random(in: days, using: &random)
    churnPercent = Int.random(in: 2...12, using: &random)
    extraPercent = [0, 0, 0, -10, 30, 50][Int.random(in: 0..<6, using: &random)]
    mainPlan = Self.plans[[0, 0, 0, 1, 2, 3][Int.random(in: 0..<6, using: &random)]]
    if hasCommitments {
      plans.append(Self.commitment)
      mainPlan =
        [Self.commitment, Self.commitment, Self.plans[0], Self.plans[3]][
          Int.random(in: 0..<4, using: &random)]
    }
    isLong = hasCommitments
    open = Array(
      Self.storefronts.shuffled(using: &random).prefix(Int.random(in: 2...3, using: &random)))
    world = WorldBuilder(firstFileDay: first, asOf: asOf)
    addChanges()
    for _ in 0..<subscribers { world.add(rows()) }
  }

  private mutating func isLikely(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  // MARK: Changes

  private mutating func addChanges() {
    let days = isLong ? 300...480 : 60...200
    let decision = world.firstFileDay + Int.random(in: days, using: &random)
    var kinds: [PriceChange.Kind] = [.increase, .increase, .increase]
    kinds += [.decrease, .glitch, .atDataEdge, .overlap, .newCustomersOnly]
    let plan = isLikely(3, of: 4) ? mainPlan : pick(plans)
    for storefront in open where isLikely(1, of: 2) {
      addChange(.increase, plan, storefront, decision + pick([0, 0, 1, 7, 13, 14, 15, 30]))
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let far = Int.random(in: -150...150, using: &random)
      addChange(pick(kinds), pick(plans), pick(open), decision + far)
    }
  }

  private mutating func addChange(
    _ kind: PriceChange.Kind, _ plan: Plan, _ storefront: Storefront, _ date: Day
  ) {
    let key = key(plan, storefront)
    guard !changes.contains(where: { $0.key == key && abs($0.date - date) < 40 }),
      date < world.asOf
    else { return }
    let old = plan.price * storefront.price
    var change = PriceChange(kind, key, date: date, oldPrice: old, newPrice: old + old / 3)
    if kind == .increase {
      change.effectiveExisting = date + pick([0, 0, 0, 5, 35])
      change.origin = isLikely(1, of: 5) ? .file : .found
    }
    changes.append(change)
  }

  private mutating func key(_ plan: Plan, _ storefront: Storefront) -> PriceKey {
    let key = StorefrontKey(
      product: world.symbol(plan.product), country: world.symbol(storefront.country),
      currency: world.symbol(storefront.currency))
    return PriceKey(key, plan: plan.billing)
  }

  /// Whether the increases say that a charge has a higher price.
  private mutating func isRaised(_ plan: Plan, _ storefront: Storefront, _ day: Day) -> Bool {
    let key = key(plan, storefront)
    return changes.contains { change in
      change.key == key && change.kind == .increase
        && day >= change.effectiveExisting ?? change.date
    }
  }

  private mutating func price(_ plan: Plan, _ storefront: Storefront, _ day: Day) -> Int64 {
    let old = plan.price * storefront.price
    if isLikely(1, of: 25) { return pick([old, old + old / 3, old + 1_000, old / 2]) }
    return isRaised(plan, storefront, day) ? old + old / 3 : old
  }

  // MARK: Subscribers

  private mutating func rows() -> [Purchase] {
    let length = world.asOf - world.firstFileDay
    var day = world.firstFileDay + Int.random(in: -5...length, using: &random)
    if isLikely(3, of: 4) { day = world.firstFileDay + Int.random(in: 0...100, using: &random) }
    var plan = isLikely(3, of: 4) ? mainPlan : pick(plans)
    var storefront = pick(open)
    var rows: [Purchase] = []
    while day <= world.asOf + 2, rows.count < 70 {
      if rows.isEmpty, isLikely(1, of: 3) {
        rows.append(row(plan, storefront, day).asTrial(Term(days: 7)))
        day = day + 7
      }
      var row = row(plan, storefront, day)
      if isLikely(1, of: 25) { row = asOffer(row) }
      if plan.billing == .commitment {
        rows += instalments(row)
      } else {
        rows.append(row)
      }
      if isLikely(1, of: 20) {
        rows.append(row.refunded(on: day + pick([0, 3, 20, 40, 59, 60, 61, 62])))
      }
      let end = ReferenceCalendar.end(of: row.term, from: day)
      let isMeeting = !isRaised(plan, storefront, day) && isRaised(plan, storefront, end)
      if isLikely(max(0, churnPercent + (isMeeting ? extraPercent : 0)), of: 100) {
        if isLikely(1, of: 2) { break }
        day = day + Int.random(in: 3...90, using: &random)
      }
      day = ReferenceCalendar.end(of: row.term, from: day) + pick([0, 0, 0, 0, -1, 1, 2, 3, -9])
      if isLikely(1, of: isLong ? 12 : 40) { plan = pick(plans) }
      if isLikely(1, of: 80) { storefront = pick(open) }
    }
    if rows.indices.contains(0), isLikely(1, of: 20) { rows[0].isIDReset = true }
    return rows
  }

  /// Returns a term that begins with an instalment; some default, and some change their minds in the middle.
  private mutating func instalments(_ first: Purchase) -> [Purchase] {
    let count = isLikely(1, of: 15) ? Int.random(in: 1...11, using: &random) : 12
    return (0..<count).map { number in
      first.with {
        $0.day = ReferenceCalendar.end(of: Term(months: Int16(number)), from: first.day)
      }
    }.filter { $0.day <= world.asOf + 2 }
  }

  private mutating func row(_ plan: Plan, _ storefront: Storefront, _ day: Day) -> Purchase {
    var row = Purchase(day, product: plan.product, term: plan.term)
    row.country = storefront.country
    row.currency = storefront.currency
    row.price = price(plan, storefront, day)
    row.plan = plan.billing
    row.proceedsRate = isLikely(1, of: 4) ? "after_one_year" : "standard"
    row.proceeds =
      row.price * (row.proceedsRate == "standard" ? 70 : 85) / 100 - pick([0, 0, 1, 3])
    if isLikely(1, of: 1_500) { row.proceedsCurrency = "USD" }
    row.isPreserved = isLikely(1, of: 30)
    if plan.billing == .upfront, isLikely(1, of: 20) { row.units = 2 }
    if hasContingent, isLikely(1, of: 20) { row.isContingent = true }
    return row
  }

  private func asOffer(_ row: Purchase) -> Purchase {
    row.with {
      $0.kind = .offer
      $0.mode = .payAsYouGo
      $0.offerTerm = row.term
      $0.price = row.price / 2
    }
  }
}
