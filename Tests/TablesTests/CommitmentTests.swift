import Counting
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// METRICS.md section 10: terms of instalments in SUBSCRIBER reports, from before which nothing is missing.
@Suite("Commitments")
struct CommitmentTests {
  static let start = day("2026-06-10")

  /// Instalments of a yearly product, the first of them with a number.
  private static func instalments(
    _ numbers: ClosedRange<Int>, from first: Day = start, price: Int64 = 6_000
  ) -> [Purchase] {
    numbers.map { number in
      Purchase(
        first.adding(Term(months: Int16(number - numbers.lowerBound))), product: "yearly",
        term: .year
      ).with {
        $0.plan = .commitment
        $0.price = price
        $0.proceeds = 4_200
      }
    }
  }

  private static func upfront(_ day: Day) -> Purchase {
    Purchase(day, product: "yearly", term: .year).with { $0.price = 60_000 }
  }

  private func world(_ rows: [Purchase], asOf: Day) -> WorldBuilder {
    var world = WorldBuilder(firstFileDay: day("2026-01-01"), asOf: asOf)
    world.add(rows)
    return world
  }

  /// The counts of a column by month, without months of 0.
  private func counts(
    _ column: String, _ rows: [Purchase], asOf: Day, in kind: TableKind = .commitments
  ) throws -> [String] {
    let table = try world(rows, asOf: asOf).tables().table(kind, view: 0)
    let place = try #require(table.columns.firstIndex { $0.name == column })
    return table.rows.compactMap { row in
      guard case .text(let month) = row[1], case .count(let count) = row[place], count != 0 else {
        return nil
      }
      return "\(month) \(count)"
    }
  }

