import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("the other sources")
struct OtherSourcesTests {
  /// Reports of January: 3 of 10 subscriptions churned by events, and a week of SUBSCRIBER reports is missing.
  private static func twoSources() throws -> ReportSandbox {
    let sandbox = try ReportSandbox()
    let first = try #require(Day("2025-12-01"))
    let charged = ["2025-12-05": ["701", "702"], "2026-01-05": ["701"]]
    let canceled = ["2026-01-10": 2, "2026-01-12": 1]
    for day in (0..<62).map({ first + $0 }) {
      let (text, name) = (day.description, day.description.filter { $0 != "-" })
      var subscribers = ReportText.subscriber
      for id in charged[text] ?? [] {
        subscribers = subscribers.with(["Event Date": text, "Subscriber ID": id])
      }
      if !("2026-01-08"..."2026-01-14").contains(text) {
        try sandbox.write("Subscriber_80012345_\(name)_V1_3.txt", subscribers.bytes)
      }
      guard text.hasPrefix("2026") else { continue }
      var events = ReportText.event
      for _ in 0..<(canceled[text] ?? 0) {
        events = events.with([
          "Event Date": text, "Event": "Cancel", "Cancellation Reason": "Canceled",
        ])
      }
      try sandbox.write("Subscription_Event_80012345_\(name)_V1_3.txt", events.bytes)
    }
    let snapshot = ReportText.snapshot.with(["Active Standard Price Subscriptions": "10"])
    try sandbox.write("Subscription_80012345_20251231_V1_3.txt", snapshot.text)
    return sandbox
  }

  @Test
  func `has the state of each number of the other sources, and the days that are missing`() throws {
    let outcome = try RunOutcome(try Self.twoSources())
    let page = outcome.text("index.html")
    for cells in [
      ["Event reports", "3", "30.0%"],
      ["Subscriber reports", "1, incomplete (\u{2212}2)", "50.0%, incomplete (+20.0 points)"],
    ] {
      let row = page.split(separator: "\n").filter {
        $0.contains("<th scope=\"row\">\(cells[0])</th>")
      }
      #expect(
        row.contains { row in
          cells.dropFirst().allSatisfy { row.contains("<td class=\"r\">\($0)</td>") }
        }, "\(cells)")
    }
    #expect(page.contains("why it differs"))
    #expect(page.contains("Subscriber reports of 8 to 14 Jan 2026 are missing."))
  }

  @Test
  func `are named where no row of theirs passes the filters`() throws {
    let outcome = try RunOutcome(try Self.twoSources()) { $0.filters.contingent = ["unknown"] }
    let page = outcome.text("summary.md")
    #expect(page.contains("No row of events passes the filters."), "\(page)")
    #expect(!(try RunOutcome(try Self.twoSources())).text("summary.md").contains("passes the"))
  }

  @Test
  func `leave the definition of churn to the source that is shown`() throws {
    let ofEvents =
      "Churn (event reports):</strong> cancellations of paid subscriptions in the month"
    let ofRows =
      "Churn (Subscriber reports):</strong> paid periods that ended in the month and were not"
    let page = try RunOutcome(try Self.twoSources()).text("index.html")
    #expect(page.contains(ofEvents) && !page.contains(ofRows))
    let subscribers = try RunOutcome(try Self.twoSources()) { $0.sources = [.subscribers] }
    let alone = subscribers.text("index.html")
    #expect(alone.contains(ofRows) && !alone.contains(ofEvents))
  }
}
