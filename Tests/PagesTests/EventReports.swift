import PipelineTestSupport
import SubscriptionModel
import Testing

/// Subscription Event and Subscription reports for tests of pages.
enum EventReports {
  /// The name of an event, and the reason of a cancellation.
  typealias Event = (name: String, reason: String)

  /// A subscription that its customer canceled.
  static let canceled: Event = ("Cancel", "Canceled")

  /// Returns daily Subscription Event reports of January and February 2026.
  ///
  /// - Parameter events: The events of a day such as `2026-02-10`.
  /// - Returns: A folder with the reports.
  /// - Throws: An error when a file cannot be written.
  static func sandbox(_ events: [String: [Event]]) throws -> ReportSandbox {
    let sandbox = try ReportSandbox()
    let first = try #require(Day("2026-01-01"))
    for day in (0..<59).map({ first + $0 }) {
      var report = ReportText.event
      for event in events[day.description] ?? [] {
        report = report.with([
          "Event Date": day.description, "Event": event.name, "Cancellation Reason": event.reason,
        ])
      }
      let name = day.description.filter { $0 != "-" }
      try sandbox.write("Subscription_Event_80012345_\(name)_V1_3.txt", report.text)
    }
    return sandbox
  }

  /// Writes the Subscription reports of some days such as `20260131`, each with its number of active subscriptions.
  static func write(snapshots: [String: Int], to sandbox: ReportSandbox) throws {
    for (name, active) in snapshots {
      let report = ReportText.snapshot.with(["Active Standard Price Subscriptions": "\(active)"])
      try sandbox.write("Subscription_80012345_\(name)_V1_3.txt", report.text)
    }
  }
}
