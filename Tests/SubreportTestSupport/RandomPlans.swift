package import Storage
package import SubscriptionModel

/// Makes small worlds in which it is nearly clear, or nearly not, that a product of one year is sold in
/// instalments: METRICS.md 10.1.
package struct RandomPlans {
  private var random: SeededGenerator

  /// Creates a maker; the same seed makes the same world.
  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func isLikely(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) < part
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  /// Returns a world of some prices over some months.
  package mutating func world() -> WorldBuilder {
    let first = day("2026-04-01") + Int.random(in: 0...40, using: &random)
    let asOf = first + Int.random(in: 60...220, using: &random)
    var world = WorldBuilder(firstFileDay: first, asOf: asOf)
    for storefront in [("US", "USD"), ("DE", "EUR"), ("DE", "USD")] where isLikely(2, of: 3) {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        var row = Purchase(first, product: pick(["yearly", "yearly", "annual"]), term: .year)
        row.country = storefront.0
        row.currency = storefront.1
        row.price = pick([6_000, 6_000, 7_000, 10_000, 10_010, 20_000, 60_000, 60_000])
        if isLikely(1, of: 8) { row.term = Term(months: 1) }
        addSubscribers(of: row, first, asOf, &world)
      }
    }
    if world.subscribers.isEmpty { world.add([Purchase(first, product: "yearly", term: .year)]) }
    return world
  }

  /// Adds those who pay one price: some in instalments, some once.
  private mutating func addSubscribers(
    of row: Purchase, _ first: Day, _ asOf: Day, _ world: inout WorldBuilder
  ) {
    let monthly = pick([0, 1, 5, 9, 10])
    let stated: [BillingPlan?] = pick([[nil], [nil], [nil], [nil, .commitment], [.upfront, nil]])
    for _ in 0..<Int.random(in: 1...9, using: &random) {
      var row = row
      row.day =
        isLikely(1, of: 2)
        ? asOf - Int.random(in: 32...38, using: &random)
        : first + Int.random(in: 0...(asOf - first), using: &random)
      var rows: [Purchase] = []
      if isLikely(1, of: 5) {
        rows.append(row.with { $0.day = row.day - 7 }.asTrial(Term(days: 7)))
      }
      let count = isLikely(monthly, of: 10) ? Int.random(in: 2...4, using: &random) : 1
      for _ in 0..<count where row.day <= asOf {
        row.statedPlan = pick(stated)
        row.kind = isLikely(1, of: 12) ? pick([.offer, .intro]) : .standard
        row.mode = row.kind == .standard ? .none : .payAsYouGo
        row.offerTerm = row.kind == .standard ? nil : Term(months: 1)
        row.group = isLikely(1, of: 15) ? "extra" : "premium"
        rows.append(row)
        if isLikely(1, of: 7) { rows.append(refund(of: row)) }
        row.day = row.day + pick([30, 30, 31, 31, 28, 24, 25, 35, 36, 15, 20])
      }
      world.add(rows)
    }
  }

  private mutating func refund(of row: Purchase) -> Purchase {
    row.refunded(on: row.day + Int.random(in: 0...40, using: &random)).with {
      if Int.random(in: 0..<4, using: &random) == 0 { $0.units = 0 }
    }
  }

  /// Returns what a config says of the products of a world: mostly nothing.
  package mutating func rules(_ world: inout WorldBuilder) -> [Symbol: BillingPlanRule] {
    guard isLikely(1, of: 3) else { return [:] }
    let rule: BillingPlanRule = pick([
      .only(.upfront), .only(.commitment), .instalmentPrices(["6.00 USD", "7.00 EUR"]),
    ])
    return [world.symbol("yearly"): rule]
  }
}
