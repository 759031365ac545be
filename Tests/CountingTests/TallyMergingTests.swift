import Counting
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Merging tallies")
struct TallyMergingTests {
  @Test(arguments: seeds(60))
  func `gives the same tables for any parts in any order`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0x5EED)
    let world = maker.world(subscribers: 5...20)
    let missing = maker.missingDays(of: world)
    let whole = world.tables(comparedViews, missing: missing)
    var parts = [[Int]](repeating: [], count: Int.random(in: 2...6, using: &random))
    for subscriber in world.subscribers.indices.shuffled(using: &random) {
      parts[Int.random(in: parts.indices, using: &random)].append(subscriber)
    }
    var tallies = parts.shuffled(using: &random).map {
      world.tally(of: $0, comparedViews, missing: missing)
    }
    // Any two neighbours in any order: associative as well as commutative.
    while tallies.count > 1 {
      let index = Int.random(in: 0..<tallies.count - 1, using: &random)
      let right = tallies.remove(at: index + 1)
      if Bool.random(using: &random) {
        tallies[index].merge(right)
      } else {
        let left = tallies[index]
        tallies[index] = right
        tallies[index].merge(left)
      }
    }
    let merged = world.tables(tallies[0], comparedViews, missing: missing)
    for view in comparedViews.indices {
      for kind in TableKind.allCases {
        let expected = try whole.table(kind, view: view)
        let found = try merged.table(kind, view: view)
        #expect(found == expected, "\(kind) by \(comparedViews[view])")
      }
    }
  }

  @Test
  func `is the same beside terms that are too many to count each by month`() throws {
    var maker = RandomWorld(seed: 3)
    let world = maker.world(subscribers: 20...20)
    let some = try #require(world.terms.first)
    let others = [ChargeTerms](repeating: some, count: 700_000)
    var fold = ChainFold(
      terms: world.terms + others, completeness: world.completeness(),
      tally: world.emptyTally(comparedViews), lastDay: .last)
    for subscriber in world.subscribers.indices { fold.add(world.history(subscriber)) }
    let found = world.tables(fold.tally, comparedViews)
    let expected = world.tables(comparedViews)
    for view in comparedViews.indices {
      #expect(try found.table(.proceeds, view: view) == expected.table(.proceeds, view: view))
    }
  }

  @Test(arguments: seeds(60))
  func `and taking a part back leaves the others`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0x5EED)
    let world = maker.world(subscribers: 5...20)
    let missing = maker.missingDays(of: world)
    let subscribers = Array(world.subscribers.indices.shuffled(using: &random))
    let kept = Array(subscribers.prefix(Int.random(in: 0...subscribers.count, using: &random)))
    var tally = world.tally(of: subscribers, comparedViews, missing: missing)
    tally.subtract(
      world.tally(of: subscribers.filter { !kept.contains($0) }, comparedViews, missing: missing))
    let expected = world.tables(
      world.tally(of: kept, comparedViews, missing: missing), comparedViews, missing: missing)
    let found = world.tables(tally, comparedViews, missing: missing)
    for view in comparedViews.indices {
      for kind in TableKind.allCases {
        let (foundTable, expectedTable) = (
          try found.table(kind, view: view), try expected.table(kind, view: view)
        )
        #expect(foundTable == expectedTable, "\(kind) by \(comparedViews[view])")
      }
    }
  }

  @Test
  func `keeps the table of instalments whose counts are all 0`() {
    // One instalment of unknown position, refunded in the month in which it was charged.
    var world = ReceiptWorld()
    let refunded = Bought("2026-03-03T08:00:00", "2026-04-03T08:00:00").with {
      $0.product = "yearly"
      $0.flags = [.hasBillingPlan, .commitment]
      $0.originalPurchase = instant("2025-12-03")
      $0.cancellation = instant("2026-03-05")
    }
    world.add(instant("2026-03-06"), [refunded])
    for parts in 1...3 { #expect(world.tables(parts: parts).allows(.commitments)) }
  }

  @Test
  func `with an empty tally changes nothing`() throws {
    var maker = RandomWorld(seed: 7)
    let world = maker.world(subscribers: 10...10)
    var tally = world.emptyTally([[]])
    tally.merge(world.tally(of: Array(world.subscribers.indices), [[]]))
    tally.merge(world.emptyTally([[]]))
    for kind in TableKind.allCases {
      let found = try world.tables(tally, [[]]).table(kind, view: 0)
      let expected = try world.tables().table(kind, view: 0)
      #expect(found == expected)
    }
  }

  @Test(arguments: seeds(30))
  func `keeps the whole population equal to the sum of a view`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let world = maker.world(subscribers: 10...20)
    let tables = world.tables([[], [.country]])
    let columns = [
      (TableKind.churn, "churned"), (.renewals, "due"), (.lapses, "lapses"), (.trials, "trials"),
      (.proceeds, "charges"), (.refunds, "refunds_full"), (.movement, "started"),
    ]
    for (kind, column) in columns {
      let sums = try [0, 1].map { view in
        try tables.table(kind, view: view)[column: column, keys: []].reduce(0) { sum, cell in
          if case .count(let count) = cell { sum + count } else { sum }
        }
      }
      #expect(sums[0] == sums[1], "\(kind).\(column)")
    }
  }
}

@Suite("A filter")
struct FilterTests {
  @Test(arguments: seeds(60))
  func `selects the numbers of the view's row`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let world = maker.world(subscribers: 10...20)
    guard let german = world.symbols.firstIndex(of: "DE") else { return }
    let filter = Filter(dimensions: [.country]) { $0.country == Symbol(german) }
    let all = Array(world.subscribers.indices)
    let filtered = world.tables(world.tally(of: all, [[]], filter: filter), [[]])
    let views = world.tables([[.country]])
    for kind in TableKind.allCases where kind != .definitions {
      let view = try views.table(kind, view: 0)
      guard let column = view.columns.firstIndex(where: { $0.name == "country" }) else { continue }
      let expected = view.rows.filter { $0[column] == .text("DE") }.map { row in
        row.enumerated().filter { $0.offset != column }.map(\.element)
      }
      let found = try filtered.table(kind, view: 0).rowsWithoutIDs
      #expect(Differences(found, expected) == nil, "\(kind)")
    }
  }

  @Test
  func `of nothing admits everything`() {
    #expect(Filter().isEmpty)
    #expect(Filter().admits(Attributes()))
    #expect(!Filter(dimensions: [.app]) { _ in false }.isEmpty)
  }
}
