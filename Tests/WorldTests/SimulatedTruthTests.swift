import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

/// A simulated world and when its reports end.
struct TruthCase: CustomTestStringConvertible, Hashable, Sendable {
  let seed: UInt64
  let lastDay: String
  var subscribers = 500

  var testDescription: String { "seed \(seed) to \(lastDay)" }

  /// The cases of this run's tier.
  static let all = Array(every.prefix(TestTier.current.histories(of: every.count)))

  /// Ends in mid-month, at a month's end, on its first day, and on a leap day.
  private static let every: [TruthCase] = [
    .init(seed: 500, lastDay: "2026-05-17"), .init(seed: 501, lastDay: "2026-03-31"),
    .init(seed: 502, lastDay: "2026-04-01"), .init(seed: 503, lastDay: "2026-02-28"),
    .init(seed: 504, lastDay: "2026-04-29"), .init(seed: 505, lastDay: "2026-05-30"),
  ]
}

@Suite("The tables of a clean world say what happened in it")
struct SimulatedTruthTests {
  /// Counts by the values of some columns.
  private typealias Counts = [[String]: [Int]]

  /// A world's truth, and what a run says of its reports.
  private struct World {
    let reports: SimulatedReports
    let outcome: RunOutcome

    init(_ truth: TruthCase) throws {
      var reports = try SimulatedReports(
        seed: truth.seed, subscribers: truth.subscribers, to: truth.lastDay, kinds: [.subscriber])
      let views: [[Dimension]] = [[], [.product, .country]]
      outcome = try RunOutcome(try reports.sandbox(), views: views)
      // Only its truth is needed from here on.
      reports.reports = [:]
      self.reports = reports
    }
  }

  private static let worlds = Memo<TruthCase, World>()

  /// Adds up columns of rows by others; amounts are counted in hundredths.
  private func counts(
    _ rows: [[String: String]], by keys: [String], of columns: [String],
    where isCounted: ([String: String]) -> Bool = { _ in true }
  ) -> Counts {
    var counts: Counts = [:]
    for row in rows where isCounted(row) {
      let values = columns.map { column in
        let text = row[column] ?? ""
        return Int(text.filter { $0 != "." }) ?? 0
      }
      let key = keys.map { row[$0] ?? "" }
      counts[key] = zip(counts[key] ?? values.map { _ in 0 }, values).map { $0 + $1 }
    }
    return counts.filter { $0.value.contains { $0 != 0 } }
  }

  private let place = ["month", "product", "country"]

  @Test(arguments: TruthCase.all)
  func `charges and their amounts`(truth: TruthCase) throws {
    let world = try Self.worlds.value(truth) { try World(truth) }
    let columns = ["charges", "gross_price", "gross_proceeds"]
    let told = counts(world.reports.truth("charges.csv"), by: place + ["currency"], of: columns)
    let found = counts(
      world.outcome.rows("proceeds-by-product-country.csv"), by: place + ["currency"], of: columns)
    #expect(told.count > 20)
    #expect(found == told)
  }

  @Test(arguments: TruthCase.all)
  func `refunds by their own month and by the month of the sale`(truth: TruthCase) throws {
    let world = try Self.worlds.value(truth) { try World(truth) }
    let rows = world.outcome.rows("refunds-by-product-country.csv")
    let money = ["refunded_price", "refunded_proceeds"]
    let told = world.reports.truth("refunds.csv").map { row in
      let kind = row["extent"] == "full" ? "refunds_full" : "refunds_partial"
      return row.merging([
        kind: row["count"] ?? "", "refunded_price": row["price"] ?? "",
        "refunded_proceeds": row["proceeds"] ?? "",
      ]) { $1 }
    }
    let columns = ["refunds_full", "refunds_partial"] + money
    #expect(
      counts(rows, by: place, of: columns) { $0["dating"] == "refund" }
        == counts(told, by: place, of: columns))
    let sold = told.map { $0.merging(["month": $0["sale_month"] ?? ""]) { $1 } }
    #expect(
      counts(rows, by: place, of: columns) { $0["dating"] == "sale" }
        == counts(sold, by: place, of: columns) { $0["month"] ?? "" >= "2026-01" })
    #expect(
      counts(world.outcome.rows("proceeds-by-product-country.csv"), by: place, of: money)
        == counts(told, by: place, of: money))
  }

  @Test(arguments: TruthCase.all)
  func `trials and what became of them`(truth: TruthCase) throws {
    let world = try Self.worlds.value(truth) { try World(truth) }
    let columns = ["trials", "converted", "not_converted", "pending"]
    let told = counts(world.reports.truth("trials.csv"), by: place, of: columns)
    let found = counts(
      world.outcome.rows("trials-by-product-country.csv"), by: place, of: columns)
    #expect(told.count > 3)
    #expect(found == told)
  }

  @Test(arguments: TruthCase.all)
  func `who churned and who recovered, of the periods that the reports show`(truth: TruthCase)
    throws
  {
    let world = try Self.worlds.value(truth) { try World(truth) }
    let told = counts(
      world.reports.truth("churned.csv"), by: place, of: ["churned_seen", "recovered_seen"])
    let lapses = world.outcome.rows("lapses-by-product-country.csv").map { row in
      let lapses = Int(row["lapses"] ?? "") ?? 0
      return row.merging(["churned": "\(lapses - (Int(row["recovered"] ?? "") ?? 0))"]) { $1 }
    }
    #expect(counts(lapses, by: place, of: ["churned", "recovered"]) == told)
    let churn = counts(
      world.outcome.rows("churn-by-product-country.csv"), by: place, of: ["churned"])
    let toldChurn = counts(
      world.reports.truth("churned.csv"), by: place, of: ["churned_seen"])
    #expect(churn == toldChurn)
  }

  @Test(arguments: TruthCase.all)
  func `who is active on the last day before a month, as far as seen`(truth: TruthCase) throws {
    let world = try Self.worlds.value(truth) { try World(truth) }
    let told = counts(world.reports.truth("active.csv"), by: place, of: ["active_seen"])
    let inWindow = told.filter { $0.key[0] > "2026-01" }
    let churn = world.outcome.rows("churn-by-product-country.csv")
    #expect(counts(churn, by: place, of: ["active_start"]) == inWindow)
    let open = world.outcome.rows("movement-by-product-country.csv")
    #expect(counts(open, by: place, of: ["open"]) == inWindow)
    #expect(
      counts(open, by: place, of: ["close"]) == counts(open, by: place, of: ["close_observed"]))
  }

  @Test(
    arguments: [
      TruthCase(seed: 510, lastDay: "2027-10-05", subscribers: 400),
      TruthCase(seed: 511, lastDay: "2027-11-30", subscribers: 400),
    ].prefix(TestTier.current.histories(of: 2)))
  func `who starts, once nobody seen first can be an old subscriber`(truth: TruthCase) throws {
    let world = try Self.worlds.value(truth) { try World(truth) }
    // The longest term is a year: after a year and 60 days an unknown start is that of nobody new.
    let told = counts(world.reports.truth("starts.csv"), by: ["month"], of: ["starts"])
      .filter { $0.key[0] > "2027-03" }
    let found = counts(world.outcome.rows("movement.csv"), by: ["month"], of: ["started"])
      .filter { $0.key[0] > "2027-03" }
    #expect(told.count >= 6)
    #expect(found == told)
  }
}
