import SubreportTestSupport
import Tables
import Testing

@Suite("Converted money")
struct CurrencyConversionTests {
  private func table(_ milliunits: Int128?, currency: String = "EUR", month: String = "2024-03")
    -> ReportTable
  {
    ReportTable(
      name: "proceeds", dimensions: [],
      columns: [
        ReportTable.Column("month", .key), ReportTable.Column("currency", .key),
        ReportTable.Column("gross_price", .money), ReportTable.Column("charges", .count),
      ],
      rows: [
        [
          .text(month), .text(currency), milliunits.map { .money(milliunits: $0) } ?? .missing,
          .count(1),
        ]
      ])
  }

  private func converted(
    _ milliunits: Int128?, _ rate: CurrencyConversion.Rate, month: String = "2024-03"
  ) throws -> ReportTable.Cell {
    var conversion = CurrencyConversion(to: "USD")
    conversion.add(rate, from: "EUR", on: day("2024-01-01"))
    return try conversion.addingColumns(to: table(milliunits, month: month)).rows[0][3]
  }

  static let roundings: [(Int64, Int64, Int, Int64)] = [
    (10_000, 10_842, 4, 10_842), (5, 5, 1, 2), (7, 5, 1, 4), (-5, 5, 1, -2), (-7, 5, 1, -4),
    (3, 5, 1, 2), (1, 5, 1, 0), (11, 25, 2, 3), (10, 25, 2, 2), (9, 25, 2, 2), (0, 99, 0, 0),
    (1, 499_999_999_999, 12, 0), (1, 500_000_000_001, 12, 1), (9_990, 2, 0, 19_980),
  ]

  @Test(arguments: roundings.indices)
  func `is rounded half to even to the milliunit`(index: Int) throws {
    let (milliunits, numerator, scale, expected) = Self.roundings[index]
    let found = try converted(Int128(milliunits), .init(numerator: numerator, scale: scale))
    #expect(found == .money(milliunits: Int128(expected)))
  }

  @Test
  func `stays missing where the amount is missing`() throws {
    #expect(try converted(nil, .init(numerator: 1, scale: 0)) == .missing)
  }

  @Test
  func `stands beside the original, under the target's name`() throws {
    var conversion = CurrencyConversion(to: "USD")
    conversion.add(.init(numerator: 2, scale: 0), from: "EUR", on: day("2024-01-01"))
    let found = try conversion.addingColumns(to: table(5))
    #expect(
      found.columns.map(\.name)
        == ["month", "currency", "gross_price", "gross_price_USD", "charges"])
    #expect(found.rows[0][2] == .money(milliunits: 5))
  }

  @Test
  func `in the target's own currency needs no rate`() throws {
    let found = try CurrencyConversion(to: "USD").addingColumns(to: table(5, currency: "USD"))
    #expect(found.rows[0][3] == .money(milliunits: 5))
  }

  @Test(arguments: [0, 1])
  func `takes the newest rate on or before the month's last day`(order: Int) throws {
    var conversion = CurrencyConversion(to: "USD")
    let rates: [(String, Int64)] = [("2024-02-15", 2), ("2024-03-31", 3), ("2024-04-01", 4)]
    for (text, rate) in order == 0 ? rates : rates.reversed() {
      conversion.add(.init(numerator: rate, scale: 0), from: "EUR", on: day(text))
    }
    let amounts = try ["2024-02", "2024-03", "2024-04", "2024-05"].map {
      try conversion.addingColumns(to: table(10, month: $0)).rows[0][3]
    }
    #expect(amounts == [20, 30, 40, 40].map { .money(milliunits: $0) })
    conversion.add(.init(numerator: 7, scale: 0), from: "EUR", on: day("2024-03-31"))
    #expect(try conversion.addingColumns(to: table(10)).rows[0][3] == .money(milliunits: 70))
  }

  @Test
  func `is an error without a rate early enough`() {
    #expect(throws: ConversionError.missingRate(from: "EUR", to: "USD", month: "2023-12")) {
      try converted(5, .init(numerator: 1, scale: 0), month: "2023-12")
    }
    #expect(throws: ConversionError.missingRate(from: "EUR", to: "USD", month: "2024-03")) {
      try CurrencyConversion(to: "USD").addingColumns(to: table(5))
    }
  }

  @Test(arguments: TableKind.allCases)
  func `is in tables of amounts, and in no other table`(kind: TableKind) throws {
    var maker = RandomWorld(seed: 3)
    let world = maker.world(subscribers: 10...10)
    var conversion = CurrencyConversion(to: "USD")
    for currency in ["EUR", "JPY"] {
      conversion.add(.init(numerator: 1, scale: 0), from: currency, on: day("2023-01-01"))
    }
    let tally = world.tally(of: Array(world.subscribers.indices), [[]])
    let table = try world.tables(tally, [[]], conversion: conversion).table(kind, view: 0)
    let money = table.columns.filter { $0.kind == .money }.map(\.name)
      .filter { $0 != "fx_USD" }
    let plain = money.filter { !$0.hasSuffix("_USD") }
    #expect(money == plain.flatMap { [$0, "\($0)_USD"] })
    #expect(
      !money.isEmpty == [.refunds, .proceeds, .commitments, .recurring, .lifetime].contains(kind))
  }
}
