import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// How many days as-of goes on: within a period, over what is waited for, and past all of it.
private let steps = [1, 2, 3, 7, 30, 59, 60, 61, 64, 90]

extension WorldBuilder {
  /// Returns the world some days before and today, without the rows that came since: those of the first
  /// days are dated after their reports.
  fileprivate func withoutNews(of days: Int) -> (then: WorldBuilder, now: WorldBuilder) {
    let now = until(asOf - days + 3)
    var then = now
    then.asOf = asOf - days
    return (then, now)
  }

  /// Returns whether a subscriber has other rows than in another world.
  fileprivate func differs(from other: WorldBuilder, in subscriber: Int) -> Bool {
    subscribers[subscriber].map(\.order) != other.subscribers[subscriber].map(\.order)
  }

  /// Compares the tables of a tally, settled today, with those of all subscribers, folded today.
  fileprivate func expectTables(
    of tally: Tally, _ views: [[Dimension]], missing: Set<Day> = []
  ) throws {
    let all = Array(subscribers.indices)
    let found = tables(tally, views, missing: missing)
    let today = self.tally(of: all, views, missing: missing, lastDay: asOf)
    let expected = tables(today, views, missing: missing)
    for view in views.indices {
      for kind in TableKind.allCases {
        let (foundTable, expectedTable) = (
          try found.table(kind, view: view), try expected.table(kind, view: view)
        )
        #expect(foundTable == expectedTable, "\(kind) by \(views[view]) on \(asOf)")
      }
    }
  }
}

