import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// The first file is of 2024-01-01.
@Suite("The state of a row")
struct StateTests {
  private func world(_ rows: Purchase..., asOf: String = "2024-12-31") -> WorldBuilder {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day(asOf))
    for row in rows { world.add([row]) }
    return world
  }

  private func state(
    _ kind: TableKind, _ month: String, _ world: WorldBuilder, missing: Set<Day> = []
  ) throws -> [ReportTable.Cell] {
    try world.tables(missing: missing).table(kind, view: 0)[column: "state", keys: [month]]
  }

  /// A month from here ends on 2024-06-10; its start is known.
  let charge = Purchase(day("2024-05-10"))

  @Test
  func `is final when nothing can change`() throws {
    for kind in [TableKind.churn, .lapses, .renewals] {
      #expect(try state(kind, "2024-06", world(charge)) == [.text("final")])
    }
  }

  static let young: [(String, String)] = [
    ("2024-08-08", "provisional"), ("2024-08-09", "final"), ("2024-07-02", "provisional"),
  ]

  @Test(arguments: young)
  func `is provisional while a lapse is younger than 60 days`(asOf: String, expected: String) throws
  {
    for kind in [TableKind.churn, .lapses, .renewals] {
      #expect(try state(kind, "2024-06", world(charge, asOf: asOf)) == [.text(expected)])
    }
  }

  @Test
  func `is provisional while the month runs`() throws {
    let recovered = world(charge, asOf: "2024-05-30")
    #expect(try state(.proceeds, "2024-05", recovered).isEmpty)
    #expect(try state(.refunds, "sale", recovered) == [.text("provisional")])
    let trial = Purchase(day("2024-05-01")).asTrial(Term(days: 7))
    #expect(
      try state(.trials, "2024-05", world(trial, asOf: "2024-05-30")) == [.text("provisional")])
  }

  @Test(arguments: 0...3)
  func `is provisional in churn when a period ended at most 2 days before as-of`(days: Int) throws {
    // Two subscribers: one whose period ends on 2024-05-31 and one who lapsed for good.
    let atEdge = Purchase(day("2024-05-24"), product: "weekly", term: Term(days: 7))
    let refunded = Purchase(day("2024-05-02"))
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-05-31") + days)
    world.add([atEdge])
    world.add([refunded, refunded.refunded(on: day("2024-05-03"))])
    let expected: ReportTable.Cell = .text("provisional")
    #expect(try state(.churn, "2024-05", world) == [expected])
    #expect(try state(.lapses, "2024-05", world) == [expected])
  }

  @Test
  func `is final in churn at a month's end when nothing ended close to it`() throws {
    let refunded = Purchase(day("2024-05-02"))
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-05-31"))
    world.add([refunded, refunded.refunded(on: day("2024-05-03"))])
    #expect(try state(.churn, "2024-05", world) == [.text("final")])
  }

  @Test
  func `is partial in every table when a day of the month is missing`() throws {
    let missing: Set = [day("2024-06-20")]
    for kind in [TableKind.churn, .lapses, .renewals] {
      #expect(try state(kind, "2024-06", world(charge), missing: missing) == [.text("partial")])
    }
  }

  /// When a weekly period begins, which day is missing, and the state of the month it ends in.
  static let doubts: [(String, String, String)] = [
    ("2024-05-25", "2024-05-29", "final"), ("2024-05-25", "2024-05-30", "partial"),
    ("2024-05-25", "2024-05-31", "partial"), ("2024-05-24", "2024-06-01", "partial"),
    ("2024-05-24", "2024-06-02", "partial"), ("2024-05-24", "2024-06-03", "final"),
  ]

  @Test(arguments: doubts.indices)
  func `is partial when a lapse ended within 2 days of a missing day`(index: Int) throws {
    let (start, missing, expected) = Self.doubts[index]
    let weekly = Purchase(day(start), product: "weekly", term: Term(days: 7))
    let month = (day(start) + 7).month.description
    let found = try state(.churn, month, world(weekly), missing: [day(missing)])
    #expect(found == [.text(expected)])
  }

  @Test
  func `is partial for every cohort when the doubtful lapse is of a free period`() throws {
    let trial = Purchase(day("2024-05-25")).asTrial(Term(days: 7))
    let churner = Purchase(day("2024-05-20")).with { $0.country = "DE" }
    let world = world(trial, churner)
    let table = try world.tables([[.country]], missing: [day("2024-05-31")]).table(.churn, view: 0)
    #expect(table[column: "state", keys: ["2024-06", "DE"]] == [.text("partial")])
  }

  static let edges: [(Purchase, String, String)] = [
    // 2024-01-01 + 1 month is the first day of February; February needs nobody from before.
    (Purchase(day("2024-01-20")), "2024-02", "final"),
    (
      Purchase(day("2024-01-20"), product: "quarterly", term: Term(months: 3)), "2024-03", "partial"
    ),
    (Purchase(day("2024-01-20"), product: "quarterly", term: Term(months: 3)), "2024-04", "final"),
  ]

  @Test(arguments: edges)
  func `is partial in churn until everybody active must have been seen`(
    row: Purchase, month: String, expected: String
  ) throws {
    #expect(try state(.churn, month, world(row)) == [.text(expected)])
  }

  @Test
  func `is partial in churn for a chain of unknown start alone`() throws {
    let trial = Purchase(day("2024-01-05")).asTrial(Term(days: 7))
    let yearly = Purchase(day("2024-01-12"), product: "yearly", term: Term(months: 12))
    var known = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-12-31"))
    known.add([trial, yearly])
    #expect(try state(.churn, "2024-03", known) == [.text("final")])
    #expect(try state(.churn, "2024-03", world(yearly)) == [.text("partial")])
  }

  static let refunds: [(String, String)] = [("2024-07-29", "provisional"), ("2024-07-30", "final")]

  @Test(arguments: refunds)
  func `is provisional in refunds dated sale until 60 days after the month`(
    asOf: String, expected: String
  ) throws {
    let table = try world(charge, asOf: asOf).tables().table(.refunds, view: 0)
    #expect(table[column: "state", keys: ["sale", "2024-05"]] == [.text(expected)])
    #expect(table[column: "state", keys: ["refund", "2024-05"]] == [.text("final")])
  }

  @Test
  func `is partial in retention when any day is missing, provisional while a chain is pending`()
    throws
  {
    let decided = world(charge)
    let column = { (world: WorldBuilder, missing: Set<Day>) in
      try world.tables(missing: missing).table(.retention, view: 0)[column: "state", keys: []]
    }
    #expect(try column(decided, []) == [.text("final")])
    #expect(try column(decided, [day("2024-03-03")]) == [.text("partial")])
    let pending = Purchase(day("2024-11-10"))
    #expect(try column(world(charge, pending), []) == [.text("provisional")])
  }
}
