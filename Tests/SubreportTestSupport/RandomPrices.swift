import SubscriptionModel

/// Makes small worlds in which everything that can happen to a price happens often.
package struct RandomPrices {
  private var random: SeededGenerator
  /// The share in tenths of subscribers who pay less because of another subscription.
  private let contingentShare: Int

  /// Creates a maker; the same seed makes the same world.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - contingentShare: The share in tenths of subscribers who pay less because of another subscription.
  package init(seed: UInt64, contingentShare: Int = 0) {
    random = SeededGenerator(seed: seed)
    self.contingentShare = contingentShare
  }

  /// What a storefront charges.
  private struct Storefront {
    let country: String
    let product: String
    let term: Term
    /// The day of each change and the price from then on, in order; the first is the price at first.
    var prices: [(day: Day, price: Int64)]
    /// Days by which existing subscribers meet a price later than new ones.
    var delay: Int
    /// The share in tenths of existing subscribers that keep the price they have.
    var keeping: Int
    /// The day from which another currency is charged.
    var currencyDay: Day?
    /// A day on which a price that is none is charged.
    var glitch: (day: Day, price: Int64)?

    func price(on day: Day) -> Int64 { prices.last { $0.day <= day }?.price ?? prices[0].price }
  }

  /// Returns a world of some storefronts over some months.
  package mutating func world() -> WorldBuilder {
    let first = day("2025-01-01") + Int.random(in: 0...40, using: &random)
    let asOf = first + Int.random(in: 90...300, using: &random)
    var world = WorldBuilder(firstFileDay: first, asOf: asOf)
    for number in 0..<Int.random(in: 1...3, using: &random) {
      let storefront = storefront(number, first, asOf)
      for _ in 0..<Int.random(in: 2...40, using: &random) {
        world.add(rows(storefront, first, asOf))
      }
    }
    return world
  }

  private mutating func storefront(_ number: Int, _ first: Day, _ asOf: Day) -> Storefront {
    var changes = [(day: first - 400, price: Int64(10_000))]
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let day = first + Int.random(in: 0...(asOf - first), using: &random)
      changes.append((day, Int64(Int.random(in: 7...14, using: &random)) * 1_000))
    }
    let hasGlitch = Int.random(in: 0..<4, using: &random) == 0
    let glitchDay = first + Int.random(in: 0...(asOf - first), using: &random)
    return Storefront(
      country: ["US", "DE", "JP"][number],
      product: Int.random(in: 0..<3, using: &random) == 0 ? "yearly" : "plan",
      term: Int.random(in: 0..<3, using: &random) == 0 ? Term(days: 7) : Term(months: 1),
      prices: changes.sorted { $0.day < $1.day },
      delay: [0, 0, 20, 45].randomElement(using: &random) ?? 0,
      keeping: [0, 0, 3, 10].randomElement(using: &random) ?? 0,
      currencyDay: Int.random(in: 0..<5, using: &random) == 0
        ? first + Int.random(in: 30...90, using: &random) : nil,
      glitch: hasGlitch ? (glitchDay, 1_000) : nil)
  }

  private mutating func rows(_ storefront: Storefront, _ first: Day, _ asOf: Day) -> [Purchase] {
    var day = first + Int.random(in: -20...150, using: &random)
    var kept: Int64?
    var rows: [Purchase] = []
    let isContingent =
      contingentShare > 0 && Int.random(in: 0..<10, using: &random) < contingentShare
    while day <= asOf {
      var row = Purchase(day, product: storefront.product, term: storefront.term)
      row.country = storefront.country
      if let change = storefront.currencyDay, day >= change { row.currency = "EUR" }
      let isFirst = rows.isEmpty
      row.price = storefront.price(on: isFirst ? day : day - storefront.delay)
      if let before = rows.last?.price, before != row.price, kept == nil,
        Int.random(in: 0..<10, using: &random) < storefront.keeping
      {
        kept = before
      }
      if let kept {
        row.price = kept
        row.isPreserved = true
      }
      if let glitch = storefront.glitch, (0...2).contains(day - glitch.day) {
        row.price = glitch.price
      }
      if isContingent, Int.random(in: 0..<5, using: &random) > 0 {
        row.price = row.price - 2_000
        row.isContingent = true
      }
      if isFirst, Int.random(in: 0..<4, using: &random) == 0 { row = row.asTrial(Term(days: 7)) }
      if Int.random(in: 0..<15, using: &random) == 0 { row.product = "other" }
      rows.append(row)
      if Int.random(in: 0..<10, using: &random) == 0 { break }
      let isLate = Int.random(in: 0..<12, using: &random) == 0
      day = ReferenceCalendar.end(of: row.offerTerm ?? row.term, from: day) + (isLate ? 9 : 0)
    }
    return rows.isEmpty ? [Purchase(asOf, product: storefront.product)] : rows
  }
}
