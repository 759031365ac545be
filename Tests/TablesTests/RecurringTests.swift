import Counting
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Recurring revenue")
struct RecurringTests {
  /// A world whose first file is of long before all charges, so that all starts are known.
  private static func world(asOf: String) -> WorldBuilder {
    WorldBuilder(firstFileDay: day("2023-06-01"), asOf: day(asOf))
  }

  private static func charge(
    _ text: String, _ price: Int64 = 9_990, _ product: String = "Monthly",
    term: Term = Term(months: 1)
  ) -> Purchase {
    Purchase(day(text), product: product, term: term).with {
      $0.price = price
      $0.proceeds = price * 7 / 10
    }
  }

  /// Returns the cells of a row that are not 0, without those that follow from others.
  private func row(_ table: ReportTable, _ keys: [String]) -> [String: String] {
    let names = table.columns.map(\.name).filter {
      ![
        "active", "arr", "arpu", "gross_churn_rate", "net_churn_rate", "state", "product_id",
      ].contains($0)
    }
    let kinds = Dictionary(uniqueKeysWithValues: table.columns.map { ($0.name, $0.kind) })
    var row: [String: String] = [:]
    for name in names where kinds[name] != .key {
      let cells = table[column: name, keys: keys]
      guard cells.count == 1, cells[0] != .money(milliunits: 0) else { continue }
      row[name] = cells[0].text
    }
    return row
  }

  static let values: [(Int64, Term, Int64)] = [
    (59_990, Term(months: 12), 4_999), (3_990, Term(days: 7), 17_349),
    (12_990, Term(months: 3), 4_330), (5_990, Term(months: 1), 5_990),
    (1, Term(months: 2), 1), (1, Term(months: 3), 0), (48, Term(days: 1), 1_461),
  ]

  @Test(arguments: values.indices)
  func `a charge is worth its amount by the months that it pays for`(index: Int) {
    let (amount, term, expected) = Self.values[index]
    let value = MonthlyValue(Amount(milliunits: amount, currency: .blank), of: term)
    #expect(value.result.milliunits == expected)
  }

  @Test
  func `an instalment pays for a month, and an offer paid up front for its own term`() {
    let year = Self.charge("2024-01-10", 5_990, term: .year)
    var world = Self.world(asOf: "2024-12-31")
    world.add([year.with { $0.plan = .commitment }])
    world.add([
      Self.charge("2024-01-10", 12_990).with {
        ($0.kind, $0.mode, $0.offerTerm) = (.intro, .payUpFront, Term(months: 3))
        $0.optInTerm = Term(days: 7)
      }
    ])
    #expect(world.terms.map(\.value.term) == [Term(months: 1), Term(months: 3)])
  }

