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
    let why = "January 2026 is not shown: \(reports)."
    let summary = outcome.text("summary.md")
    #expect(summary.contains("## Movement") && summary.contains("| 2025-12 |"), "\(summary)")
    #expect(!summary.contains("| 2026-01 |") && summary.contains(why), "\(summary)")
    #expect(!summary.contains("subreport explain churn.churned"), "\(summary)")
    let page = outcome.text("index.html")
    #expect(page.contains("December 2025 began with") && page.contains(why))
    #expect(!page.contains("January 2026 began with") && !page.contains("In January 2026 of"))
    // The first screen has the churn of the last month that was measured.
    let rows = try #require(
      outcome.rows("churn.csv").first { $0["month"] == "2025-12" && $0["active_start"] != "" })
    let last = "The last month with rows is December 2025: \(rows["churned"] ?? "") of "
    #expect(summary.contains(last + "\(rows["active_start"] ?? "") churned, "), "\(summary)")
    #expect(summary.contains("Rows of January 2026 in CSV files are no measurement."))
    #expect(page.contains(last))
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
  func `is no churn before a first month that is empty`() throws {
    let rows = ["2026-01-05"].map { ["Event Date": $0] }
    let files = ReportText.daily(rows, from: "2026-01-01", to: "2026-02-28")
    let summary = try RunOutcome(try ReportSandbox(files)).text("summary.md")
    // January is the first month, so who was active before it is not known.
    #expect(!summary.contains("The last month with rows"), "\(summary)")
    #expect(summary.contains("Rows of February 2026 in CSV files are no measurement."))
  }

  @Test
  func `is the renewal of a day without a file, which looks like a lapse`() throws {
    let rows = [
      ["Event Date": "2026-01-05", "Subscriber ID": "700000000000000001"],
      ["Event Date": "2026-01-10", "Subscriber ID": "700000000000000002"],
      ["Event Date": "2026-02-05", "Subscriber ID": "700000000000000001"],
    ]
    var files = ReportText.daily(rows, from: "2026-01-01", to: "2026-02-28")
    let words = "the data of the month are not complete: a renewal on a missing day looks like"
    let complete = try RunOutcome(try ReportSandbox(files))
    #expect(!complete.text("summary.md").contains(words))
    files["Subscriber_80012345_20260210_V1_3.txt"] = nil
    let outcome = try RunOutcome(try ReportSandbox(files))
    let summary = outcome.text("summary.md")
    #expect(
      summary.contains(
        "1 of 2 is counted as churned (50.00%), likely too many: renewals on the missing days look like losses; 1 of them can still turn out renewed."
      ), "\(summary)")
    #expect(
      summary.contains(
        "1 subscription is counted as active at the end of February 2026, likely too few: renewals on the missing days are not seen."
      ), "\(summary)")
    #expect(
      summary.contains(
        "**1 day of `subscriber` is missing (2026-02-10): active subscriptions, net change, churn rate, "
      ), "\(summary)")
    #expect(
      summary.contains(
        " of February 2026 are `partial`.** Download these reports again (Apple keeps daily reports for 365 days)."
      ), "\(summary)")
    let short = try #require(
      PageReader.parts(of: summary, from: "likely too few", to: "## Headline numbers").first)
    #expect(!short.contains("chance") && !short.contains(" fewer than "), "\(short)")
    #expect(outcome.text("index.html").contains("partial: \(words) a lapse"))
  }

  @Test
  func `is who was active in a month that lacks days: a snapshot says it`() throws {
    let sandbox = try EventReports.sandbox(["2026-02-12": [EventReports.canceled]])
    let rows = ["2026-01-05", "2026-02-05"].map { ["Event Date": $0] }
    var files = ReportText.daily(rows, from: "2026-01-01", to: "2026-02-28")
    files["Subscriber_80012345_20260210_V1_3.txt"] = nil
    for (name, bytes) in files { try sandbox.write(name, bytes) }
    let count =
      "Subscription reports (events) count 12 active at the end of February 2026, 2 more than a month before."
    let without = try RunOutcome(sandbox) { $0.primary = .subscribers }.text("summary.md")
    #expect(!without.contains("Subscription reports (events) count"), "\(without)")
    try EventReports.write(snapshots: ["20251231": 9, "20260131": 10, "20260228": 12], to: sandbox)
    let outcome = try RunOutcome(sandbox) { $0.primary = .subscribers }
    #expect(outcome.text("summary.md").contains(count), "\(outcome.text("summary.md"))")
    #expect(outcome.text("index.html").contains(count))
    // None can be too many.
    let churned =
      "0 of 1 are counted as churned (0.00%). Subscription Event reports (events) count 1 of 10."
    #expect(outcome.text("summary.md").contains(churned), "\(outcome.text("summary.md"))")
    // Events of a missing day are no losses; Apple's own count lacks nothing.
    sandbox.remove("Subscription_Event_80012345_20260220_V1_3.txt")
    let events = try RunOutcome(sandbox) { $0.primary = .events }.text("summary.md")
    #expect(
      events.contains(
        "1 of 10 is counted as churned (10.00%), likely too few: losses on the missing days are not seen. 1 canceled by the customer."
      ), "\(events)")
    #expect(events.contains("there were 12 active subscriptions, 2 more than"), "\(events)")
  }

  @Test
  func `is the churn rate of events without snapshots, but not how many churned`() throws {
    let canceled = (name: "Cancel", reason: "Canceled")
    let sandbox = try EventReports.sandbox([
      "2026-01-10": [canceled], "2026-02-12": [canceled, canceled],
    ])
    let outcome = try RunOutcome(sandbox)
    let count = "Counted as churned: 2 in February 2026, 1 in January 2026"
    let why = "\(count) (events): 2 canceled by the customer."
    #expect(outcome.text("summary.md").contains(why))
    // It comes first, with how many renewed.
    #expect(
      outcome.text("index.html").contains("<p class=\"lead\">\(why) 0 of 2 renewed: 0.00%"))
    let noAmounts = "Net proceeds are not known: Subscription Event reports carry no amounts; add"
    #expect(outcome.text("summary.md").contains(noAmounts))
    #expect(outcome.text("index.html").contains(noAmounts))
    let others = "Trials and refunds are counted from Subscriber reports and receipts only."
    #expect(outcome.text("summary.md").contains(others))
    #expect(outcome.text("index.html").contains(count))
    let reasons = "In February 2026 of 2 churned: 2 canceled by the customer."
    let gap = " The data of the month are not complete."
    #expect(outcome.text("index.html").contains(reasons))
    #expect(!outcome.text("index.html").contains(reasons + gap))
    sandbox.remove("Subscription_Event_80012345_20260220_V1_3.txt")
    let incomplete = try RunOutcome(sandbox)
    #expect(incomplete.text("index.html").contains(reasons + gap))
  }

  @Test
  func `is not why churn is more than movement shows: the summary says it too`() throws {
    let sandbox = try EventReports.sandbox([
      "2026-02-10": [("Cancel", "Canceled"), ("Canceled from Billing Retry", "Billing issue")]
    ])
    try EventReports.write(snapshots: ["20251231": 10, "20260131": 10, "20260228": 9], to: sandbox)
    let outcome = try RunOutcome(sandbox)
    let sentence = "Churn in February 2026 is 2, 1 more than the 1 churned here:"
    #expect(outcome.text("summary.md").contains(sentence))
    #expect(outcome.text("index.html").contains(sentence))
    // Days without a snapshot are missing, days without an event are empty.
    #expect(
      outcome.text("index.html").contains("restated, each kind of report counted by itself;"))
  }
}
