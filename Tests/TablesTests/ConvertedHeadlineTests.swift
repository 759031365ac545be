import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Converted net proceeds")
struct ConvertedHeadlineTests {
  private static let views: [[Dimension]] = [[], [.product], [.country], [.offer], [.startMonth]]

  /// Returns rates with different numbers of decimals, a new one each month.
  private static func conversion(_ world: WorldBuilder, _ seed: UInt64) -> CurrencyConversion {
    var random = SeededGenerator(seed: seed)
    var conversion = CurrencyConversion(to: "USD")
    for currency in world.symbols where currency.count == 3 && currency != "USD" {
      for month in 0..<120 {
        let rate = CurrencyConversion.Rate(
          numerator: Int64.random(in: 1...99_999, using: &random),
          scale: Int.random(in: 0...6, using: &random))
        conversion.add(rate, from: currency, on: (Month(year: 2022, month: 1) + month).firstDay)
      }
    }
    return conversion
  }

  private static func tables(_ maker: TableMaker) throws -> [TableKind: [ReportTable]] {
    var tables: [TableKind: [ReportTable]] = [:]
    for kind in HeadlineMaker.tables {
      tables[kind] = try views.indices.map { try maker.table(kind, view: $0) }
    }
    return tables
  }

  private static func money(_ cell: ReportTable.Cell) -> Int128 {
    if case .money(let milliunits) = cell { milliunits } else { 0 }
  }

  @Test(arguments: seeds(40))
  func `are one headline, and their drivers add up to its change`(seed: UInt64) throws {
    var random = RandomWorld(seed: seed)
    let world = random.world(subscribers: 20...60)
    let all = Array(world.subscribers.indices)
    let maker = world.tables(
      world.tally(of: all, Self.views), Self.views, conversion: Self.conversion(world, seed))
    let month = world.asOf.month
    let tables = try Self.tables(maker)
    let headlines = HeadlineMaker(
      maker, tables: tables, month: month, months: .calendar, headlineSource: .subscribers)
    let values = headlines.values.filter { $0.headline == .netProceeds }
    let proceeds = try #require(tables[.proceeds]?.first)
    let rows = proceeds.namedRows.filter { $0.text("month") == "\(month)" }
    guard !rows.isEmpty else {
      #expect(values.isEmpty)
      return
    }
    let value = try #require(values.first)
    #expect(values.count == 1)
    #expect(value.currency == "USD")
    // Each row of the table is rounded, the headline once.
    let sum = rows.reduce(Int128(0)) { $0 + Self.money($1.cell("net_proceeds_USD")) }
    #expect((Self.money(value.value) - sum).magnitude <= UInt128(rows.count))

    let drivers = headlines.drivers(
      against: [month - 1],
      by: [.movement] + [.product, .country, .offer, .startMonth].map(DriverSplit.of))
    let hold = drivers.checks.allSatisfy(\.holds)
    #expect(hold)
    let ofProceeds = drivers.rows.filter { $0.headline == .netProceeds }
    #expect(ofProceeds.allSatisfy { $0.currency == "USD" && $0.value != HeadlineMaker.notInView })
    if let whole = ofProceeds.first(where: { $0.split == nil }) {
      let change = Self.money(value.value) - Self.money(value.before.today)
      #expect((Self.money(whole.total) - change).magnitude <= 1)
    }
  }

  @Test
  func `are rounded once, after all currencies are added up`() throws {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-03-31"))
    for currency in ["EUR", "GBP"] {
      world.add([Purchase(day("2024-03-05")).with { $0.currency = currency }])
    }
    var conversion = CurrencyConversion(to: "USD")
    // The proceeds of each are worth an amount that ends with .4995 of a milliunit.
    conversion.add(.init(numerator: 10_001, scale: 4), from: "EUR", on: day("2024-01-01"))
    conversion.add(.init(numerator: 10_001, scale: 4), from: "GBP", on: day("2024-01-01"))
    let maker = world.tables(world.tally(of: [0, 1], [[]]), [[]], conversion: conversion)
    let tables = try [TableKind.proceeds: [maker.table(.proceeds, view: 0)]]
    let headlines = HeadlineMaker(
      maker, tables: tables, month: Month(year: 2024, month: 3), months: .calendar,
      headlineSource: .subscribers)
    let rows = try #require(tables[.proceeds]?.first?.namedRows)
    let own = rows.reduce(Int128(0)) { $0 + Self.money($1.cell("net_proceeds")) }
    let value = try #require(headlines.values.first { $0.headline == .netProceeds })
    let exact = own * 10_001
    #expect(2 * abs(10_000 * Self.money(value.value) - exact) <= 10_000)
    #expect(value.currency == "USD")
  }
}
