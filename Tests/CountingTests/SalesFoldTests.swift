import Counting
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Proceeds of random sales")
struct SalesFoldTests {
  struct Row: Sendable {
    var month: Month
    var units: Int
    var price: Int64
    var isPriceNegative: Bool
    var product: Int
    var country: Int
    var currency: Int
    var proceedsCurrency: Int

    var isRefund: Bool { units < 0 || isPriceNegative }
    var count: Int { max(1, abs(units)) }
    var proceeds: Int64 { price * 7 / 10 }
  }

  static let symbols = ["", "monthly", "yearly", "US", "DE", "USD", "EUR"]
  static let views: [[Dimension]] = [[], [.product], [.country], [.country, .product]]
  static let asOf = day("2024-06-15")

  @Test(arguments: seeds(100))
  func `agree with the obvious version`(seed: UInt64) throws {
    let rows = Self.rows(seed: seed)
    let tables = Self.tables(Self.tally(rows, months: Set(rows.map(\.month))))
    for (view, dimensions) in Self.views.enumerated() {
      let found = try tables.table(.proceeds, view: view).rowsWithoutIDs
      let expected = Self.reference(rows, dimensions)
      #expect(Differences(found, expected) == nil, "\(dimensions)")
    }
  }

  @Test(arguments: seeds(20))
  func `are the same, however the sales are split and merged`(seed: UInt64) throws {
    let rows = Self.rows(seed: seed)
    let months = Set(rows.map(\.month))
    var merged = Self.tally(Array(rows.dropFirst(rows.count / 3)), months: months)
    merged.merge(Self.tally(Array(rows.prefix(rows.count / 3)), months: months))
    let whole = Self.tables(Self.tally(rows, months: months))
    let parts = Self.tables(merged)
    for view in Self.views.indices {
      #expect(try whole.table(.proceeds, view: view) == parts.table(.proceeds, view: view))
    }
  }

  @Test
  func `have no row where everything is 0`() throws {
    let row = Row(
      month: day("2024-03-01").month, units: -1, price: 0, isPriceNegative: false, product: 1,
      country: 3, currency: 5, proceedsCurrency: 5)
    let tables = Self.tables(Self.tally([row], months: [row.month]))
    #expect(try tables.table(.proceeds, view: 0).rows.isEmpty)
  }

  private static func rows(seed: UInt64) -> [Row] {
    var random = SeededGenerator(seed: seed)
    return (0..<Int.random(in: 5...60, using: &random)).map { _ in
      let currency = Int.random(in: 5...6, using: &random)
      let isForeign = Int.random(in: 0..<15, using: &random) == 0
      return Row(
        month: Month(year: 2024, month: Int.random(in: 3...6, using: &random)),
        units: Int.random(in: -2...5, using: &random),
        price: [0, 9_990, 12_990].randomElement(using: &random) ?? 0,
        isPriceNegative: Int.random(in: 0..<6, using: &random) == 0,
        product: Int.random(in: 1...2, using: &random),
        country: Int.random(in: 3...4, using: &random), currency: currency,
        proceedsCurrency: isForeign ? 11 - currency : currency)
    }
  }

  private static func tally(_ rows: [Row], months: Set<Month>) -> Tally {
    let first = months.min() ?? asOf.month
    var fold = SalesFold(
      tally: Tally(
        source: .sales, views: views, filter: Filter(), months: first...asOf.month + 1))
    for (index, row) in rows.enumerated() {
      var attributes = Attributes()
      attributes.product = Symbol(row.product)
      attributes.country = Symbol(row.country)
      let terms = SalesTerms(
        attributes: attributes,
        price: Amount(milliunits: row.price, currency: Symbol(row.currency)),
        isPriceNegative: row.isPriceNegative,
        proceeds: Amount(milliunits: row.proceeds, currency: Symbol(row.proceedsCurrency)))
      fold.add(
        SalesRowKey(terms: UInt32(index), day: row.month.firstDay, units: row.units),
        count: row.count,
        terms: terms)
    }
    return fold.tally
  }

  private static func tables(_ tally: Tally) -> TableMaker {
    let days = (0...180).map { day("2024-01-01") + $0 }
    let completeness = Completeness(
      firstDay: day("2024-01-01"), asOf: asOf, presentDays: Set(days))
    return TableMaker(
      sources: [SourceReport(tally: tally, completeness: completeness)], views: views,
      names: Names(symbols: symbols, products: [:], apps: [:]))
  }

  private static func keys(_ row: Row, _ dimensions: [Dimension]) -> [String] {
    ["sales", row.month.description]
      + dimensions.map { symbols[$0 == .product ? row.product : row.country] }
      + [symbols[row.proceedsCurrency]]
  }

  private static func reference(_ rows: [Row], _ dimensions: [Dimension]) -> [[ReportTable.Cell]] {
    let keys = Set(rows.map { Self.keys($0, dimensions) })
    return keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { key in
      let own = rows.filter { Self.keys($0, dimensions) == key && ($0.isRefund || $0.price > 0) }
      let charges = own.filter { !$0.isRefund }
      let refunds = own.filter(\.isRefund)
      let sum = { (rows: [Row], amount: (Row) -> Int64) in
        rows.reduce(Int128(0)) { $0 + Int128(amount($1)) * Int128($1.count) }
      }
      let isForeign = own.contains { $0.currency != $0.proceedsCurrency }
      let gross = sum(charges) { $0.price }
      let proceeds = sum(charges) { $0.proceeds }
      let refunded = sum(refunds) { $0.proceeds }
      let refundedPrice = sum(refunds) { $0.price }
      guard !charges.isEmpty || refundedPrice != 0 else { return nil }
      let price = { isForeign ? ReportTable.Cell.missing : .money(milliunits: $0) }
      return key.map { .text($0) } + [
        .count(charges.reduce(0) { $0 + $1.count }), price(gross), .money(milliunits: proceeds),
        price(refundedPrice), .money(milliunits: refunded),
        .money(milliunits: proceeds - refunded),
        isForeign || gross == 0
          ? .missing : .ratio(numerator: proceeds, denominator: gross),
      ]
    }
  }
}