  @Test
  func `of a lapse and a return is neither churn nor expansion`() throws {
    var world = Self.world(asOf: "2024-03-31")
    world.add([Self.charge("2024-01-10"), Self.charge("2024-03-05")])
    let table = try world.tables().table(.recurring, view: 0)
    #expect(
      row(table, ["price", "2024-02", "USD"]) == ["open": "9990", "entered_retry": "9990"])
    #expect(row(table, ["price", "2024-03", "USD"]) == ["recovered": "9990", "mrr": "9990"])
    #expect(
      table[column: "gross_churn_rate", keys: ["price", "2024-02"]].map(\.text) == ["0/9990"])
  }

  @Test
  func `falls when a yearly plan follows a monthly one`() throws {
    var world = Self.world(asOf: "2024-01-31")
    world.add([
      Self.charge("2024-01-10"),
      Self.charge("2024-01-20", 59_990, "Yearly", term: .year),
    ])
    let whole = try world.tables().table(.recurring, view: 0)
    #expect(
      row(whole, ["price", "2024-01", "USD"])
        == ["new": "9990", "contraction_product": "4991", "mrr": "4999"])
    let table = try world.tables([[.product]]).table(.recurring, view: 0)
    #expect(
      row(table, ["price", "2024-01", "Monthly", "USD"])
        == ["new": "9990", "switched_out": "9990"])
    #expect(
      row(table, ["price", "2024-01", "Yearly", "USD"])
        == ["switched_in": "9990", "contraction_product": "4991", "mrr": "4999"])
  }

  @Test
  func `of two currencies has no difference`() throws {
    var world = Self.world(asOf: "2024-02-28")
    world.add([
      Self.charge("2024-01-10"), Self.charge("2024-02-10", 8_990).with { $0.currency = "EUR" },
    ])
    let table = try world.tables().table(.recurring, view: 0)
    #expect(
      row(table, ["price", "2024-02", "USD"]) == ["open": "9990", "switched_out": "9990"])
    #expect(row(table, ["price", "2024-02", "EUR"]) == ["switched_in": "8990", "mrr": "8990"])
  }

  @Test
  func `has a gross and a net churn rate`() throws {
    var world = Self.world(asOf: "2024-04-30")
    world.add([Self.charge("2024-01-10")])
    world.add([Self.charge("2024-01-10"), Self.charge("2024-02-10", 12_990)])
    world.add([
      Self.charge("2024-01-10"),
      Self.charge("2024-02-10", 5_000).with { ($0.kind, $0.mode) = (.offer, .payAsYouGo) },
    ])
    world.add([Self.charge("2023-07-10"), Self.charge("2024-02-10")])
    let table = try world.tables().table(.recurring, view: 0)
    let keys = ["price", "2024-02", "USD"]
    #expect(
      row(table, keys) == [
        "open": "29970", "reactivated": "9990", "expansion_price": "3000",
        "contraction_offer": "4990", "churned": "9990", "mrr": "27980",
      ])
    #expect(table[column: "gross_churn_rate", keys: keys].map(\.text) == ["14980/29970"])
    #expect(table[column: "net_churn_rate", keys: keys].map(\.text) == ["1990/29970"])
    #expect(table[column: "arr", keys: keys].map(\.text) == ["335760"])
    #expect(table[column: "arpu", keys: keys].map(\.text) == ["9327"])
  }

  @Test
  func `is converted charge by charge, and the rate has a column of its own`() throws {
    var world = Self.world(asOf: "2024-02-28")
    world.add(
      [Self.charge("2024-01-10"), Self.charge("2024-02-10", 10_990)].map { row in
        row.with { $0.currency = "EUR" }
      })
    var conversion = CurrencyConversion(to: "USD")
    conversion.add(.init(numerator: 11, scale: 1), from: "EUR", on: day("2024-01-01"))
    conversion.add(.init(numerator: 12, scale: 1), from: "EUR", on: day("2024-02-20"))
    let table = try world.tables(
      world.tally(of: [0], [[]]), [[]], conversion: conversion
    ).table(.recurring, view: 0)
    let found = row(table, ["price", "2024-02", "EUR"])
    let expected = [
      "open_USD": "10989", "fx_USD": "999", "expansion_price_USD": "1200", "mrr_USD": "13188",
    ]
    for (name, amount) in expected { #expect(found[name] == amount, "\(name)") }
    let names = table.columns.map(\.name)
    let place = try #require(names.firstIndex(of: "open"))
    #expect(Array(names[place...(place + 2)]) == ["open", "open_USD", "fx_USD"])
  }

  @Test
  func `needs a rate for each printed amount`() throws {
    var world = Self.world(asOf: "2024-02-28")
    world.add([Self.charge("2024-01-10").with { $0.currency = "EUR" }])
    let maker = world.tables(
      world.tally(of: [0], [[]]), [[]], conversion: CurrencyConversion(to: "USD"))
    #expect(throws: ConversionError.missingRate(from: "EUR", to: "USD", month: "2024-01")) {
      try maker.table(.recurring, view: 0)
    }
    #expect(throws: ConversionError.missingRate(from: "EUR", to: "USD", month: "2024-01")) {
      try maker.table(.lifetime, view: 0)
    }
  }

  @Test(arguments: seeds(50))
  func `closes in every row of random worlds`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let tables = maker.world(subscribers: 10...20).tables(comparedViews)
    for view in comparedViews.indices {
      let table = try tables.table(.recurring, view: view)
      for row in table.namedRows {
        let gains = [
          "open", "new", "first_seen", "reactivated", "recovered", "expansion_product",
          "expansion_offer", "expansion_price", "switched_in",
        ]
        let losses = [
          "contraction_product", "contraction_offer", "contraction_price", "churned",
          "entered_retry", "switched_out",
        ]
        let sum = { (names: [String]) -> Int128 in
          names.reduce(0) { sum, name in
            guard case .money(let amount) = row.cell(name) else { return sum }
            return sum + amount
          }
        }
        #expect(row.cell("mrr") == .money(milliunits: sum(gains) - sum(losses)))
      }
    }
  }
}
