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
