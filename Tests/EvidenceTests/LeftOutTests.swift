import Evidence
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Lists what a cell of whole populations leaves out.
private func leftOut(
  _ cell: String, where conditions: [String] = [], _ sandbox: ReportSandbox, month: String
) throws -> Explanation {
  let question = try Question(cell, where: conditions)
  let result = carryOut([sandbox.path], views: [question.dimensions]) { plan in
    plan.sources = [.subscribers]
    plan.keepsCharges = true
  }
  return try Explanation(
    question, month: try #require(Month(month)), result, try #require(result.charges),
    leavingOut: true)
}

@Suite("What a cell leaves out")
struct LeftOutTests {
  /// Subscriber 1 renews, 2 has a trial, 3 is refunded, 4 changes the product.
  private func sandbox() throws -> ReportSandbox {
    let name = { (day: String) in "Subscriber_80012345_2026\(day)_V1_3.txt" }
    let row = { (day: String, id: String) in ["Event Date": "2026-\(day)", "Subscriber ID": id] }
    let trial = row("02-05", "2").merging([
      "Subscription Offer Type": "Free Trial", "Subscription Offer Duration": "7 Days",
      "Customer Price": "0.00", "Developer Proceeds": "0.00",
    ]) { $1 }
    let refund = row("02-01", "3").merging([
      "Refund": "Yes", "Purchase Date": "2026-01-25", "Customer Price": "-9.99",
    ]) { $1 }
    let other = row("02-10", "4").merging([
      "Subscription Apple ID": "1460000002", "Subscription Name": "Pro Monthly",
    ]) { $1 }
    return try ReportSandbox([
      name("0125"):
        ReportText.subscriber.with(row("01-20", "1"), row("01-22", "4"), row("01-25", "3")).bytes,
      name("0210"): ReportText.subscriber.with(refund, trial, other).bytes,
      name("0220"): ReportText.subscriber.with(row("02-20", "1")).bytes,
      name("0430"): ReportText.subscriber.bytes,
    ])
  }

  private func reasons(_ explanation: Explanation) -> [String] {
    explanation.table.rows.indices.map { explanation.table.texts(["because"], row: $0)[0] }
  }

  @Test
  func `is listed with the rule`() throws {
    let due = try leftOut("renewals.due", sandbox(), month: "2026-02")
    #expect(
      reasons(due) == [
        "no renewal was due: another product was bought on 2026-02-10",
        "no renewal was due: a full refund ended it on 2026-02-01",
        "a free trial; only paid periods count",
      ])
    #expect(due.table.texts(["column", "value", "fact"]) == ["due", "", "left out"])
    #expect(
      due.lines == [
        "1 contribution adds up to 1, as renewals.csv says",
        "besides, 3 belong to the row and do not count",
      ])
    let converted = try leftOut("trials.converted", sandbox(), month: "2026-02")
    #expect(
      reasons(converted) == [
        "trial not converted: no charge within 60 days of 2026-02-12; the data end on 2026-04-30"
      ])
    let charges = try leftOut(
      "refunds.charges", where: ["dating=refund", "currency=USD"], sandbox(), month: "2026-02")
    #expect(reasons(charges) == ["a free trial; only paid periods count"])
    let churned = try leftOut("churn.churned", sandbox(), month: "2026-02")
    #expect(
      reasons(churned).prefix(2) == [
        "renewal: charged again on 2026-02-20, the day it ended",
        "renewal: another product was bought on 2026-02-10; bought until 2026-02-22",
      ])
  }

  /// Whatever a column counts of the periods that end in a month, it leaves out all others.
  @Test(arguments: histories(4))
  func `makes with what counts the same periods for each column`(seed: UInt64) throws {
    let reports = try SimulatedReports(
      seed: seed, subscribers: 100, to: "2026-06-10", kinds: [.subscriber])
    let sandbox = try reports.sandbox()
    var totals: Set<Int> = []
    for cell in [
      "renewals", "lapses", "churn.churned", "churn.churned_refund", "churn.churned_unknown",
    ] {
      let found = try leftOut(cell, sandbox, month: "2026-03")
      #expect(found.holds)
      let counts = try #require(found.leftOut)
      for (sum, count) in zip(found.sums, counts) { totals.insert(sum.count + count) }
    }
    #expect(totals.count == 1, "\(totals)")
  }
}
