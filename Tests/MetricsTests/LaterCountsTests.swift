import Metrics
import SubreportTestSupport
import SubscriptionModel
import Testing

/// How many days as-of goes on: within a period, over what is waited for, and past all of it.
private let steps = [1, 2, 3, 7, 30, 59, 60, 61, 64, 90]

extension WorldBuilder {
  /// Returns the world some days before, and the subscribers of whom nothing has changed since.
  fileprivate func earlier(by days: Int) -> (world: WorldBuilder, same: [Int]) {
    var then = self
    then.asOf = asOf - days
    let fold = ChainFold(
      terms: terms, completeness: then.completeness(), tally: emptyTally([[]]))
    let same = subscribers.indices.filter { subscriber in
      let next = fold.nextChange(of: then.history(subscriber))
      return next.map { $0 > asOf } ?? true
        && subscribers[subscriber].allSatisfy { $0.day <= then.asOf.number }
    }
    return (then, same)
  }
}

@Suite("What counts on later days")
struct LaterCountsTests {
  /// As-of, and when something changes of who renewed on the day until his period ended on 1 October.
  private static let waits: [(asOf: String, next: String?)] = [
    ("2024-09-01", "2024-10-01"), ("2024-09-03", "2024-10-01"), ("2024-09-30", "2024-10-01"),
    ("2024-10-01", "2024-10-04"), ("2024-10-04", "2024-11-30"), ("2024-11-30", nil),
  ]

  @Test("is no change: only a last period changes", arguments: waits)
  func nextChange(asOf: String, next: String?) {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day(asOf))
    world.add(["2024-07-01", "2024-08-01", "2024-09-01"].map { Purchase(day($0)) })
    let fold = ChainFold(
      terms: world.terms, completeness: world.completeness(), tally: world.emptyTally([[]]))
    #expect(fold.nextChange(of: world.history()) == next.map(day))
  }

  @Test("is counted when as-of reaches them", arguments: 0..<100 as Range<UInt64>)
  func advances(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let world = maker.world(subscribers: 20...60)
    let (then, same) = world.earlier(by: steps[Int(seed) % steps.count])
    var tally = then.tally(of: same, comparedViews, keepsLater: true)
    tally.advance(to: world.asOf)
    let found = world.tables(tally, comparedViews)
    let expected = world.tables(world.tally(of: same, comparedViews), comparedViews)
    for view in comparedViews.indices {
      for kind in TableKind.allCases {
        let (foundTable, expectedTable) = (
          try found.table(kind, view: view), try expected.table(kind, view: view)
        )
        #expect(foundTable == expectedTable, "\(kind) by \(comparedViews[view])")
      }
    }
  }

  @Test("is counted of increases too", arguments: 0..<60 as Range<UInt64>)
  func impactAdvances(seed: UInt64) {
    let prices = PriceWorld(seed: seed)
    let (world, changes) = (prices.world, prices.changes)
    let (then, same) = world.earlier(by: steps[Int(seed) % steps.count])
    var tally = world.impactTally(of: [], changes)
    let isMerged = tally.merge(then.impactTally(of: same, changes, keepsLater: true), .plus)
    #expect(isMerged)
    tally.advance(to: world.asOf)
    let found = world.impactTables(changes, tally)
    let expected = world.impactTables(changes, world.impactTally(of: same, changes))
    for view in ImpactView.allCases {
      let table = found.priceImpactTable(view: view)
      #expect(table == expected.priceImpactTable(view: view), "by \(view.rawValue)")
    }
    #expect(found.priceImpactMonthsTable() == expected.priceImpactMonthsTable())
  }
}
