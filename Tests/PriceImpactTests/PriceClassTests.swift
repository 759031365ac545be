import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Testing

/// A storefront with twenty monthly subscribers from before the data, and what a test does to it.
private struct Market {
  var first = day("2026-01-01")
  var asOf = day("2026-12-31")
  /// Each subscriber's charges, month by month.
  private(set) var subscribers: [[Purchase]] = []

  /// Adds subscribers who begin on neighbouring days and renew each month.
  mutating func addSubscribers(
    _ count: Int, from start: Day, _ change: (inout Purchase) -> Void
  ) {
    for number in 0..<count {
      var rows: [Purchase] = []
      var renewal = start + number
      while renewal <= asOf {
        rows.append(Purchase(renewal).with(change))
        renewal = renewal.adding(Term(months: 1))
      }
      subscribers.append(rows)
    }
  }

  mutating func add(_ rows: [Purchase]) { subscribers.append(rows) }

  var world: WorldBuilder {
    var world = WorldBuilder(firstFileDay: first, asOf: asOf)
    for rows in subscribers { world.add(rows) }
    return world
  }

  /// Class, day and prices of each change.
  func changes(given: [PriceChange] = []) -> [String] {
    world.priceChanges(given: given).map { change in
      let prices = [change.oldPrice, change.newPrice].map { $0.map { "\($0 / 1_000)" } ?? "-" }
      return "\(change.kind) \(change.date) \(prices[0]) \(prices[1])"
    }.sorted()
  }
}

private let start = day("2026-01-02")
private let june = day("2026-06-02")

/// What existing subscribers pay when the price rises to 12.00 on a day.
private func raised(on day: Day) -> (inout Purchase) -> Void {
  { if $0.day >= day { $0.price = 12_000 } }
}

@Suite("A change of a price is")
struct PriceClassTests {
  @Test
  func `an increase when existing subscribers pay more from a day on`() {
    var market = Market()
    market.addSubscribers(20, from: start, raised(on: june))
    #expect(market.changes() == ["increase 2026-06-02 10 12"])
    #expect(market.world.priceChanges()[0].effectiveExisting == june)
  }

  @Test
  func `none when the price stays`() {
    var market = Market()
    market.addSubscribers(20, from: start) { _ in }
    #expect(market.changes().isEmpty)
  }

  @Test
  func `a decrease when it falls`() {
    var market = Market()
    market.addSubscribers(20, from: start) { if $0.day >= june { $0.price = 8_000 } }
    #expect(market.changes() == ["decrease 2026-06-02 10 8"])
  }

  @Test
  func `two changes when a price comes back after a month`() {
    var market = Market()
    market.addSubscribers(20, from: start) { row in
      if (0..<30).contains(row.day - june) { row.price = 8_000 }
    }
    #expect(market.changes() == ["decrease 2026-06-02 10 8", "increase 2026-07-02 8 10"])
  }

  @Test
  func `a glitch when it lasts for a day, or for less than a week`() {
    var market = Market()
    market.addSubscribers(20, from: start) { row in
      if (0...3).contains(row.day - day("2026-06-03")) { row.price = 12_000 }
    }
    #expect(market.changes() == ["glitch 2026-06-03 10 12"])
    var once = Market()
    once.addSubscribers(20, from: start) { if $0.day == day("2026-06-03") { $0.price = 12_000 } }
    #expect(once.changes() == ["glitch 2026-06-03 10 12"])
  }

  @Test
  func `a new storefront or a change of currency when a price replaces none`() {
    var market = Market()
    market.addSubscribers(20, from: start) { row in
      if row.day >= june { row.currency = "EUR" }
    }
    #expect(market.changes() == ["currencyChange 2026-06-02 - 10"])
    var opened = Market()
    opened.addSubscribers(20, from: june) { _ in }
    #expect(opened.changes() == ["newStorefront 2026-06-02 - 10"])
  }

  @Test
  func `at the data's edge when the old price was hardly seen`() {
    var market = Market()
    market.addSubscribers(20, from: start, raised(on: day("2026-01-12")))
    #expect(market.changes() == ["atDataEdge 2026-01-12 10 12"])
    var first = Market()
    first.addSubscribers(20, from: day("2026-01-01")) { row in
      row.price = row.day == day("2026-01-01") ? 10_000 : 12_000
    }
    #expect(first.changes() == ["atDataEdge 2026-01-01 10 -"])
  }

