import Explain
import Pages
import Pipeline
import PipelineTestSupport
import ReportCache
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// The values of a column.
private func column(_ name: String, _ table: ReportTable) -> [String] {
  table.rows.indices.map { table.texts([name], row: $0)[0] }
}

/// Three monthly subscriptions: one lapses on 20 February, one is given back on 12 January, one goes on.
private func reports() -> [String: [UInt8]] {
  let row = { (day: String, id: String) in ["Event Date": day, "Subscriber ID": id] }
  let refund = row("2026-01-12", "2").merging(
    ["Refund": "Yes", "Purchase Date": "2026-01-05", "Customer Price": "-9.99"]) { $1 }
  let first = ReportText.subscriber.with(row("2026-01-05", "2"), refund)
  let second = ReportText.subscriber.with(row("2026-01-20", "1"), row("2026-01-22", "3"))
  let third = ReportText.subscriber.with(row("2026-02-22", "3"))
  let last = ReportText.subscriber.with(row("2026-03-22", "3"))
  // Blank lines are no rows.
  let lines = second.text.split(separator: "\n").map(String.init)
  return [
    "Subscriber_80012345_20260112_V1_3.txt": first.bytes,
    "Subscriber_80012345_20260122_V1_3.txt": Array(
      (lines[0] + "\n\n" + lines[1] + "\n \n\n" + lines[2] + "\n").utf8),
    "Subscriber_80012345_20260222_V1_3.txt": third.bytes,
    "Subscriber_80012345_20260322_V1_3.txt": last.bytes,
    "Subscriber_80012345_20260430_V1_3.txt": ReportText.subscriber.bytes,
  ]
}

