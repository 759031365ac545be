import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// METRICS.md 10.6: section 6 sees a term of instalments as one period.
@Suite("Prices of commitments")
struct CommitmentPriceTests {
  /// Customers of one product of a year, from the first day of the data or later.
  struct Market {
    var world = WorldBuilder(firstFileDay: day("2026-01-01"), asOf: day("2027-12-31"))

    /// Adds a customer who pays instalments month after month.
    mutating func commit(
      _ first: Day, _ prices: [(instalments: Int, price: Int64)], then rest: [Purchase] = []
    ) {
      var rows: [Purchase] = []
      for (count, price) in prices {
        for _ in 0..<count {
          rows.append(
            Self.yearly(first.adding(Term(months: Int16(rows.count))), price).with {
              $0.plan = .commitment
            })
        }
      }
      world.add(rows + rest)
    }

    mutating func buy(_ day: Day, years: Int, _ price: Int64 = 60_000) {
      world.add((0..<years).map { Self.yearly(day.adding(Term(months: Int16(12 * $0))), price) })
    }

    static func yearly(_ day: Day, _ price: Int64) -> Purchase {
      Purchase(day, product: "yearly", term: .year).with {
        $0.price = price
        $0.proceeds = price * 7 / 10
      }
    }

    /// The changes as `plan class date old new`.
    func changes() -> [String] {
      world.priceChanges().map { change in
        let prices = [change.oldPrice, change.newPrice].map { $0.map { "\($0 / 1_000)" } ?? "" }
        return "\(change.key.plan) \(change.kind.rawValue) \(change.date) \(prices[0]) \(prices[1])"
      }.sorted()
    }

    /// The row of `price_impact.csv` for the only increase.
    func impact() throws -> [String: ReportTable.Cell] {
      let changes = world.priceChanges().filter { $0.kind == .increase }
      try #require(changes.count == 1)
      let table = world.impactTables(changes).impactTable(view: .whole)
      return table.row(0)
    }
  }

  private static let may = day("2026-05-10")

  /// Customers who begin on twenty days of May 2026, at 6.00, and renew in May 2027 at 7.00.
  private func raised() -> Market {
    var market = Market()
    for number in 0..<20 {
      market.commit(Self.may + number, [(12, 6_000), (3, 7_000)])
      // New customers keep the old price until the day of the change.
      market.commit(Self.may.adding(.year) - 20 + number, [(6, number < 20 ? 6_000 : 7_000)])
      market.commit(Self.may.adding(.year) + number, [(6, 7_000)])
    }
    return market
  }

  @Test
  func `an instalment is no cheaper price of the year, but a new plan`() {
    var market = Market()
    for number in 0..<30 { market.buy(day("2026-01-05") + number, years: 2) }
    for number in 0..<30 { market.commit(Self.may + number, [(8, 6_000)]) }
    #expect(market.changes() == ["commitment new_plan 2026-05-10  6"])
  }

  @Test
  func `an increase is met when the term ends, with twelve instalments as its money`() throws {
    let market = raised()
    #expect(
      market.changes() == [
        "commitment increase 2027-05-10 6 7", "commitment new_storefront 2026-05-10  6",
      ])
    let row = try market.impact()
    #expect(row["plan"] == .text("commitment"))
    // The later terms at the old price are running: they meet the new one when they end.
    #expect(row["exposed"] == .count(40))
    #expect(row["reached"] == .count(20))
    #expect(row["renewed_new_price"] == .count(20))
    #expect(row["not_reached"] == .count(20))
    #expect(row["state"] == .text("provisional"))
  }

  @Test
  func `a defaulted term and one cut by a change are left out, a suspended one is not reached`()
    throws
  {
    var market = raised()
    // Stopped paying in November 2026: defaulted in February 2027.
    market.commit(Self.may, [(6, 6_000)])
    // Went on upfront after six instalments.
    market.commit(
      Self.may, [(6, 6_000)], then: [Market.yearly(day("2026-11-10"), 60_000)])
    // Began in June 2026 and paid eleven: suspended from May 2027, defaulted in August.
    market.commit(day("2026-06-10"), [(11, 6_000)])
    #expect(try market.impact()["exposed"] == .count(40))
    market.world.asOf = day("2027-07-01")
    let row = try market.world.until(day("2027-07-01")).impactOfOnlyIncrease()
    #expect(row["not_reached"] == .count(21))
  }

  @Test
  func `another plan is another product, and its price is compared by the month`() throws {
    var market = raised()
    market.commit(
      Self.may, [(12, 6_000)], then: [Market.yearly(Self.may.adding(.year), 60_000)])
    let row = try market.impact()
    #expect(row["changed_product"] == .count(1))
    // 60 a year is less than 6 a month.
    #expect(row["changed_to_cheaper"] == .count(1))
  }

  @Test
  func `instalments of unknown position count for the first day of their price alone`() {
    var market = Market()
    market.world = WorldBuilder(firstFileDay: day("2027-01-01"), asOf: day("2027-12-31"))
    // The first file is in the middle of these terms.
    for number in 0..<10 { market.commit(day("2027-01-02") + number, [(7, 6_000)]) }
    #expect(market.changes() == [])
    // Nobody knows when terms at 9.00 began, so they raise nothing.
    for number in 0..<10 { market.commit(day("2027-01-12") + number, [(7, 9_000)]) }
    #expect(market.changes() == [])
    for number in 0..<10 { market.commit(day("2027-09-01") + number, [(3, 6_000)]) }
    #expect(market.changes() == [])
  }

  @Test
  func `the first instalment after a trial is a new charge`() throws {
    var market = Market()
    for number in 0..<5 {
      // Over more than a week: a price of fewer days is a glitch.
      let day = Self.may + 2 * number
      market.world.add(
        [Market.yearly(day + -7, 6_000).asTrial(Term(days: 7))]
          + (0..<3).map { month in
            Market.yearly(day.adding(Term(months: Int16(month))), 6_000).with {
              $0.plan = .commitment
            }
          })
    }
    let change = try #require(market.world.priceChanges().first { $0.kind == .newStorefront })
    #expect(change.newCharges == 5)
  }

  @Test
  func `a chain kept for a later as-of says the same as one folded on it`() throws {
    let market = raised()
    let changes = market.world.priceChanges().filter { $0.kind == .increase }
    let subscribers = Array(market.world.subscribers.indices)
    for asOf in ["2027-06-20", "2027-08-01", "2027-12-31"] {
      var then = market.world.until(day("2027-05-31"))
      then.asOf = day("2027-05-31")
      // Nothing more is charged after May: terms are suspended, then defaulted.
      var tally = then.impactTally(of: subscribers, changes)
      tally.decide(by: day(asOf))
      var now = then
      now.asOf = day(asOf)
      let expected = now.impactTables(changes).impactTable(view: .whole)
      #expect(now.impactTables(changes, tally).impactTable(view: .whole) == expected)
    }
  }
}

extension WorldBuilder {
  fileprivate func impactOfOnlyIncrease() throws -> [String: ReportTable.Cell] {
    let changes = priceChanges().filter { $0.kind == .increase }
    try #require(changes.count == 1)
    return impactTables(changes).impactTable(view: .whole).row(0)
  }
}
