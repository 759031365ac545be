import Explain
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
  try explanation(cell, where: conditions, sandbox, month: month, leavingOut: true)
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
        "change: another product was bought on 2026-02-10; the period would have ended on 2026-02-22",
      ])
  }

  private func row(_ day: String, _ id: String) -> [String: String] {
    ["Event Date": "2026-\(day)", "Subscriber ID": id]
  }

  @Test
  func `is not due before its day, even if the charge came earlier`() throws {
    let sandbox = try subscriberFolder([
      "0120": [row("01-10", "1"), row("01-20", "2")],
      "0219": [row("02-10", "1"), row("02-19", "2")],
    ])
    let due = try leftOut("renewals.due", sandbox, month: "2026-02")
    #expect(due.holds && due.sums[0].count == 1)
    #expect(reasons(due) == ["it runs until 2026-02-20; the data end on 2026-02-19"])
  }

  /// The trial until 1 March was paid on 28 February: on this day the subscription counts.
  @Test
  func `is no trial that a paid charge has followed`() throws {
    let trial = row("02-22", "1").merging([
      "Subscription Offer Type": "Free Trial", "Subscription Offer Duration": "7 Days",
      "Customer Price": "0.00", "Developer Proceeds": "0.00",
    ]) { $1 }
    let sandbox = try subscriberFolder([
      "0222": [trial], "0228": [row("02-28", "1")], "0315": [], "0430": [],
    ])
    let active = try leftOut("churn.active_start", sandbox, month: "2026-03")
    #expect(active.holds && active.sums[0].count == 1 && active.leftOut == [0])
  }

  /// The period ends on 28 February, and the other product was bought on 1 March: a change of March.
  @Test
  func `is no change that counts in the next month`() throws {
    let other = row("03-01", "1").merging([
      "Subscription Apple ID": "1460000002", "Subscription Name": "Pro Monthly",
    ]) { $1 }
    let sandbox = try subscriberFolder([
      "0131": [row("01-31", "1")], "0215": [], "0301": [other], "0430": [],
    ])
    for (month, count) in [("2026-02", 0), ("2026-03", 1)] {
      let changes = try leftOut("movement.switched_out", sandbox, month: month)
      #expect(changes.holds && changes.sums[0].count == count && changes.leftOut == [0])
    }
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

/// Returns a folder of SUBSCRIBER reports of 2026, with the rows of each day such as `0120`.
func subscriberFolder(_ rows: [String: [[String: String]]]) throws -> ReportSandbox {
  var files: [String: [UInt8]] = [:]
  for (day, own) in rows {
    var text = ReportText.subscriber
    text.rows = own
    files["Subscriber_80012345_2026\(day)_V1_3.txt"] = text.bytes
  }
  return try ReportSandbox(files)
}
