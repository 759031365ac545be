import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("The impact of random price increases")
struct PriceImpactReferenceTests {
  @Test(arguments: seeds(50))
  func `agrees with the obvious version`(seed: UInt64) {
    compare(PriceWorld(seed: seed), seed)
  }

  @Test(arguments: seeds(50, from: 300))
  func `agrees with it where some pay in instalments`(seed: UInt64) {
    compare(PriceWorld(seed: seed, hasCommitments: true), seed)
  }

  private func compare(_ prices: PriceWorld, _ seed: UInt64) {
    let world = prices.world
    let missing: Set<Day> = seed % 5 == 0 ? [world.firstFileDay + 150] : []
    let tables = world.impactTables(prices.changes, missing: missing)
    let reference = ReferenceImpact(world, changes: prices.changes, missingDays: missing)
    for view in ImpactView.allCases {
      let found = tables.impactTable(view: view)
      let expected = reference.rows(by: view.rawValue)
      #expect(
        RowDifference(found, expected) == nil, "by \(view.rawValue)")
    }
  }

  @Test(arguments: seeds(60))
  func `adds up to the milliunit`(seed: UInt64) throws {
    let prices = PriceWorld(seed: seed)
    let tables = prices.world.impactTables(prices.changes)
    for view in ImpactView.allCases {
      let table = tables.impactTable(view: view)
      for row in table.rows.indices.map(table.row) {
        let count = { (names: String...) in
          names.reduce(0) { sum, name in
            if case .count(let count) = row[name] { sum + count } else { sum }
          }
        }
        #expect(count("exposed") == count("reached", "not_reached"))
        #expect(
          count("reached")
            == count(
              "renewed_new_price", "renewed_old_price", "renewed_other_price", "changed_product",
              "recovered", "lapsed", "pending"))
        guard let net = row.money("net_effect") else { continue }
        let parts = ["price_effect", "volume_effect", "mix_effect"].compactMap { row.money($0) }
        let actual = try #require(row.money("proceeds_actual"))
        let without = try #require(row.money("proceeds_counterfactual"))
        let share = try #require(row.money("share_effect"))
        #expect(parts.reduce(0, +) == net)
        #expect(actual - without - share == net)
      }
    }
  }

  @Test(arguments: seeds(30))
  func `is the same for any parts in any order`(seed: UInt64) {
    let prices = PriceWorld(seed: seed)
    let world = prices.world
    var random = SeededGenerator(seed: seed ^ 0x5EED)
    var parts = [[Int]](repeating: [], count: Int.random(in: 2...6, using: &random))
    for subscriber in world.subscribers.indices.shuffled(using: &random) {
      parts[Int.random(in: parts.indices, using: &random)].append(subscriber)
    }
    var tallies = parts.map { world.impactTally(of: $0, prices.changes) }
    while tallies.count > 1 {
      let index = Int.random(in: 0..<tallies.count - 1, using: &random)
      let right = tallies.remove(at: index + 1)
      tallies[index].merge(right)
    }
    let whole = world.impactTables(prices.changes)
    let merged = world.impactTables(prices.changes, tallies[0])
    for view in ImpactView.allCases {
      let found = merged.impactTable(view: view)
      #expect(found == whole.impactTable(view: view), "by \(view.rawValue)")
    }
    #expect(merged.impactMonthsTable() == whole.impactMonthsTable())
  }

  @Test
  func `of a filter is the rows of its price`() {
    let prices = PriceWorld(seed: 3)
    let world = prices.world
    let whole = world.impactTables(prices.changes).impactTable(view: .whole)
    for key in Set(prices.changes.filter { $0.kind == .increase }.map(\.key)) {
      var changes = prices.changes
      for index in changes.indices { changes[index].isAdmitted = changes[index].key == key }
      let expected = whole.rows.filter { row in
        row[1] == .text(world.symbols[Int(key.product)])
          && row[2] == .text(world.symbols[Int(key.country)])
      }
      #expect(world.impactTables(changes).impactTable(view: .whole).rows == expected)
    }
  }
}

/// The first cell in which two lists of rows differ; statistics may differ by rounding.
struct RowDifference: Equatable, CustomStringConvertible {
  let description: String

  init?(_ found: ReportTable, _ expected: [[ReportTable.Cell]]) {
    guard found.rows.count == expected.count else {
      description =
        "found \(found.rows.map { $0.prefix(9) }), expected \(expected.map { $0.prefix(9) })"
      return
    }
    for (row, other) in zip(found.rows, expected) {
      for (index, (cell, expected)) in zip(row, other).enumerated()
      where !Self.areEqual(cell, expected) {
        description =
          "\(found.columns[index].name): found \(cell), expected \(expected) in \(row.prefix(9))"
        return
      }
    }
    return nil
  }

  private static func areEqual(_ left: ReportTable.Cell, _ right: ReportTable.Cell) -> Bool {
    if left == right { return true }
    guard let left = value(left), let right = value(right) else { return false }
    return abs(left - right) < 1e-9
  }

  private static func value(_ cell: ReportTable.Cell) -> Double? {
    switch cell {
    case .fraction(let value): value
    case .ratio(let numerator, let denominator): Double(numerator) / Double(denominator)
    default: nil
    }
  }
}
