import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("What the data do not tell")
struct MonthWithoutRowsTests {
  private static func days(_ first: String, _ count: Int) throws -> [Day] {
    let start = try #require(Day(first))
    return (0..<count).map { start + $0 }
  }

  private static func digits(_ day: Day) -> String { day.description.filter { $0 != "-" } }

  @Test
  func `is in no figure and no table of a month whose files are all empty`() throws {
    let sandbox = try ReportSandbox()
    for day in try Self.days("2025-11-01", 92) {
      let rows = ReportText.subscriber.with([
        "Event Date": day.description, "Subscriber ID": "7\(day.number)",
      ])
      try sandbox.write(
        "Subscriber_80012345_\(Self.digits(day))_V1_3.txt",
        day.description.hasPrefix("2025") ? rows.bytes : ReportText.subscriber.bytes)
    }
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.rows("churn.csv").contains { $0["month"] == "2026-01" })
    #expect(outcome.rows("movement.csv").contains { $0["month"] == "2026-01" })
    let reports = "all Subscriber reports of January 2026 are empty"
    #expect(outcome.result.kindsWithoutRows == "no rows in January 2026: subscriber")
    let months = try #require(Month("2025-12"))...(try #require(Month("2026-01")))
    #expect(
      outcome.result.rowsWithoutMeasurement(.churn, [.subscribers], in: months) == [
        "\(reports): its numbers of subscribers are no measurement"
      ])
    #expect(outcome.result.rowsWithoutMeasurement(.lapses, [.subscribers], in: months).isEmpty)
  }

  /// Churn of events is 0 of 10 in a month whose SUBSCRIPTION_EVENT reports are all empty.
  @Test
  func `is a rate of a month without rows, in a table for readers`() throws {
    let sandbox = try ReportSandbox()
    for day in try Self.days("2025-12-01", 62) {
      let isOfDecember = day.description.hasPrefix("2025")
      let rows = ReportText.event.with([
        "Event Date": day.description, "Event": "Cancel", "Cancellation Reason": "Canceled",
      ])
      try sandbox.write(
        "Subscription_Event_80012345_\(Self.digits(day))_V1_3.txt",
        isOfDecember ? rows.bytes : ReportText.event.bytes)
    }
    let snapshot = ReportText.snapshot.with(["Active Standard Price Subscriptions": "40"])
    for day in ["20251130", "20251231"] {
      try sandbox.write("Subscription_80012345_\(day)_V1_3.txt", snapshot.text)
    }
    let result = try RunOutcome(sandbox).result
    let whole = try #require(result.plan.views.firstIndex(of: []))
    let table = try result.tableMaker().table(.churn, view: whole)
    let rows = result.withoutUnmeasured(table).namedRows
    let cells = { (month: String) in
      let row = rows.first { $0.text("month") == month }
      return ["active_start", "churned", "churn_rate", "high", "state"].map { name in
        row?.cell(name) ?? .missing
      }
    }
    #expect(cells("2026-01") == [.count(40), .missing, .text("no data"), .missing, .missing])
    #expect(cells("2025-12")[1] == .count(31) && cells("2025-12")[2] == .rate(31, of: 40))
    #expect(table.namedRows.last?.cell("churn_rate") == .rate(0, of: 40))
  }

  @Test
  func `is the renewal of a day without a file, which looks like a lapse`() throws {
    let rows = [
      ["Event Date": "2026-01-05", "Subscriber ID": "700000000000000001"],
      ["Event Date": "2026-01-10", "Subscriber ID": "700000000000000002"],
      ["Event Date": "2026-02-05", "Subscriber ID": "700000000000000001"],
    ]
    var files = ReportText.daily(rows, from: "2026-01-01", to: "2026-02-28")
    files["Subscriber_80012345_20260210_V1_3.txt"] = nil
    let summary = try RunOutcome(try ReportSandbox(files)).text("summary.md")
    #expect(
      summary.contains(
        "**Churn cannot be compared: the Subscriber report of 10 February is missing.** At most 1 of 2 left (50.0%): renewals of such a day look like losses."
      ), "\(summary)")
    #expect(summary.contains("**At least 1 subscription is active,** for the same reason."))
  }

  @Test
  func `is who was active in a month that lacks days: a snapshot says it`() throws {
    let sandbox = try EventReports.sandbox(["2026-02-12": [EventReports.canceled]])
    let rows = ["2026-01-05", "2026-02-05"].map { ["Event Date": $0] }
    var files = ReportText.daily(rows, from: "2026-01-01", to: "2026-02-28")
    files["Subscriber_80012345_20260210_V1_3.txt"] = nil
    for (name, bytes) in files { try sandbox.write(name, bytes) }
    try EventReports.write(snapshots: ["20251231": 9, "20260131": 10, "20260228": 12], to: sandbox)
    let summary = try RunOutcome(sandbox) { $0.primary = .subscribers }.text("summary.md")
    #expect(
      summary.contains("Apple’s own snapshot counts 12, 2 more than in January."), "\(summary)")
  }
}
