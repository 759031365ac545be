import Counting
import PriceImpact
import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Rises of prices that may be increases")
struct PriceRiseTests {
  /// The classes of which METRICS.md does not say that the price is another one, or no price.
  private static let rising: Set<PriceChange.Kind> = [
    .increase, .overlap, .atDataEdge, .unconfirmed, .newCustomersOnly,
  ]

  private static func reports(
    _ changes: [(Source, PriceChange)], _ world: WorldBuilder
  ) -> PriceTableMaker {
    let months = Month(year: 2026, month: 1)...Month(year: 2026, month: 12)
    let reports = [Source.receipts, .sales, .subscribers].map { source in
      PriceReport(
        SourceReport(
          tally: Tally(source: source, views: [[]], filter: Filter(), months: months),
          completeness: world.completeness()),
        changes: changes.filter { $0.0 == source }.map(\.1))
    }
    return PriceTableMaker(reports, names: world.plainNames)
  }

  private static func change(
    _ kind: PriceChange.Kind, _ country: String, from old: Int64?, to new: Int64?,
    _ world: inout WorldBuilder
  ) -> PriceChange {
    let key = StorefrontKey(
      product: world.symbol("monthly"), country: world.symbol(country),
      currency: world.symbol("USD"))
    return PriceChange(kind, PriceKey(key), date: day("2026-05-01"), oldPrice: old, newPrice: new)
  }

  @Test(arguments: 0..<50)
  func `are those to a higher price, in a class that can be an increase, beside certain ones`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var world = WorldBuilder(firstFileDay: day("2026-01-01"), asOf: day("2026-12-31"))
    var changes: [(Source, PriceChange)] = []
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let kind = PriceChange.Kind.allCases.randomElement(using: &random) ?? .glitch
      let country = ["US", "DE", "FR"].randomElement(using: &random) ?? "US"
      let prices: [Int64?] = [nil, 9_000, 10_000, 11_000]
      let old = prices[Int.random(in: 0..<3, using: &random)]
      let new = prices[Int.random(in: 0..<4, using: &random)]
      var change = Self.change(kind, country, from: old, to: new, &world)
      change.isAdmitted = Bool.random(using: &random)
      let source = [Source.receipts, .sales, .subscribers].randomElement(using: &random) ?? .sales
      changes.append((source, change))
    }
    let maker = Self.reports(changes, world)
    let names = world.plainNames
    let all = changes.filter { _, change in
      guard change.isAdmitted, let old = change.oldPrice, let new = change.newPrice else {
        return false
      }
      return old < new && Self.rising.contains(change.kind)
    }
    let certain = Set(all.filter { $0.1.kind == .increase }.map { PriceRise.Key($0.1, names) })
    #expect(maker.increasedPrices == certain)
    let expected = Set(all.map { PriceRise.Key($0.1, names) })
    let found = maker.possibleRises(besides: [])
    #expect(Set(found.map(\.key)) == expected)
    #expect(found.count == expected.count)
    let others = maker.possibleRises(besides: certain).map(\.key)
    #expect(Set(others) == expected.subtracting(certain))
    // Each is a change of its source.
    #expect(found.allSatisfy { rise in all.contains { $0 == (rise.source, rise.change) } })
  }

  @Test
  func `have the surest class of all sources, then the source that knows most`() {
    var world = WorldBuilder(firstFileDay: day("2026-01-01"), asOf: day("2026-12-31"))
    let rise = { (kind: PriceChange.Kind, country: String, world: inout WorldBuilder) in
      Self.change(kind, country, from: 9_000, to: 10_000, &world)
    }
    let changes: [(Source, PriceChange)] = [
      (.subscribers, rise(.unconfirmed, "DE", &world)), (.sales, rise(.increase, "DE", &world)),
      (.subscribers, rise(.unconfirmed, "FR", &world)), (.sales, rise(.overlap, "FR", &world)),
      (.sales, rise(.atDataEdge, "US", &world)), (.subscribers, rise(.atDataEdge, "US", &world)),
    ]
    let found = Self.reports(changes, world).possibleRises(besides: [])
    let words = found.map { "\($0.key.country) \($0.source) \($0.change.kind)" }
    #expect(words == ["DE sales increase", "FR sales overlap", "US subscribers atDataEdge"])
  }

  @Test
  func `of instalments are those of another product`() {
    var world = WorldBuilder(firstFileDay: day("2026-01-01"), asOf: day("2026-12-31"))
    let upfront = Self.change(.unconfirmed, "US", from: 9_000, to: 10_000, &world)
    var instalments = upfront
    instalments.key.plan = .commitment
    let found = Self.reports([(.subscribers, upfront), (.subscribers, instalments)], world)
      .possibleRises(besides: [])
    #expect(found.map(\.key.product) == ["monthly", "monthly in monthly instalments"])
  }
}