@Suite("A tally settled on a later day")
struct SettlingTests {
  @Test(arguments: seeds(100))
  func `says what folding all rows on that day says`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let world = maker.world(subscribers: 20...60)
    let (then, now) = world.withoutNews(of: steps[Int(seed) % steps.count])
    let missing = maker.missingDays(of: world).filter { $0 <= then.asOf }
    var tally = then.tally(
      of: Array(world.subscribers.indices), comparedViews, missing: missing)
    try now.expectTables(of: tally, comparedViews, missing: missing)
    tally.decide(by: then.asOf + (now.asOf - then.asOf) / 2)
    try now.expectTables(of: tally, comparedViews, missing: missing)
  }

  /// As a night does: of subscribers with new rows, or whose rows are gone, what both days say alike is added to
  /// neither side.
  @Test(arguments: seeds(80))
  func `and of changed subscribers only what differs is added`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0x5EED)
    let world = maker.world(subscribers: 20...60)
    let before = world.withoutNews(of: steps[Int(seed) % steps.count]).then
    let missing = maker.missingDays(of: world).filter { $0 <= before.asOf }
    // Of every sixth subscriber reports were restated, since then or before.
    let gone = world.subscribers.map { _ in Int.random(in: 0..<12, using: &random) }
    let then = before.without { subscriber, _ in
      gone[subscriber] == 0 && Bool.random(using: &random)
    }
    let now = world.without { subscriber, _ in gone[subscriber] == 1 && Bool.random(using: &random)
    }
    let all = Array(now.subscribers.indices)
    var tally = then.tally(of: all, comparedViews, missing: missing)
    var (old, new) = (
      then.fold(comparedViews, missing: missing), now.fold(comparedViews, missing: missing)
    )
    for subscriber in all where seed % 3 == 0 || then.differs(from: now, in: subscriber) {
      ChainFold.add(then.history(subscriber), to: &old, now.history(subscriber), to: &new)
    }
    tally.subtract(old.tally)
    tally.merge(new.tally)
    try now.expectTables(of: tally, comparedViews, missing: missing)
    tally.decide(by: now.asOf)
    try now.expectTables(of: tally, comparedViews, missing: missing)
  }

  @Test
  func `a restated first paid charge moves its chain to another cohort of retention`() throws {
    let trial = Purchase(day("2024-03-01")).asTrial(Term(days: 7))
    let paid = ["2024-03-08", "2024-04-08", "2024-05-08"].map { Purchase(day($0)) }
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-05-31"))
    world.add([trial, paid[0], paid[0].with { $0.isContingent = true }, paid[1], paid[2]])
    let then = world.without { $1.order == 3 }
    let now = world.without { $1.order == 2 }
    let views: [[Dimension]] = [[.contingent], [.startMonth]]
    var tally = then.tally(of: [0], views)
    var (old, new) = (then.fold(views, missing: []), now.fold(views, missing: []))
    ChainFold.add(then.history(), to: &old, now.history(), to: &new)
    tally.subtract(old.tally)
    tally.merge(new.tally)
    try now.expectTables(of: tally, views)
  }

  /// Rows of one subscriber each, of which more is said on some day up to the next spring.
  private static let histories: [[Purchase]] = {
    let monthly = ["2024-07-01", "2024-08-01", "2024-09-01"].map { Purchase(day($0)) }
    let trial = Purchase(day("2024-08-25")).asTrial(Term(days: 7))
    // Charged a day or two before the end, given back at once; the next one too, on the day after the loss would
    // be decided had the period before it not ended later.
    let early = Purchase(day("2024-08-30"))
    let back = Purchase(day("2024-10-30"))
    let offer = trial.with {
      $0.kind = .intro
      $0.mode = .payUpFront
      $0.price = 5_000
    }
    return [
      monthly, [trial], [offer], [trial, Purchase(day("2024-09-01"))],
      monthly + [monthly[2].refunded(on: day("2024-09-10"))],
      [
        trial.with { $0.day = day("2024-07-25") }, Purchase(day("2024-08-01")), early,
        early.refunded(on: early.day), back, back.refunded(on: back.day),
      ],
      // Before the first report.
      (0..<3).map { number in
        let week = Purchase(day("2023-12-22") + 7 * number, product: "weekly", term: Term(days: 7))
        return number > 0
          ? week
          : week.with {
            $0.kind = .intro
            $0.mode = .payUpFront
            $0.offerTerm = Term(days: 7)
          }
      },
      [Purchase(day("2024-06-01"), product: "yearly", term: Term(months: 12))],
      (0..<12).map { Purchase(day("2024-07-01") + 7 * $0, product: "weekly", term: Term(days: 7)) },
    ]
  }()

  @Test(arguments: histories.indices)
  func `says the same whether each day or none was decided before`(history: Int) throws {
    let rows = Self.histories[history]
    // From the last row that is before the first day, or from the first report on.
    let firstDay = day("2024-01-01")
    let isEarly = rows[0].day < firstDay
    var world = WorldBuilder(firstFileDay: firstDay, asOf: isEarly ? firstDay : day("2024-08-31"))
    world.add(rows)
    let views: [[Dimension]] = [[.startMonth]]
    var folded = (rows: -1, tally: world.emptyTally(views))
    var daily = folded.tally
    for number in 1...210 {
      var today = world
      today.asOf = world.asOf + number
      today = today.until(today.asOf)
      let rows = today.subscribers[0].count
      guard rows == folded.rows else {
        // A row came: the subscriber is folded again.
        daily = today.tally(of: [0], views)
        folded = (rows, daily)
        continue
      }
      daily.decide(by: today.asOf)
      try today.expectTables(of: daily, views)
      guard number % 5 == 0 else { continue }
      try today.expectTables(of: folded.tally, views)
    }
  }

  @Test(arguments: seeds(60))
  func `says what increases did, too`(seed: UInt64) {
    let prices = PriceWorld(seed: seed)
    let changes = prices.changes
    let (then, now) = prices.world.withoutNews(of: steps[Int(seed) % steps.count])
    let all = Array(now.subscribers.indices)
    var tally = now.impactTally(of: [], changes)
    let isMerged = tally.merge(then.impactTally(of: all, changes), .plus)
    #expect(isMerged)
    tally.decide(by: now.asOf)
    let found = now.impactTables(changes, tally)
    let expected = now.impactTables(changes, now.impactTally(of: all, changes, lastDay: nil))
    for view in ImpactView.allCases {
      let table = found.impactTable(view: view)
      #expect(table == expected.impactTable(view: view), "by \(view.rawValue)")
    }
    #expect(found.impactMonthsTable() == expected.impactMonthsTable())
  }
}
