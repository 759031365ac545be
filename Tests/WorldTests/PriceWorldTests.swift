import Simulation
import SubreportTestSupport
import Testing

/// Compares `price_impact.csv` with what really happened in simulated worlds.
///
/// `make bench-statistics` does the same with many more of them.
@Suite("price increases in simulated worlds")
struct PriceWorldTests {
  private static let product = "Plus Monthly"
  private static let increase = "Plus Monthly,US,2026-06-01,7.99"

  /// The rows about the product, of the truth and of the report; nothing where a file has none.
  private struct World {
    let truth: [String: String]?
    let impacts: [[String: String]]
    /// The classes of its changes of price.
    let classes: [String]

    init(_ prices: [PlantedPrice], seed: UInt64, subscribers: Int = 5_000) throws {
      let sandbox = try Sandbox()
      let world = try WorldOptions(
        subscribers: subscribers, firstDay: "2026-01-01", lastDay: "2026-09-30", seed: seed,
        plantsFaults: false, kinds: [.subscriber], prices: prices)
      try Simulator.write(world: world, to: sandbox.work + "/world")
      let run = try sandbox.run("report world/subscriber -o out -q")
      #expect(run.status == 0, "\(run.errors)")
      truth = try Self.rows(of: sandbox.work + "/world/truth/prices.csv").first
      impacts = try Self.rows(of: sandbox.work + "/out/price_impact.csv")
      classes = try Self.rows(of: sandbox.work + "/out/price_changes.csv").map {
        $0["class", default: ""]
      }
    }

    /// The rows about the product; no cell but a note at the end needs quotes.
    private static func rows(of path: String) throws -> [[String: String]] {
      guard let text = Files.text(of: path) else { return [] }
      let lines = text.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      let header = try #require(lines.first, "\(path) has no header")
      return lines.filter { $0.contains(PriceWorldTests.product) }
        .map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
    }

    /// The row about the planted increase.
    var impact: [String: String] {
      get throws {
        #expect(impacts.count == 1)
        return try #require(impacts.first)
      }
    }
  }

  @Test
  func `are counted as they happened, with intervals that cover the loss in most of eight worlds`()
    throws
  {
    var missed = 0
    let seeds = histories(8, from: 1)
    for seed in seeds {
      let world = try World([PlantedPrice(increase: Self.increase + ",0.08")], seed: seed)
      let (truth, impact) = (try #require(world.truth), try world.impact)
      let same = [
        "product", "country", "currency", "exposed", "not_reached", "reached", "renewed_new_price",
        "renewed_other_price", "changed_product", "recovered", "lapsed", "pending", "old_price",
        "new_price", "proceeds_actual",
      ]
      for name in same { #expect(impact[name] == truth[name], "\(name) of seed \(seed)") }
      #expect(impact["effective"] == truth["date"])
      #expect(impact["effective_existing"] == truth["date"])
      #expect(impact["control"] == "storefronts")

      let low = try #require(Double(impact["excess_low"] ?? ""))
      let high = try #require(Double(impact["excess_high"] ?? ""))
      #expect(low < high)
      if 0.08 < low || high < 0.08 { missed += 1 }
    }
    #expect(missed <= Self.allowedMisses(of: seeds.count))
  }

  /// Returns how many of some right 95 % intervals may miss the truth: more of them do so with a chance below 2 %.
  ///
  /// That is 1 of 4, and 2 of 8. One interval alone shows nothing.
  private static func allowedMisses(of count: Int) -> Int {
    // The chances of exactly and of at most that many.
    var chance = (1...count).reduce(1.0) { product, _ in product * 0.95 }
    var (misses, total) = (0, chance)
    while total < 0.98 {
      chance *= Double(count - misses) / Double(misses + 1) * 0.05 / 0.95
      misses += 1
      total += chance
    }
    return misses
  }

  @Test
  func `that drive away nobody are said to in few of eight worlds`() throws {
    var called = 0
    let seeds = histories(8, from: 1)
    for seed in seeds {
      let world = try World([PlantedPrice(increase: Self.increase + ",0")], seed: seed)
      if ["more_churn", "less_churn"].contains(try world.impact["verdict"]) { called += 1 }
    }
    #expect(called * 8 <= seeds.count)
  }

  /// Fewer subscribers show the class of a price too; what they do about it is not asked.
  private static let subscribers = [.quick, .test].contains(TestTier.current) ? 2_000 : 5_000

  static let changes: [(price: String, kind: String)] = [
    ("4.99,decrease", "decrease"), ("7.99,preserved", "new_customers_only"),
    ("7.99,glitch", "glitch"), ("7.99,EUR", "currency_change"),
  ]

  @Test(arguments: changes)
  func `are none where nobody pays more`(price: String, kind: String) throws {
    let change = try PlantedPrice(change: "Plus Monthly,US,2026-06-01," + price)
    let world = try World([change], seed: 1, subscribers: Self.subscribers)
    #expect(world.impacts.isEmpty)
    #expect(world.classes == [kind])
  }

  @Test
  func `are none where no price changes`() throws {
    let world = try World([], seed: 1, subscribers: Self.subscribers)
    #expect(world.impacts.isEmpty)
    #expect(world.classes.isEmpty)
  }

  static let edgeDays: [(day: String, classes: [String])] = [
    ("2026-01-01", []), ("2026-01-15", ["at_data_edge"]), ("2026-09-30", ["unconfirmed"]),
  ]

  @Test(arguments: edgeDays)
  func `are none at the edges of the data, where nobody can tell`(day: String, classes: [String])
    throws
  {
    let price = try PlantedPrice(increase: "Plus Monthly,US,\(day),7.99,0.08")
    let world = try World([price], seed: 1, subscribers: Self.subscribers)
    #expect(world.impacts.isEmpty)
    #expect(world.classes == classes)
  }
}
