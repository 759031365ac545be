import Counting
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("A view of retention alone")
struct RetentionViewTests {
  private static let view: [Dimension] = [.startMonth, .duration]

  /// The number of those lost and kept by start month and k.
  private static func lost(_ table: ReportTable) -> [String: Int] {
    table.namedRows.reduce(into: [:]) { sums, row in
      let key = "\(row.text("start_month")) \(row["k"] ?? 0)"
      for column in ["lost", "kept"] { sums["\(key) \(column)", default: 0] += row[column] ?? 0 }
    }
  }

  @Test(arguments: seeds(40))
  func `has the rows of the same view of every table, and no other table has it`(
    seed: UInt64
  ) throws {
    var maker = RandomWorld(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0x5EED)
    let world = maker.world(subscribers: 5...20)
    let completeness = world.completeness()
    let months = Month(year: 2023, month: 1)...Month(year: 2031, month: 1)
    let empty = Tally(
      source: .subscribers, views: [[]], retentionViews: [Self.view], filter: Filter(),
      months: months)
    var tally = empty
    let middle = Int.random(in: 0...world.subscribers.count, using: &random)
    for part in [0..<middle, middle..<world.subscribers.count] {
      var fold = ChainFold(
        terms: world.terms, completeness: completeness, tally: empty, lastDay: .last)
      for subscriber in part { fold.add(world.history(subscriber)) }
      tally.merge(fold.tally)
    }
    let alone = TableMaker(
      sources: [SourceReport(tally: tally, completeness: completeness)], views: [[]],
      retentionViews: [Self.view], names: world.plainNames)
    let found = try alone.table(.retention, view: 1)
    let expected = try world.tables([Self.view]).table(.retention, view: 0)
    #expect(found == expected)
    // The durations of a start month add up to it.
    let ofMonths = try world.tables([[.startMonth]]).table(.retention, view: 0)
    #expect(Self.lost(found) == Self.lost(ofMonths))
    for kind in TableKind.allCases where alone.allows(kind) {
      #expect(alone.views(of: kind) == (kind == .retention ? [0, 1] : [0]))
    }
  }
}

@Suite("Views by app, product and country")
struct AppViewTests {
  @Test(arguments: seeds(30))
  func `have the rows of views that are counted one by one`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let world = maker.world(subscribers: 5...20)
    let views: [[Dimension]] = [[], [.product], [.country], [.app]]
    let together = world.tables(views)
    for (view, dimensions) in views.enumerated() {
      let alone = world.tables([dimensions])
      for kind in TableKind.allCases {
        let (found, expected) = (
          try together.table(kind, view: view), try alone.table(kind, view: 0)
        )
        #expect(found == expected, "\(kind) by \(dimensions)")
      }
    }
  }
}

@Suite("Retention of some start months")
struct StartMonthTests {
  private static let views: [[Dimension]] = [
    [], [.product], [.startMonth], [.startMonth, .product],
  ]
  private static let always = Month(year: 2000, month: 1)...Month(year: 2099, month: 12)
  private static let counts = ["at_risk", "lost", "kept"]

  private static func maker(_ seed: UInt64) -> TableMaker {
    var random = RandomWorld(seed: seed)
    return random.world(subscribers: 5...30).tables(views)
  }

  @Test(arguments: seeds(40))
  func `is the whole table where all of them are meant`(seed: UInt64) throws {
    let maker = Self.maker(seed)
    for view in 0...1 {
      let found = maker.retention(by: Self.views[view], startedIn: Self.always)
      let expected = try maker.table(.retention, view: view)
      #expect(found == expected)
    }
    let byMonth = maker.retention(by: [.startMonth], startedIn: Self.always)
    let expected = try maker.table(.retention, view: 2)
    #expect(byMonth == expected)
  }

  @Test(arguments: seeds(40))
  func `adds up the counts of the months, and then makes the curve`(seed: UInt64) throws {
    let maker = Self.maker(seed)
    var random = SeededGenerator(seed: seed)
    let rows = try maker.table(.retention, view: 2).namedRows
    let months = Set(rows.compactMap { Month($0.text("start_month")) }).sorted()
    guard let one = months.randomElement(using: &random),
      let other = months.randomElement(using: &random)
    else { return }
    let chosen = min(one, other)...max(one, other)
    var expected: [Int: [Int]] = [:]
    for row in rows {
      guard let month = Month(row.text("start_month")), chosen.contains(month), let k = row["k"]
      else { continue }
      for (index, column) in Self.counts.enumerated() {
        expected[k, default: [0, 0, 0]][index] += row[column] ?? 0
      }
    }
    let found = maker.retention(by: [], startedIn: chosen).namedRows
    #expect(found.compactMap { $0["k"] } == expected.keys.sorted())
    var survival = 1.0
    for row in found {
      #expect(Self.counts.map { row[$0] } == expected[row["k"] ?? 0]?.map(Optional.some))
      survival *= 1 - Double(row["lost"] ?? 0) / Double(row["at_risk"] ?? 1)
      guard case .fraction(let value) = row.cell("survival") else {
        Issue.record("no survival")
        continue
      }
      #expect(abs(value - survival) < 1e-12)
    }
  }

  @Test
  func `has no row for months in which nothing began`() {
    let early = Month(year: 1999, month: 1)...Month(year: 1999, month: 12)
    let table = Self.maker(3).retention(by: [.product], startedIn: early)
    #expect(
      table.rows.isEmpty && table.columns.map(\.name).prefix(3) == ["source", "product", "k"])
  }
}
