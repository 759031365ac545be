import Counting
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Movement")
struct MovementTests {
  /// The first file is of 2024-01-01, as-of is 2024-12-31; the chain's start is known.
  static let charge = Purchase(day("2024-05-10"))
  static let trial = Purchase(day("2024-05-03")).asTrial(Term(days: 7))

  struct Story: Sendable, CustomTestStringConvertible {
    let name: String
    let rows: [Purchase]
    let month: String
    /// The columns that are not 0.
    let numbers: [String: Int]

    var testDescription: String { name }

    init(_ name: String, _ rows: [Purchase], _ month: String, _ numbers: [String: Int]) {
      self.name = name
      self.rows = rows
      self.month = month
      self.numbers = numbers
    }
  }

  private static func on(_ text: String, _ product: String = "monthly") -> Purchase {
    Purchase(day(text), product: product)
  }

  static let stories: [Story] = [
    Story("started", [charge], "2024-05", ["started": 1, "close": 1]),
    Story(
      "first seen", [on("2024-02-10")], "2024-02", ["first_seen": 1, "close": 1]),
    Story(
      "came back under a new id", [charge.with { $0.isIDReset = true }], "2024-05",
      ["reactivated": 1, "close": 1]),
    Story("churned", [charge], "2024-06", ["open": 1, "churned": 1]),
    Story(
      "converted after a trial", [trial, charge], "2024-05", ["converted": 1, "close": 1]),
    Story(
      "converted late, within 60 days", [trial, on("2024-07-09")], "2024-07",
      ["converted": 1, "close": 1]),
    Story(
      "reactivated after a trial of long ago", [trial, on("2024-07-10")], "2024-07",
      ["reactivated": 1, "close": 1]),
    Story(
      "left and recovered", [charge, on("2024-06-20")], "2024-06",
      ["open": 1, "recovered": 1, "entered_retry": 1, "close": 1]),
    Story(
      "reactivated", [charge, on("2024-08-20")], "2024-08", ["reactivated": 1, "close": 1]),
    Story(
      "renewed", [charge, on("2024-06-10")], "2024-06", ["open": 1, "close": 1]),
    Story(
      "changed product", [charge, on("2024-05-20", "plus")], "2024-05",
      ["started": 1, "switched_in": 1, "switched_out": 1, "close": 1]),
    Story(
      "went to a free offer",
      [charge, on("2024-06-10").asTrial(Term(days: 7)).with { $0.kind = .offer }], "2024-06",
      ["open": 1, "switched_out": 1]),
    Story(
      "refunded", [charge, charge.refunded(on: day("2024-05-20"))], "2024-05",
      ["started": 1, "churned": 1]),
  ]

  @Test(arguments: stories)
  func `tells a story in its columns`(story: Story) throws {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-12-31"))
    world.add(story.rows)
    let table = try world.tables().table(.movement, view: 0)
    for column in table.columns where column.kind != .key {
      let name = column.name == "close_observed" ? "close" : column.name
      let found = table[column: column.name, keys: [story.month]]
      #expect(found == [.count(story.numbers[name] ?? 0)], "\(column.name)")
    }
  }

  @Test
  func `of countries counts a move in one and out of the other`() throws {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-12-31"))
    world.add([Self.charge, Self.on("2024-06-10").with { $0.country = "DE" }])
    let table = try world.tables([[.country]]).table(.movement, view: 0)
    #expect(table[column: "switched_out", keys: ["2024-06", "US"]] == [.count(1)])
    #expect(table[column: "switched_in", keys: ["2024-06", "US"]] == [.count(0)])
    #expect(table[column: "switched_in", keys: ["2024-06", "DE"]] == [.count(1)])
    let whole = try world.tables().table(.movement, view: 0)
    #expect(whole[column: "switched_in", keys: ["2024-06"]] == [.count(0)])
  }

  @Test(arguments: seeds(50))
  func `closes in every row of random worlds`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let tables = maker.world(subscribers: 10...20).tables(comparedViews)
    for view in comparedViews.indices {
      let unexplained = try tables.table(.movement, view: view)[column: "unexplained", keys: []]
      #expect(unexplained.allSatisfy { $0 == .count(0) })
    }
  }

  @Test
  func `of events has the first file's month when its last day has a snapshot`() throws {
    let empty = Tally(
      source: .events, views: [[]], filter: Filter(),
      months: Month(year: 2024, month: 1)...Month(year: 2024, month: 4))
    var fold = EventFold(tally: empty)
    fold.addSnapshot(of: day("2024-01-31"))
    fold.addSnapshotRow(active: 121, of: day("2024-01-31"), attributes: Attributes())
    let days = (0...20).map { day("2024-01-20") + $0 }
    let completeness = Completeness(
      firstDay: days[0], asOf: days[20], presentDays: Set(days))
    let tables = TableMaker(
      sources: [SourceReport(tally: fold.tally, completeness: completeness)], views: [[]],
      names: Names(symbols: [""], products: [:], apps: [:]))
    let table = try tables.table(.movement, view: 0)
    #expect(table[column: "close_observed", keys: ["2024-01"]] == [.count(121)])
    #expect(table[column: "open", keys: ["2024-01"]] == [.missing])
    #expect(table[column: "open", keys: ["2024-02"]] == [.count(121)])
  }
}
