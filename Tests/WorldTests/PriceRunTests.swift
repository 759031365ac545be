import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Prices of a run")
struct PriceRunTests {
  /// Half a year in which the simulated prices of one product rise.
  private static func world(seed: UInt64) throws -> SimulatedReports {
    try SimulatedReports(
      seed: seed, subscribers: 400, from: "2026-03-01", to: "2026-07-20",
      kinds: [.subscriber, .sales])
  }

  @Test(arguments: histories(2, from: 500))
  func `are the same to the byte with any number of threads`(seed: UInt64) throws {
    let sandbox = try Self.world(seed: seed).sandbox()
    let expected = try RunOutcome(sandbox, jobs: 1) { $0.prices = PricePlan() }
    let names = expected.files.keys.filter { $0.hasPrefix("price_") }
    #expect(names.contains("price_changes.csv") && names.contains("price_impact-by-tenure.csv"))
    #expect(expected.checks.hold)
    let found = try RunOutcome(sandbox, jobs: 3) { $0.prices = PricePlan() }
    for name in names { #expect(found.text(name) == expected.text(name), "\(name)") }
  }

  @Test
  func `come out the same when charges have no room in memory`() throws {
    let sandbox = try Self.world(seed: 506).sandbox()
    let expected = try RunOutcome(sandbox) { $0.prices = PricePlan() }
    #expect(expected.rows("price_impact.csv").isEmpty == false)
    for (bytes, chunkLength) in [(0, 1), (0, 3), (96 << 20 + 48 * 200, 4)] {
      let limit = try MemoryLimit(bytes: bytes, folder: "/tmp", chunkLength: chunkLength)
      let found = try RunOutcome(sandbox) {
        $0.prices = PricePlan()
        $0.memory = limit
      }
      for (name, bytes) in expected.files {
        #expect(
          found.text(name) == String(decoding: bytes, as: UTF8.self), "\(name), \(chunkLength)")
      }
    }
  }

  @Test(arguments: histories(2, from: 510))
  func `expose only those who were charged before the increase`(seed: UInt64) throws {
    let sandbox = try Self.world(seed: seed).sandbox()
    let outcome = try RunOutcome(sandbox) { $0.prices = PricePlan() }
    let increases = outcome.rows("price_changes.csv", source: "subscribers")
      .filter { $0["class"] == "increase" }
    let impacts = outcome.rows("price_impact.csv").filter { $0["country"] != "*" }
    #expect(impacts.count == increases.count)
    for impact in impacts {
      let outcomes = [
        "renewed_new_price", "renewed_old_price", "renewed_other_price", "changed_product",
        "recovered", "lapsed", "pending",
      ]
      let sum = outcomes.compactMap { impact[$0].flatMap(Int.init) }.reduce(0, +)
      #expect(impact["reached"] == String(sum))
    }
  }

  @Test(arguments: histories(2, from: 530))
  func `are all on the page: in the table, or in the list of those too few have met`(
    seed: UInt64
  ) throws {
    let outcome = try RunOutcome(try Self.world(seed: seed).sandbox()) { $0.prices = PricePlan() }
    let impacts = outcome.rows("price_impact.csv")
    let told = impacts.count { $0["verdict"] != "too_few" }
    let page = outcome.text("price_impact.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    let listed = page.filter { $0.hasPrefix("- ") && $0.contains(" have come to that renewal; ") }
    #expect(listed.count == impacts.count - told)
    let table = page.drop { $0 != "## All increases" }.dropFirst(2).prefix { !$0.isEmpty }
    #expect(table.count == (told == 0 ? 0 : told + 2))
    let headings = page.filter { $0.hasPrefix("## ") }
    #expect(headings.first == (told == 0 ? "## Too few to tell" : "## All increases"))
    let few = impacts.filter { $0["verdict"] == "too_few" }
    for name in ["summary.md", "index.html"] {
      #expect(outcome.text(name).contains("too few") == !few.isEmpty, "\(name)")
    }
  }

  @Test(arguments: histories(4, from: 540), [20, 200])
  func `that rose are never denied, and each place is named or counted`(
    seed: UInt64, subscribers: Int
  ) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: subscribers, from: "2026-03-01", to: "2026-07-20",
      kinds: [.subscriber, .sales])
    let outcome = try RunOutcome(try world.sandbox()) { $0.prices = PricePlan() }
    let others: Set = [
      "decrease", "glitch", "currency_change", "new_storefront", "new_plan", "parallel",
    ]
    let rises = outcome.rows("price_changes.csv").filter { row in
      let prices = ["old_price", "new_price"].compactMap { Double(row[$0] ?? "") }
      return prices.count == 2 && prices[0] < prices[1] && !others.contains(row["class"] ?? "")
    }
    let isMeasured = !outcome.rows("price_impact.csv").isEmpty
    let increases = rises.filter { $0["class"] == "increase" }
    for name in ["summary.md", "index.html"] {
      let page = outcome.text(name)
      let isDenied = page.contains("No price increase was found")
      #expect(isDenied == (rises.isEmpty && !isMeasured), "\(name)")
      let isDoubtful =
        page.contains("No price increase is certain")
        || page.contains("No price increase for existing subscribers was found.")
      #expect(isDoubtful == (!rises.isEmpty && increases.isEmpty), "\(name)")
      // What another page names must be more than the measured rises.
      let measured = outcome.rows("price_impact.csv").map { "\($0["country"] ?? "")" }
      let more = rises.filter { !measured.contains($0["country"] ?? "") }
      if isMeasured && !more.isEmpty {
        #expect(page.contains(" rose and may be "), "\(name)")
      }
    }
  }

  @Test(arguments: histories(4, from: 31))
  func `come with those who left because they did not accept an increase`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, from: "2026-03-01", to: "2026-07-20", kinds: [.subscriptionEvent])
    let outcome = try RunOutcome(try world.sandbox()) { $0.prices = PricePlan() }
    let rows = outcome.rows("churn.csv").filter { Int($0["churned_price"] ?? "") ?? 0 > 0 }
    let count = rows.compactMap { Int($0["churned_price"] ?? "") }.reduce(0, +)
    let months = rows.compactMap { $0["month"].flatMap { Month($0) } }
      .map { PageText.long($0, .calendar) }
    let when =
      months.count > 1
      ? "between \(months[0]) and \(months[months.count - 1])" : "in \(months.first ?? "")"
    let sentence =
      "\(count) subscription\(count == 1 ? "" : "s") left \(when) because a price increase was not accepted, by event reports."
    let page = outcome.text("index.html")
    #expect(page.contains(sentence) == !rows.isEmpty)
    #expect(page.contains("because a price increase was not accepted") == !rows.isEmpty)
  }

  @Test
  func `are not looked for unless they are asked for`() throws {
    let outcome = try RunOutcome(try Self.world(seed: 520).sandbox())
    #expect(!outcome.files.keys.contains { $0.hasPrefix("price_") })
  }
}