  @Test
  func `unconfirmed on the last days of the data`() {
    var market = Market()
    market.asOf = day("2026-06-05")
    market.addSubscribers(20, from: start, raised(on: june))
    #expect(market.changes() == ["unconfirmed 2026-06-02 10 12"])
  }

  @Test
  func `for new customers only when existing ones keep their price`() {
    var market = Market()
    market.addSubscribers(20, from: start) { $0.isPreserved = $0.day >= june }
    market.addSubscribers(20, from: june) { $0.price = 12_000 }
    #expect(market.changes() == ["newCustomersOnly 2026-06-02 10 12"])
  }

  @Test
  func `an overlap when new customers pay both prices`() {
    var market = Market()
    market.addSubscribers(20, from: start) { _ in }
    market.addSubscribers(20, from: june) { $0.price = 12_000 }
    market.addSubscribers(10, from: june) { _ in }
    #expect(market.changes() == ["overlap 2026-06-02 10 12"])
  }

  @Test
  func `none when fewer than a third pay another price for four weeks`() {
    var market = Market()
    market.addSubscribers(20, from: start) { _ in }
    market.addSubscribers(9, from: june) { $0.price = 6_000 }
    market.addSubscribers(9, from: june) { _ in }
    #expect(market.changes() == ["parallel 2026-06-02 - 6"])
    // One in three pays it.
    var equal = Market()
    equal.addSubscribers(20, from: start) { _ in }
    equal.addSubscribers(10, from: start + 1) { $0.price = 6_000 }
    #expect(!equal.changes().contains { $0.hasPrefix("parallel") })
  }

  @Test
  func `not parallel when new customers pay it and existing ones have notice`() {
    var market = Market()
    market.addSubscribers(20, from: start) { _ in }
    market.addSubscribers(9, from: june) { $0.price = 12_000 }
    #expect(market.changes() == ["unconfirmed 2026-06-02 10 12"])
  }

  @Test
  func `unconfirmed when nobody moved, and nobody kept the old price`() {
    var market = Market()
    market.add((0..<5).map { Purchase(start + 31 * $0) })
    market.addSubscribers(20, from: june) { $0.price = 12_000 }
    #expect(market.changes() == ["unconfirmed 2026-06-02 10 12"])
  }

  @Test
  func `met later by existing subscribers when most still pay the old price for a month`() {
    var market = Market()
    let august = day("2026-08-02")
    market.addSubscribers(20, from: start, raised(on: august))
    market.addSubscribers(20, from: june) { $0.price = 12_000 }
    #expect(market.changes() == ["increase 2026-06-02 10 12"])
    #expect(market.world.priceChanges()[0].effectiveExisting == august)
  }

  @Test
  func `what the user says it is, instead of what is found in its key`() throws {
    var market = Market()
    market.addSubscribers(20, from: start, raised(on: june))
    market.addSubscribers(20, from: june) { $0.price = 12_000 }
    market.addSubscribers(20, from: june) { _ in }
    #expect(market.changes() == ["overlap 2026-06-02 10 12"])
    var world = market.world
    let key = StorefrontKey(
      product: world.symbol("monthly"), country: world.symbol("US"), currency: world.symbol("USD"))
    let given = PriceChange(
      .increase, PriceKey(key), date: day("2026-06-02"), oldPrice: 10_000, newPrice: 12_000)
    #expect(market.changes(given: [given]) == ["increase 2026-06-02 10 12"])
    let change = try #require(world.priceChanges(given: [given]).first)
    #expect(change.origin == .file)
    #expect(change.effectiveExisting == day("2026-06-02"))
  }

  @Test
  func `found from sales, with the renewals of the first duration as those who moved`() {
    var tally = PriceTally()
    var attributes = Attributes()
    attributes.product = 1
    for offset in 0..<180 {
      let isNew = offset >= 90
      var terms = SalesTerms(
        attributes: attributes, price: Amount(milliunits: isNew ? 12_000 : 10_000, currency: 2),
        isPriceNegative: false, proceeds: Amount(milliunits: 7_000, currency: 2))
      terms.purchase = .renewal
      terms.standardTerm = Term(months: 1)
      tally.add(2, terms, on: day("2026-01-01") + offset)
    }
    let changes = tally.changes(firstDay: day("2026-01-01"), asOf: day("2026-06-29"))
    #expect(changes.map(\.kind) == [.increase])
    #expect(changes[0].date == day("2026-04-01"))
    #expect(changes[0].continuingCharges == 180)
  }
}
