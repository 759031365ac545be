import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

/// A world with commitments, with or without the columns of plans.
struct CommitmentCase: CustomTestStringConvertible, Hashable, Sendable {
  let seed: UInt64
  let lastDay: String
  let hasColumns: Bool

  var testDescription: String {
    "seed \(seed) to \(lastDay), \(hasColumns ? "with" : "without") columns"
  }

  /// The cases of this run's tier.
  static let all = Array(every.prefix(TestTier.current.histories(of: every.count)))

  private static let every: [CommitmentCase] = [
    .init(seed: 520, lastDay: "2027-09-30", hasColumns: false),
    .init(seed: 521, lastDay: "2027-12-01", hasColumns: true),
    .init(seed: 522, lastDay: "2026-10-14", hasColumns: true),
    .init(seed: 523, lastDay: "2028-03-01", hasColumns: false),
  ]
}

@Suite("The tables of a world with commitments say what happened in it")
struct CommitmentWorldTests {
  private struct World {
    let reports: SimulatedReports
    let outcome: RunOutcome

    init(_ world: CommitmentCase) throws {
      var reports = try SimulatedReports(
        seed: world.seed, subscribers: 2_500, to: world.lastDay, kinds: [.subscriber],
        plans: PlanOptions(
          commitments: Share("0.6", of: "--commitments"), hasPlanColumns: world.hasColumns))
      outcome = try RunOutcome(try reports.sandbox(), views: [[], [.product, .country]])
      reports.reports = [:]
      self.reports = reports
    }
  }

  private static let worlds = Memo<CommitmentCase, World>()

  /// Adds up columns of rows by others; amounts are counted in hundredths.
  private func counts(
    _ rows: [[String: String]], by keys: [String], of columns: [String]
  ) -> [[String]: [Int]] {
    var counts: [[String]: [Int]] = [:]
    for row in rows {
      let values = columns.map { Int((row[$0] ?? "").filter { $0 != "." }) ?? 0 }
      let key = keys.map { row[$0] ?? "" }
      counts[key] = zip(counts[key] ?? values.map { _ in 0 }, values).map { $0 + $1 }
    }
    return counts.filter { $0.value.contains { $0 != 0 } }
  }

  @Test(arguments: CommitmentCase.all)
  func `instalments, terms and what is still owed`(world: CommitmentCase) throws {
    let world = try Self.worlds.value(world) { try World(world) }
    let columns = [
      "running", "suspended", "due", "paid", "recovered", "defaulted", "pending", "terms_started",
      "terms_ended", "terms_renewed", "remaining", "remaining_price", "remaining_proceeds",
    ]
    let keys = ["month", "currency"]
    let told = counts(world.reports.truth("commitments.csv"), by: keys, of: columns)
    let rows = world.outcome.rows("commitments.csv")
    #expect(told.count > 10)
    #expect(counts(rows, by: keys, of: columns) == told)
    #expect(rows.allSatisfy { $0["position_unknown"] == "0" })
  }

  /// Only signed data state the plan, so all customers have some.
  @Test(arguments: histories(2, from: 530))
  func `instalments and terms in receipts`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 700, from: "2026-04-01", to: "2027-06-30", kinds: [.receipts],
      notified: 700, plans: PlanOptions(commitments: Share("0.9", of: "--commitments")))
    let rows = try RunOutcome(try world.sandbox(), views: [[]]).rows("commitments.csv")
    let columns = [
      "running", "suspended", "due", "paid", "recovered", "defaulted", "pending", "terms_started",
      "terms_ended", "terms_renewed", "remaining", "remaining_price",
    ]
    let truth = counts(
      world.truth("receipt_commitments.csv"), by: ["month", "currency"], of: columns)
    #expect(truth.count > 10)
    #expect(counts(rows, by: ["month", "currency"], of: columns) == truth)
  }

  @Test(arguments: CommitmentCase.all)
  func `who churned, recovered and is active`(world: CommitmentCase) throws {
    let world = try Self.worlds.value(world) { try World(world) }
    let place = ["month", "product", "country"]
    let toldChurn = counts(world.reports.truth("churned.csv"), by: place, of: ["churned_seen"])
    let churn = world.outcome.rows("churn-by-product-country.csv")
    #expect(counts(churn, by: place, of: ["churned"]) == toldChurn)
    let recovered = counts(world.reports.truth("churned.csv"), by: place, of: ["recovered_seen"])
    let lapses = world.outcome.rows("lapses-by-product-country.csv")
    #expect(counts(lapses, by: place, of: ["recovered"]) == recovered)
    let active = counts(world.reports.truth("active.csv"), by: place, of: ["active_seen"])
      .filter { $0.key[0] > "2026-01" }
    #expect(counts(churn, by: place, of: ["active_start"]) == active)
  }
}