@Suite("An explanation")
struct ExplanationTests {
  @Test
  func `names each period with its reason and its rows`() throws {
    let sandbox = try ReportSandbox(reports())
    let february = try explanation("churn.churned", sandbox, month: "2026-02")
    #expect(february.lines == ["1 contribution adds up to 1, as churn.csv says"])
    let names = [
      "column", "value", "subscription", "period_start", "period_end", "fact", "because", "rows",
    ]
    #expect(
      february.table.texts(names) == [
        "churned", "1", "Subscriber_80012345_20260122_V1_3.txt:3", "2026-01-20", "2026-02-20",
        "lapse open final", "no charge within 60 days of 2026-02-20; the data end on 2026-04-30",
        "Subscriber_80012345_20260122_V1_3.txt:3",
      ])
    let january = try explanation("churn.churned_refund", sandbox, month: "2026-01")
    #expect(
      january.table.texts(["period_end", "because", "rows"]) == [
        "2026-01-12",
        "a full refund ended the period on 2026-01-12; no charge followed; the data end on 2026-04-30",
        "Subscriber_80012345_20260112_V1_3.txt:2; Subscriber_80012345_20260112_V1_3.txt:3",
      ])
    let renewed = try explanation("renewals.renewed", sandbox, month: "2026-02")
    #expect(
      renewed.table.texts(["fact", "because", "rows"]) == [
        "renewal", "charged again on 2026-02-22, the day it ended",
        "Subscriber_80012345_20260122_V1_3.txt:6; Subscriber_80012345_20260222_V1_3.txt:2",
      ])
  }

  @Test
  func `of active subscriptions leaves out one whose lapse is final`() throws {
    let active = try explanation("churn.active_start", ReportSandbox(reports()), month: "2026-03")
    #expect(active.lines == ["1 contribution adds up to 1, as churn.csv says"])
    #expect(
      active.table.texts(["subscription", "because", "rows"]) == [
        "Subscriber_80012345_20260122_V1_3.txt:6",
        "active on 2026-02-28: paid from 2026-02-22 to 2026-03-22",
        "Subscriber_80012345_20260222_V1_3.txt:2",
      ])
  }

  /// Subscriber 1 pays 80 days after a trial; 2 is given the money back on 12 January and pays again on 20 January.
  @Test
  func `says how long after a trial or a refund the next charge came`() throws {
    let row = { (day: String, id: String) in ["Event Date": day, "Subscriber ID": id] }
    let trial = row("2026-01-05", "1").merging([
      "Subscription Offer Type": "Free Trial", "Subscription Offer Duration": "7 Days",
      "Customer Price": "0.00", "Developer Proceeds": "0.00",
    ]) { $1 }
    let refund = row("2026-01-12", "2").merging(
      ["Refund": "Yes", "Purchase Date": "2026-01-05", "Customer Price": "-9.99"]) { $1 }
    let first = ReportText.subscriber.with(
      trial, row("2026-01-05", "2"), refund, row("2026-01-20", "2"))
    let sandbox = try ReportSandbox([
      "Subscriber_80012345_20260120_V1_3.txt": first.bytes,
      "Subscriber_80012345_20260402_V1_3.txt":
        ReportText.subscriber.with(row("2026-04-02", "1")).bytes,
      "Subscriber_80012345_20260430_V1_3.txt": ReportText.subscriber.bytes,
    ])
    let because = { (cell: String, month: String) in
      try explanation(cell, sandbox, month: month).table.texts(["because"])
    }
    #expect(
      try because("movement.reactivated", "2026-04") == [
        "paid on 2026-04-02, more than 60 days after the free period that ended on 2026-01-12"
      ])
    #expect(
      try because("lapses.recovered", "2026-01") == [
        "a full refund ended the period on 2026-01-12; the next charge came on 2026-01-20, within 60 days"
      ])
  }

  @Test
  func `of a rate is that of its parts`() throws {
    let sandbox = try ReportSandbox(reports())
    let rate = try explanation("churn.churn_rate", sandbox, month: "2026-02")
    #expect(rate.sums.map(\.column) == ["churned", "active_start"])
    #expect(
      rate.lines == [
        "churn_rate = 1/2 = 0.500000, of churned and active_start",
        "churned: 1 contribution adds up to 1, as churn.csv says",
        "active_start: 2 contributions add up to 2, as churn.csv says",
      ])
    #expect(column("column", rate.table) == ["churned", "active_start", "active_start"])
  }

  @Test
  func `adds up all, even if it lists only the first`() throws {
    let sandbox = try ReportSandbox(reports())
    let limited = try explanation(
      "refunds.charges", where: ["dating=refund", "currency=USD"], sandbox, month: "2026-01",
      limit: 1)
    #expect(limited.lines == ["3 contributions add up to 3, as refunds.csv says"])
    #expect(column("value", limited.table) == ["1", "2"])
    #expect(column("because", limited.table).last == "2 more contributions, not listed")
  }

  @Test
  func `lists by subscription, or by file and line`() throws {
    let row = { (day: String, id: String) in ["Event Date": day, "Subscriber ID": id] }
    let first = ReportText.subscriber.with(row("2026-01-20", "1"), row("2026-01-22", "2"))
    let second = ReportText.subscriber.with(row("2026-02-20", "2"), row("2026-02-21", "1"))
    let sandbox = try ReportSandbox([
      "Subscriber_80012345_20260122_V1_3.txt": first.bytes,
      "Subscriber_80012345_20260221_V1_3.txt": second.bytes,
      "Subscriber_80012345_20260330_V1_3.txt": ReportText.subscriber.bytes,
    ])
    let lines = { (order: ContributionOrder) in
      let found = try explanation("churn.active_start", sandbox, month: "2026-03", order: order)
      return column("rows", found.table).compactMap(\.last)
    }
    #expect(try lines(.subscription) == ["3", "2"])
    #expect(try lines(.evidence) == ["2", "3"])
  }

  @Test
  func `names subscriptions by their ids, or by codes for them, only when asked`() throws {
    let sandbox = try ReportSandbox(reports())
    let named = { (naming: CustomerTable.Naming?) in
      try column(
        "subscription",
        explanation("churn.churned", sandbox, month: "2026-02", naming: naming).table)
    }
    #expect(try named(.clear) == ["1"])
    let codes = try named(.anonymous(key: "secret"))
    #expect(codes.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
    #expect(try named(.anonymous(key: "other")) != codes)
  }

  @Test
  func `is the same on any number of threads`() throws {
    let reports = try SimulatedReports(seed: 5, subscribers: 150, to: "2026-05-20")
    let sandbox = try reports.sandbox()
    for cell in ["churn", "movement", "renewals.due", "trials"] {
      let one = try explanation(cell, sandbox, month: "2026-03", jobs: 1)
      let four = try explanation(cell, sandbox, month: "2026-03", jobs: 4)
      #expect(one.holds && one.table == four.table && one.sums == four.sums, "\(cell)")
    }
  }

  @Test
  func `is the same with a cache, whose charges have the numbers of their rows`() throws {
    let (sandbox, folder) = (try ReportSandbox(reports()), try ReportSandbox())
    let plain = try explanation("churn", sandbox, month: "2026-02")
    for _ in 0..<2 {
      let cache = try ExtractCache(path: folder.path + "/cache", version: "1.2.3")
      let cached = try explanation("churn", sandbox, month: "2026-02") { $0.earlierRuns = cache }
      #expect(cached.holds && cached.table == plain.table)
    }
  }

  @Test
  func `fails if a file has changed since it was read`() throws {
    let sandbox = try ReportSandbox(reports())
    #expect(throws: KeptCharges.LineError.self) {
      try explanation(
        "churn.churned", sandbox, month: "2026-02",
        afterRun: {
          try sandbox.write(
            "Subscriber_80012345_20260122_V1_3.txt", ReportText.subscriber.text)
        })
    }
  }
}
