import SubscriptionModel
import Testing

private let sales: [(country: String, currency: String, region: String, isListed: Bool)] = [
  ("US", "USD", "US", true), ("JP", "JPY", "JP", true), ("DE", "EUR", "EU", true),
  ("HR", "EUR", "HR", true), ("CR", "USD", "LL", true), ("FJ", "USD", "AP", true),
  ("UA", "USD", "WW", true), ("CL", "USD", "LL", true), ("CL", "CLP", "CL", true),
  ("CZ", "EUR", "EU", true), ("ZQ", "USD", "WW", false), ("BR", "USD", "WW", false),
  ("US", "SEK", "SE", true),
  ("HR", "HRK", "HR", false), ("LI", "CHF", "CH", true), ("BG", "BGN", "BG", true),
  ("ZQ", "EUR", "EU", false), ("MY", "USD", "WW", true), ("MY", "MYR", "MY", true),
]

private let payments: [(name: String, currency: String, region: String?)] = [
  ("Americas", "USD", "US"), ("Latin America and the Caribbean", "USD", "LL"),
  ("Latin America & Caribbean", "USD", "LL"), ("South Asia and Pacific", "USD", "AP"),
  ("Rest of World", "USD", "WW"), ("Rest der Welt", "USD", "WW"), ("Euro-Zone", "EUR", "EU"),
  ("Eurozona", "EUR", "EU"), ("Croatia", "EUR", "HR"), ("Japan", "JPY", "JP"),
  ("Japon", "JPY", "JP"), ("No such region", "USD", nil),
  ("No such region", "ISK", nil), ("Iceland", "ISK", "IS"), ("Bulgaria", "BGN", "BG"),
  ("Croatia", "HRK", "HR"), ("Kroatien", "HRK", "HR"), ("Croatie", "HRK", "HR"),
  ("Croazia", "HRK", "HR"), ("Croacia", "HRK", "HR"), ("Lettland", "LVL", "LV"),
  ("Letonia", "LVL", "LV"), ("Croatia", "USD", nil),
]

@Suite("Finance regions")
struct FinanceRegionTests {
  private let day = FiscalPeriod(fiscalYear: 2026, period: 3).lastDay

  @Test(arguments: sales)
  func `of sales depend on country and currency`(
    country: String, currency: String, region: String, isListed: Bool
  ) {
    let found = FinanceRegions.apple.region(country: country, currency: currency, on: day)
    #expect(found.code == region)
    #expect(found.isListed == isListed)
  }

  @Test(arguments: payments)
  func `of payments are told by currency, or by name where several have it`(
    name: String, currency: String, region: String?
  ) {
    #expect(FinanceRegions.apple.region(named: name, currency: currency, on: day) == region)
  }

  @Test func `change on a day`() throws {
    let before = try #require(Day("2025-12-31"))
    let regions = FinanceRegions.apple
    #expect(regions.region(country: "BG", currency: "EUR", on: before).code == "EU")
    #expect(regions.region(country: "BG", currency: "EUR", on: before + 1).code == "BG")
    #expect(regions.region(country: "BG", currency: "BGN", on: before).code == "BG")
    #expect(regions.region(named: "Bulgaria", currency: "EUR", on: before) == nil)
    #expect(regions.region(named: "Bulgaria", currency: "EUR", on: before + 1) == "BG")
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `of several countries change on the day that a row names`(order: [Int]) throws {
    let joins = try #require(Day("2026-01-01"))
    let rows = [
      FinanceRegion(
        code: "LL", paymentsNames: ["Latin America"], currency: "USD", validFrom: nil,
        countries: ["CL", "CR"]),
      FinanceRegion(
        code: "LL", paymentsNames: ["Latin America"], currency: "USD", validFrom: joins,
        countries: ["CL", "PE"]),
    ]
    let regions = FinanceRegions(order.map { rows[$0] })
    let isListed = { (country: String, day: Day) in
      regions.region(country: country, currency: "USD", on: day).isListed
    }
    #expect(isListed("CR", joins - 1) && !isListed("PE", joins - 1))
    #expect(!isListed("CR", joins) && isListed("PE", joins))
  }

  @Test
  func `of South Asia and the Pacific were the rest of the world's until October 2024`() throws {
    let before = try #require(Day("2024-10-25"))
    let regions = FinanceRegions.apple
    let found = regions.region(country: "FJ", currency: "USD", on: before)
    #expect(found == (code: "WW", isListed: true))
    #expect(regions.region(country: "FJ", currency: "USD", on: before + 1).code == "AP")
    #expect(regions.region(named: "South Asia and Pacific", currency: "USD", on: before) == nil)
  }

  @Test(arguments: [
    "BT", "BN", "KH", "FJ", "LA", "MO", "MV", "FM", "MN", "MM", "NR", "NP", "PW", "PG", "SB", "LK",
    "TO", "VU",
  ])
  func `of a country that moves are one after the other`(country: String) throws {
    let day = try #require(Day("2024-10-26"))
    let spans = FinanceRegions.apple.spans(country: country, currency: "USD")
    #expect(spans.map(\.code) == ["WW", "AP"])
    #expect(spans.map(\.firstDay) == [.first, day])
    #expect(FinanceRegions.apple.spans(country: "KE", currency: "USD").map(\.code) == ["WW"])
  }

  @Test func `have each code once a currency, and countries in two letters`() {
    let regions = FinanceRegions.apple.all
    #expect(Set(regions.map { $0.code + $0.currency }).count == regions.count)
    #expect(Set(regions.map(\.code)).count == 48)
    #expect(regions.allSatisfy { $0.countries.allSatisfy { $0.utf8.count == 2 } })
    #expect(regions.allSatisfy { !$0.countries.isEmpty && !$0.paymentsNames.isEmpty })
  }
}
