import Counting
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Definitions of other tools")
struct OtherDefinitionTests {
  /// Returns the steps of a number as `axis numerator/denominator state`, without a denominator `axis numerator state`.
  private func steps(
    _ table: ReportTable, _ month: String, _ measure: String, _ tool: String,
    _ currency: String = ""
  ) -> [String] {
    table.namedRows.filter { row in
      ["month", "measure", "tool", "currency"].map(row.text).elementsEqual(
        [month, measure, tool, currency])
    }.map { row in
      let numbers = [row.cell("numerator"), row.cell("denominator")].filter { $0 != .missing }
      return [row.text("axis"), numbers.map(\.text).joined(separator: "/"), row.text("state")]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  private static func charge(_ text: String) -> Purchase { Purchase(day(text)) }

  /// The vector of METRICS.md 11: a renews, b lapses, c lapses and is back, one of d's two lapses, e buys and is
  /// refunded, f is back after five months.
  private static var february: WorldBuilder {
    var world = WorldBuilder(firstFileDay: day("2023-01-01"), asOf: day("2024-06-30"))
    let other = { (text: String) in charge(text).with { $0.group = "extra" } }
    world.add([charge("2024-01-10"), charge("2024-02-10"), charge("2024-03-10")])
    world.add([charge("2024-01-15")])
    world.add([charge("2024-01-10"), charge("2024-02-20")])
    world.add([
      charge("2024-01-12"), charge("2024-02-12"), charge("2024-03-12"), other("2024-01-05"),
    ])
    world.add([charge("2024-02-03"), charge("2024-02-03").refunded(on: day("2024-02-05"))])
    world.add([charge("2023-08-18"), charge("2024-02-18")])
    return world
  }

  @Test
  func `of churn are those of the vector`() throws {
    let table = try Self.february.tables().table(.definitions, view: 0)
    let churn = { (tool: String) in steps(table, "2024-02", "churn_rate", tool) }
    #expect(churn("recurly") == ["ours 3/5 final", "population 2/4", "theirs 2/4 exact"])
    #expect(
      churn("chartmogul")
        == ["ours 3/5 final", "population 2/4", "denominator 1/4", "theirs 1/4 exact"])
    #expect(
      churn("revenuecat") == [
        "ours 3/5 final", "date needs grace dates", "recovery 2/5", "theirs 2/5 without date",
      ])
    #expect(
      churn("revenuecat3") == [
        "ours 3/5 final", "date needs grace dates", "recovery 4/5", "product 4/5",
        "theirs 4/5 without date",
      ])
  }

  @Test
  func `count customers, standard charges and periods after a refund`() throws {
    let table = try Self.february.tables().table(.definitions, view: 0)
    #expect(
      steps(table, "2024-01", "active", "recurly")
        == ["ours 5 final", "population 4", "theirs 4 exact"])
    #expect(
      steps(table, "2024-02", "active", "apple")
        == ["ours 4 final", "month needs instants", "theirs 4 without month"])
    // The period of e counts up to 3 March.
    #expect(
      steps(table, "2024-02", "mrr", "chartmogul", "USD")
        == ["ours 40000 final", "refund 50000", "theirs 50000 exact"])
    #expect(
      steps(table, "2024-02", "mrr", "apphud", "USD")
        == ["ours 40000 final", "basis 28000", "theirs 28000 exact"])
    #expect(
      steps(table, "2024-02", "refund_rate", "apphud", "USD") == [
        "ours 1/5 final", "basis 10000/50000", "refund 10000/50000", "theirs 10000/50000 exact",
      ])
  }

  @Test
  func `of a week, of a renewal with another product and of a late payment`() throws {
    var world = WorldBuilder(firstFileDay: day("2023-01-01"), asOf: day("2024-12-31"))
    let weekly = Purchase(day("2024-01-29"), product: "weekly", term: Term(days: 7)).with {
      $0.price = 3_990
    }
    world.add([weekly])
    world.add([Self.charge("2024-01-10"), Self.charge("2024-02-10").with { $0.product = "other" }])
    let trial = Purchase(day("2024-02-01")).asTrial(Term(days: 7))
    world.add([trial, Self.charge("2024-02-08")])
    world.add([trial, Self.charge("2024-02-20")])
    world.add([trial, Self.charge("2024-06-20")])
    world.add([
      trial, Self.charge("2024-02-08"), Self.charge("2024-02-08").refunded(on: day("2024-03-20")),
    ])
    let table = try world.tables().table(.definitions, view: 0)
    #expect(
      steps(table, "2024-01", "mrr", "revenuecat", "USD") == [
        "ours 27349 final", "basis 25960", "date needs grace dates", "theirs 25960 without date",
      ])
    #expect(
      steps(table, "2024-01", "mrr", "adapty", "USD")
        == ["ours 27349 final", "basis 27348", "refund 27348", "theirs 27348 exact"])
    #expect(
      steps(table, "2024-02", "renewal_rate", "apple") == [
        "ours 1/2 final", "product 0/2", "month needs instants", "theirs 0/2 without month",
      ])
    #expect(
      steps(table, "2024-02", "conversion_rate", "revenuecat") == [
        "ours 3/4 final", "population needs customers first seen in the month", "recovery 4/4",
        "refund 3/4", "theirs 3/4 without population",
      ])
    #expect(
      steps(table, "2024-02", "conversion_rate", "revenuecat3")
        == ["ours 3/4 final", "recovery 2/4", "theirs 2/4 exact"])
  }

  @Test
  func `of receipts know grace periods and instants`() throws {
    var world = ReceiptWorld()
    let bought = Bought("2024-01-20", "2024-02-20").with { $0.price = 9_990 }
    let grace = Info().with { ($0.grace, $0.retry) = (instant("2024-03-07"), true) }
    // A charge at 3:00 UTC of the first is of the month before in Pacific Time.
    let late = Bought("2024-03-01T03:00:00", "2024-04-01T03:00:00").with {
      ($0.original, $0.price) = ("900", 9_990)
    }
    world.add("2024-02-21", [bought], [grace])
    world.add("2024-07-20", [bought], [])
    world.add("2024-07-20", [late], [])
    let table = try world.tables().table(.definitions, view: 0)
    #expect(
      steps(table, "2024-02", "active", "revenuecat")
        == ["ours 0 final", "date 1", "theirs 1 exact"])
    #expect(
      steps(table, "2024-02", "active", "apple") == ["ours 0 final", "month 1", "theirs 1 exact"])
    #expect(
      steps(table, "2024-02", "churn_rate", "revenuecat")
        == ["ours 1/1 final", "date 0/1", "recovery 0/1", "theirs 0/1 exact"])
    #expect(
      steps(table, "2024-03", "churn_rate", "revenuecat3")
        == ["ours 0/0 final", "date 1/1", "recovery 1/1", "product 1/1", "theirs 1/1 exact"])
    #expect(
      steps(table, "2024-02", "mrr", "revenuecat", "USD")
        == ["ours 0 final", "basis 0", "date 9990", "theirs 9990 exact"])
    #expect(
      steps(table, "2024-04", "renewal_rate", "apple")
        == ["ours 0/1 final", "product 0/1", "month 0/0", "theirs 0/0 exact"])
  }

  @Test(arguments: seeds(30))
  func `do not depend on the parts of the input, and add up`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let world = maker.world(subscribers: 10...20)
    let all = Array(world.subscribers.indices)
    var parts = world.tally(of: Array(all.prefix(5)), [[]])
    parts.merge(world.tally(of: Array(all.dropFirst(5)), [[]]))
    parts.decide(by: world.asOf)
    let table = try world.tables(parts, [[]]).table(.definitions, view: 0)
    #expect(table == (try world.tables().table(.definitions, view: 0)))
    var sum = Int128(0)
    for row in table.namedRows {
      let change: Int128 =
        switch row.cell("change") {
        case .count(let count): Int128(count)
        case .money(let milliunits): milliunits
        case .ratio(let numerator, _): numerator
        default: 0
        }
      switch row.text("axis") {
      case "ours": sum = 0
      case "theirs":
        #expect(change == sum, "\(row.text("month")) \(row.text("measure")) \(row.text("tool"))")
      default: sum += change
      }
    }
  }
}