  private func last(_ rows: [Purchase], asOf: Day) throws -> [String: ReportTable.Cell] {
    let table = try world(rows, asOf: asOf).tables().table(.commitments, view: 0)
    let row = try #require(table.rows.last)
    return Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), row))
  }

  static let year = start.adding(.year)

  struct Story: Sendable, CustomTestStringConvertible {
    var name: String
    var rows: [Purchase]
    var ended: [String] = []
    var renewed: [String] = []
    var defaulted: [String] = []
    var recovered: [String] = []
    /// Of `renewals`.
    var due: [String] = []
    var churned: [String] = []

    var testDescription: String { name }
  }

  static let stories: [Story] = [
    Story(
      name: "paid to the end and renewed",
      rows: instalments(1...12) + instalments(1...3, from: year),
      ended: ["2027-06 1", "2027-12 1"],
      renewed: ["2027-06 1"], defaulted: ["2027-09 1"], due: ["2027-06 1"], churned: ["2027-09 1"]),
    Story(
      name: "paid to the end and not renewed", rows: instalments(1...12), ended: ["2027-06 1"],
      due: ["2027-06 1"], churned: ["2027-06 1"]),
    Story(
      name: "renewed as upfront", rows: instalments(1...12) + [upfront(year)],
      ended: ["2027-06 1"], renewed: ["2027-06 1"], due: ["2027-06 1"]),
    Story(
      name: "changed to another product in month 5",
      rows: instalments(1...5) + [
        Purchase(day("2026-10-20"), product: "other", term: .year)
      ], ended: ["2026-10 1"], due: ["2027-10 1"], churned: ["2027-10 1"]),
    Story(
      name: "missed in month 3 and recovered after 70 days",
      rows: instalments(1...2) + instalments(3...12, from: day("2026-08-10") + 70),
      ended: ["2027-08 1"], recovered: ["2026-08 1"], due: ["2027-08 1"], churned: ["2027-08 1"]),
    Story(
      name: "defaulted", rows: instalments(1...2), ended: ["2026-11 1"], defaulted: ["2026-08 1"],
      churned: ["2026-08 1"]),
    Story(
      name: "instalment 4 refunded in month 6",
      rows: instalments(1...12) + [
        instalments(4...4, from: day("2026-09-10"))[0]
          .refunded(on: day("2026-11-20"))
      ],
      ended: ["2027-06 1"], due: ["2027-06 1"], churned: ["2027-06 1"]),
    Story(
      name: "instalment 6 refunded in month 6",
      rows: instalments(1...6) + [
        instalments(6...6, from: day("2026-11-10"))[0]
          .refunded(on: day("2026-11-20"))
      ],
      ended: ["2026-11 1"], churned: ["2026-11 1"]),
    Story(
      name: "another price begins another term",
      rows: instalments(1...3) + instalments(1...2, from: day("2026-09-10"), price: 7_000),
      ended: ["2026-09 1", "2027-02 1"], defaulted: ["2026-11 1"], churned: ["2026-11 1"]),
  ]

  @Test(arguments: stories)
  func `tells how terms end`(story: Story) throws {
    let asOf = day("2027-12-31")
    #expect(try counts("terms_ended", story.rows, asOf: asOf) == story.ended)
    #expect(try counts("terms_renewed", story.rows, asOf: asOf) == story.renewed)
    #expect(try counts("defaulted", story.rows, asOf: asOf) == story.defaulted)
    #expect(try counts("recovered", story.rows, asOf: asOf) == story.recovered)
    #expect(try counts("due", story.rows, asOf: asOf, in: .renewals) == story.due)
    #expect(try counts("churned", story.rows, asOf: asOf, in: .churn) == story.churned)
  }

  @Test
  func `a change of the plan is a switch in movement, at once and when an instalment ends`() throws
  {
    let asOf = day("2027-12-31")
    let atTheEnd = Self.instalments(1...2) + [Self.upfront(day("2026-08-10"))]
    let atOnce = Self.instalments(1...1) + [Self.upfront(day("2026-06-25"))]
    for column in ["switched_in", "switched_out"] {
      #expect(try counts(column, atTheEnd, asOf: asOf, in: .movement) == ["2026-08 1"])
      #expect(try counts(column, atOnce, asOf: asOf, in: .movement) == ["2026-06 1"])
    }
  }

  @Test
  func `is pending and suspended for 90 days, and owes what is to come`() throws {
    let end = day("2026-08-10")
    let rows = Self.instalments(1...2)
    let early = try last(rows, asOf: end + 2)
    #expect(early["suspended"] == .count(0) && early["pending"] == .count(1))
    let pending = try last(rows, asOf: end + 89)
    #expect(try counts("pending", rows, asOf: end + 89) == ["2026-08 1"])
    #expect(pending["running"] == .count(1) && pending["suspended"] == .count(1))
    #expect(pending["remaining"] == .count(10))
    #expect(pending["remaining_price"] == .money(milliunits: 60_000))
    #expect(pending["remaining_proceeds"] == .money(milliunits: 42_000))
    let over = try last(rows, asOf: end + 90)
    #expect(over["running"] == .count(0) && over["terms_ended"] == .count(1))
  }

  @Test
  func `has periods that end on the day on which the run began`() {
    let first = day("2027-01-31")
    let days = ["2027-01-31", "2027-02-28", "2027-03-31"].map(day)
    let rows = days.map { Self.instalments(1...1, from: $0)[0] }
    let history = world(rows, asOf: day("2027-04-01")).history()
    #expect(history.periods.map(\.end) == days.dropFirst() + [day("2027-04-30")])
    #expect(history.periods.map { $0.instalment.position?.number } == [1, 2, 3])
    // A gap begins another run.
    let late = [first, day("2027-04-15"), day("2027-05-15")].map {
      Self.instalments(1...1, from: $0)[0]
    }
    let again = world(late, asOf: day("2027-05-16")).history()
    #expect(again.periods.map(\.end) == [day("2027-02-28"), day("2027-05-15"), day("2027-06-15")])
    #expect(again.periods.map { $0.instalment.position?.number } == [1, 2, 3])
  }

  @Test
  func `of unknown position only run`() throws {
    // The reports begin later than Apple sold instalments, and an instalment opens the chain.
    var world = WorldBuilder(firstFileDay: Self.start, asOf: day("2026-09-30"))
    world.add(Self.instalments(5...7, from: Self.start + 5))
    let table = try world.tables().table(.commitments, view: 0)
    let unknown = table[column: "position_unknown", keys: []]
    #expect(unknown == [.count(1), .count(1), .count(1), .count(1)])
    #expect(table[column: "due", keys: []].allSatisfy { $0 == .count(0) })
    #expect(table[column: "state", keys: []].allSatisfy { $0 == .text("partial") })
    // A column says where it is.
    world = WorldBuilder(firstFileDay: Self.start, asOf: day("2026-09-30"))
    world.add(
      Self.instalments(5...7, from: Self.start + 5).enumerated().map { offset, row in
        row.with { $0.position = UInt8(5 + offset) }
      })
    let known = try world.tables().table(.commitments, view: 0)
    #expect(known[column: "remaining", keys: []].first == .count(7))
    #expect(known[column: "terms_started", keys: []].allSatisfy { $0 == .count(0) })
  }

  @Test
  func `is one term whatever its prices where a column says the positions`() throws {
    let prices: [Int64] = [3_000, 6_000, 6_000, 7_000]
    let rows = prices.enumerated().map { offset, price in
      Self.instalments(1...1, from: Self.start.adding(Term(months: Int16(offset))), price: price)[0]
        .with { $0.position = UInt8(offset + 1) }
    }
    let asOf = day("2026-10-01")
    #expect(try counts("terms_started", rows, asOf: asOf) == ["2026-06 1"])
    #expect(try counts("terms_ended", rows, asOf: asOf) == [])
    #expect(try counts("paid", rows, asOf: asOf) == ["2026-07 1", "2026-08 1", "2026-09 1"])
    #expect(try last(rows, asOf: asOf)["remaining_price"] == .money(milliunits: 8 * 7_000))
  }

  @Test
  func `is one paid period of retention, decided 90 days after its scheduled end`() throws {
    let decided = Self.year + 90
    let retained = { (rows: [Purchase], asOf: Day) throws -> [String] in
      let table = try self.world(rows, asOf: asOf).tables().table(.retention, view: 0)
      return table.rows.map { row in
        row.compactMap { if case .count(let count) = $0 { String(count) } else { nil } }
          .joined(separator: " ")
      }
    }
    // k, at risk, lost, kept.
    #expect(try retained(Self.instalments(1...2), decided - 1) == [])
    #expect(try retained(Self.instalments(1...2), decided) == ["1 1 1 0"])
    #expect(try retained(Self.instalments(1...12), decided) == ["1 1 1 0"])
    let renewed = Self.instalments(1...12) + Self.instalments(1...1, from: Self.year)
    #expect(try retained(renewed, decided) == ["1 1 0 1"])
    let changed = Self.instalments(1...3) + [Purchase(day("2026-09-10"), product: "other")]
    #expect(try retained(changed, day("2027-12-31")) == ["1 1 1 0"])
  }

  /// METRICS.md 10.4: so that a row of retention is not final while the term of a chain may still be counted.
  @Test
  func `is pending from its default until 90 days after its scheduled end`() throws {
    // It defaults 90 days after the end of instalment 2; another subscription gives the row someone at risk.
    let defaulted = day("2026-08-10") + 90
    func state(_ asOf: Day) throws -> ReportTable.Cell? {
      var world = world(Self.instalments(1...2), asOf: asOf)
      world.add([Purchase(day("2026-06-10"), product: "monthly")])
      return try world.tables().table(.retention, view: 0).rows.first?.last
    }
    #expect(try state(defaulted - 1) == .text("final"))
    #expect(try state(defaulted) == .text("provisional"))
    #expect(try state(Self.year + 89) == .text("provisional"))
    #expect(try state(Self.year + 90) == .text("final"))
  }

  @Test(arguments: seeds(40))
  func `are the same counted later as folded later, however they are split`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var world = WorldBuilder(firstFileDay: day("2026-01-01"), asOf: day("2027-03-01"))
    for _ in 0..<30 {
      var next = day("2026-04-01") + Int.random(in: 0..<200, using: &random)
      var rows: [Purchase] = []
      for _ in 0..<Int.random(in: 1...14, using: &random) where next <= world.asOf {
        let isUpfront = Int.random(in: 0..<12, using: &random) == 0
        let row = isUpfront ? Self.upfront(next) : Self.instalments(1...1, from: next)[0]
        rows.append(row)
        if Int.random(in: 0..<15, using: &random) == 0 {
          rows.append(
            row.refunded(on: min(next + Int.random(in: 0..<40, using: &random), world.asOf)))
        }
        let gap = [0, 0, 0, 0, -1, 2, 20, 61, 89, 91, 120].randomElement(using: &random) ?? 0
        next = next.adding(isUpfront ? .year : Term(months: 1)) + gap
      }
      world.add(rows)
    }
    let views: [[Dimension]] = [[], [.plan], [.startMonth]]
    let everybody = Array(world.subscribers.indices)
    let (some, others) = (everybody.filter { $0 % 3 == 0 }, everybody.filter { $0 % 3 != 0 })
    var parts = world.tally(of: some, views)
    parts.merge(world.tally(of: others, views))
    for days in [0, 1, 2, 3, 29, 60, 88, 90, 400] {
      var later = world
      later.asOf = world.asOf + days
      let folded = later.tables(views)
      let counted = later.tables(parts, views)
      for kind in [TableKind.commitments, .churn, .renewals, .lapses, .retention] {
        for view in views.indices {
          let (left, right) = (
            try folded.table(kind, view: view), try counted.table(kind, view: view)
          )
          #expect(left == right, "\(kind) \(days) days later")
        }
      }
    }
  }
}
