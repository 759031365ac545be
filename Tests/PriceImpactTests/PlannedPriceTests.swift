import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("A planned price")
struct PlannedPriceTests {
  /// A world to 2026-05-20 of subscribers with one charge each.
  private struct Plan {
    var world = WorldBuilder(firstFileDay: day("2025-01-01"), asOf: day("2026-05-20"))
    var changes: [PriceChange] = []

    mutating func add(_ row: Purchase) { world.add([row]) }

    mutating func report(
      on date: String, _ newPrice: Int64 = 12_500, country: String = "US", currency: String = "USD",
      rules: ConsentRules = .shipped
    ) -> PlanReport {
      let key = StorefrontKey(
        product: world.symbol("monthly"), country: world.symbol(country),
        currency: world.symbol(currency))
      let planned = [PlannedPrice(key: key, date: day(date), newPrice: newPrice)]
      var fold = PlanFold(planned)
      let completeness = world.completeness()
      for subscriber in world.subscribers.indices {
        fold.add(world.pricedChains(subscriber)[0], world.terms)
      }
      let report = PriceReport(
        SourceReport(tally: world.tally(of: [], [[]]), completeness: completeness),
        changes: changes)
      return PlanReport(planned, fold.tally, of: report, rules: rules, world.plainNames)
    }

    mutating func increase(on date: String) {
      let key = StorefrontKey(
        product: world.symbol("monthly"), country: world.symbol("US"),
        currency: world.symbol("USD"))
      changes.append(
        PriceChange(.increase, PriceKey(key), date: day(date), oldPrice: 9_000, newPrice: 10_000))
    }
  }

  @Test
  func `meets each running subscription at its first renewal from the day on`() {
    var plan = Plan()
    plan.add(Purchase(day("2026-05-01")))
    plan.add(Purchase(day("2026-05-02")))
    plan.add(Purchase(day("2026-04-30")))
    // Gone, at a higher price, an offer, another storefront.
    plan.add(Purchase(day("2026-04-01")))
    plan.add(Purchase(day("2026-05-01")).with { $0.price = 12_500 })
    plan.add(Purchase(day("2026-05-01")).with { $0.kind = .offer })
    plan.add(Purchase(day("2026-05-01")).with { $0.country = "CA" })
    let report = plan.report(on: "2026-06-01")
    // 1 and 2 June are in week 23; the one that ends on 30 May renews, and ends on 30 June: week 27.
    let table = report.table(plan.world.plainNames)
    #expect(
      table.columns.map(\.name).joined(separator: ",")
        == "week,product,country,currency,due,preflight,needs_consent,product_id")
    #expect(table.rows.map { $0[0] } == [.text("2026-W23"), .text("2026-W27")])
    #expect(table.rows.map { $0[4] } == [.count(2), .count(1)])
    #expect(report.entries[0].due == 3)
    #expect(report.entries[0].oldPrice == 10_000)
    #expect(report.entries[0].lastWeek == day("2026-06-29"))
  }

  @Test(arguments: [(30, 1), (31, 0)])
  func `may come too late for a renewal within ten days`(days: Int16, count: Int) {
    // Ends on 30 or 31 May, 10 or 11 days after as-of.
    var plan = Plan()
    plan.add(Purchase(day("2026-04-30"), term: Term(days: days)))
    #expect(plan.report(on: "2026-05-21").entries[0].preflight == count)
  }

  static let consent: [(Int64, ConsentRules.Need)] = [
    (15_000, .no), (15_010, .yes), (10_010, .no),
  ]

  @Test(arguments: consent.indices)
  func `needs consent when it is more than half and more than 5 dollars`(index: Int) {
    let (price, need) = Self.consent[index]
    var plan = Plan()
    plan.add(Purchase(day("2026-05-01")))
    #expect(plan.report(on: "2026-06-01", price).entries[0].needsConsent == need)
  }

  @Test
  func `needs consent when it is the second within a year`() {
    var plan = Plan()
    plan.add(Purchase(day("2026-05-01")))
    plan.increase(on: "2025-06-02")
    #expect(plan.report(on: "2026-06-01").entries[0].needsConsent == .yes)
    #expect(plan.report(on: "2026-06-02").entries[0].needsConsent == .no)
  }

  @Test
  func `has unknown consent where the rule or the year before is not known`() {
    var plan = Plan()
    plan.add(Purchase(day("2026-05-01")).with { ($0.country, $0.currency) = ("DE", "EUR") })
    let german = plan.report(on: "2026-06-01", country: "DE", currency: "EUR")
    #expect(german.entries[0].needsConsent == .unknown)
    let rule = ConsentRules.Rule(
      currency: "EUR", percent: 10, amount: 1_000, yearlyAmount: 10_000)
    let stated = plan.report(
      on: "2026-06-01", country: "DE", currency: "EUR", rules: ConsentRules(["DE": rule]))
    #expect(stated.entries[0].needsConsent == .yes)
    plan.world = WorldBuilder(firstFileDay: day("2025-06-02"), asOf: day("2026-05-20"))
    plan.add(Purchase(day("2026-05-01")))
    #expect(plan.report(on: "2026-06-01").entries[0].needsConsent == .unknown)
  }

  @Test
  func `is no increase when it is not above what was charged last`() {
    var plan = Plan()
    plan.add(Purchase(day("2026-04-01")).with { $0.price = 13_000 })
    plan.add(Purchase(day("2026-05-01")))
    #expect(plan.report(on: "2026-06-01", 10_010).entries[0].isIncrease)
    #expect(!plan.report(on: "2026-06-01", 10_000).entries[0].isIncrease)
    let nobody = plan.report(on: "2026-06-01", country: "FR").entries[0]
    #expect(nobody.oldPrice == nil && !nobody.isIncrease)
  }
}
