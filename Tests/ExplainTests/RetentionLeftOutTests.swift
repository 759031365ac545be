import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Chains that retention leaves out")
struct RetentionLeftOutTests {
  private func row(_ day: String, _ id: String) -> [String: String] {
    ["Event Date": "2026-\(day)", "Subscriber ID": id]
  }

  private func trial(_ day: String, _ id: String) -> [String: String] {
    row(day, id).merging([
      "Subscription Offer Type": "Free Trial", "Subscription Offer Duration": "7 Days",
      "Customer Price": "0.00", "Developer Proceeds": "0.00",
    ]) { $1 }
  }

  /// Subscriber 1 may be older than the data; 2 is kept once, then lost; 3 is lost at once; 4 and 8 are not decided; 5
  /// never pays; 6 came back under a new id; 8 changes the product.
  private func sandbox() throws -> ReportSandbox {
    let reset = row("02-03", "6").merging(["Subscriber ID Reset": "Yes"]) { $1 }
    let other = row("06-15", "8").merging([
      "Subscription Apple ID": "1460000002", "Subscription Name": "Pro Monthly",
    ]) { $1 }
    return try subscriberFolder([
      "0105": [], "0110": [row("01-10", "1")], "0112": [trial("01-12", "2"), trial("01-12", "3")],
      "0119": [row("01-19", "2"), row("01-19", "3")], "0201": [trial("02-01", "5")],
      "0203": [reset], "0219": [row("02-19", "2")], "0424": [trial("04-24", "4")],
      "0501": [row("05-01", "4")], "0601": [row("06-01", "4"), trial("06-01", "8")],
      "0608": [row("06-08", "8")], "0615": [other], "0630": [],
    ])
  }

  private func leftOut(_ column: String, k: Int) throws -> Explanation {
    try explanation(
      "retention.\(column)", where: ["k=\(k)"], sandbox(), month: "2026-01", leavingOut: true)
  }

  private func reasons(_ explanation: Explanation) -> [String] {
    explanation.table.rows.indices.map { explanation.table.texts(["because"], row: $0)[0] }
  }

  private let unknownStart =
    "the first row of the subscription is of 2026-01-10; it may have begun before the data, which begin on 2026-01-05"
  private let reset =
    "its first charge is the first under a new subscriber id, on 2026-02-03: the customer came back after 180 days or more"
  private let tooYoung =
    "paid period 1 ended on 2026-06-01, less than 60 days before the data end on 2026-06-30"
  private let lost = "no charge within 60 days of 2026-02-19; the data end on 2026-06-30"

  @Test
  func `are listed with the rule`() throws {
    let first = try leftOut("at_risk", k: 1)
    #expect(first.holds && first.sums[0].count == 2 && first.leftOut == [5])
    #expect(
      reasons(first) == [
        unknownStart, "it has no paid period", reset, tooYoung,
        "paid period 1 runs until 2026-07-15; the data end on 2026-06-30",
      ])
    let second = try leftOut("lost", k: 2)
    #expect(second.holds && second.sums[0].count == 1)
    #expect(
      reasons(second) == [
        unknownStart, "lost at paid period 1: \(lost)", "it has no paid period", reset, tooYoung,
        "it has only 1 paid period that counts; a change of product or billing plan cut 1 short",
      ])
    let kept = try leftOut("kept", k: 1)
    #expect(reasons(kept).contains("lost: \(lost)"))
    #expect(kept.table.texts(["value", "fact"]) == ["", "left out"])
  }

  /// Whatever k and column: those that count and those left out are the same chains.
  @Test(arguments: histories(4))
  func `make with those that count all chains of the row`(seed: UInt64) throws {
    let reports = try SimulatedReports(
      seed: seed, subscribers: 80, to: "2026-08-10", kinds: [.subscriber],
      plans: PlanOptions(commitments: Share("0.8", of: "--commitments")))
    let sandbox = try reports.sandbox()
    let result = carryOut([sandbox.path], views: [[], [.country]]) { plan in
      plan.sources = [.subscribers]
      plan.keepsCharges = true
    }
    for (view, condition) in [(0, [String]()), (1, ["country=DE"])] {
      let table = try result.tableMaker().table(.retention, view: view)
      let rows = table.rows.indices.map { table.row($0).mapValues(\.text) }
      var totals: Set<Int> = []
      for row in rows where condition.isEmpty || row["country"] == "DE" {
        let question = try Question("retention", where: condition + ["k=\(row["k"] ?? "")"])
        let found = try Explanation(
          question, month: Month(year: 2026, month: 1), result,
          Listing(limit: 5, leavingOut: true))
        #expect(found.holds, "\(found.lines)")
        for (sum, count) in zip(found.sums, try #require(found.leftOut)) {
          totals.insert(sum.count + count)
        }
      }
      #expect(totals.count <= 1, "\(totals)")
    }
  }
}
