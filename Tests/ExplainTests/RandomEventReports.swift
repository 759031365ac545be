import PipelineTestSupport
import SubreportTestSupport

/// Random Subscription Event reports with snapshots, and what each of their rows adds to, as METRICS.md says.
struct RandomEventReports {
  /// A kind of event.
  private struct Kind {
    let event: String
    let paidPeriods: Int
    var reason = ""
    /// Whether the row names the product before.
    var isChange = false
    /// The cells that such an event adds to.
    let cells: [String]
  }

  private struct Row {
    let place: String
    let country: String
    let quantity: Int
    /// Such as `2026-02 churn.churned`.
    let adds: Set<String>
  }

  private(set) var files: [String: [UInt8]] = [:]
  private var rows: [Row] = []

  private static let kinds: [Kind] = [
    Kind(
      event: "Renew", paidPeriods: 2,
      cells: ["renewals.due", "renewals.renewed", "k=1 at_risk", "k=1 kept"]),
    Kind(
      event: "Cancel", paidPeriods: 2, reason: "Canceled",
      cells: [
        "churn.churned", "churn.churned_voluntary", "renewals.due", "renewals.lapsed",
        "movement.churned", "k=2 at_risk", "k=2 lost",
      ]),
    Kind(
      event: "Cancel", paidPeriods: 1, reason: "Billing issue",
      cells: [
        "churn.churned", "churn.churned_billing", "renewals.due", "renewals.lapsed",
        "movement.churned", "k=1 at_risk", "k=1 lost",
      ]),
    Kind(
      event: "Canceled from Billing Retry", paidPeriods: 3, reason: "Billing issue",
      cells: ["churn.churned", "churn.churned_billing", "k=3 at_risk", "k=3 lost"]),
    Kind(
      event: "Cancel", paidPeriods: 0, reason: "Canceled", cells: ["trials.not_converted"]),
    Kind(
      event: "Billing Retry from Paid Subscription", paidPeriods: 1,
      cells: ["renewals.due", "renewals.pending", "movement.entered_retry"]),
    Kind(
      event: "Renewal from Billing Retry", paidPeriods: 1,
      cells: ["renewals.recovered", "movement.recovered"]),
    Kind(event: "Subscribe", paidPeriods: 1, cells: ["movement.started"]),
    Kind(
      event: "Paid Subscription from Introductory Offer", paidPeriods: 1,
      cells: ["movement.converted", "trials.converted"]),
    Kind(
      event: "Upgrade", paidPeriods: 1, isChange: true,
      cells: ["movement.switched_in", "movement.switched_out"]),
    Kind(
      event: "Downgrade", paidPeriods: 4, isChange: true,
      cells: [
        "renewals.due", "renewals.renewed", "movement.switched_in", "movement.switched_out",
      ]),
    Kind(event: "Reactivate", paidPeriods: 1, cells: ["movement.reactivated"]),
    Kind(event: "Refund", paidPeriods: 1, cells: []),
  ]

  private static let countries = ["US", "DE", "FR"]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for month in ["2026-01", "2026-02", "2026-03"] {
      for day in ["03", "11", "20", "28"] { addEvents("\(month)-\(day)", month, &random) }
    }
    // A snapshot counts only if it is of the last day of a month.
    addSnapshot("2026-01-31", month: "2026-01", next: "2026-02", &random)
    addSnapshot("2026-02-10", month: "", next: "", &random)
    addSnapshot("2026-02-28", month: "2026-02", next: "2026-03", &random)
  }

  private mutating func addEvents(_ day: String, _ month: String, _ random: inout SeededGenerator) {
    let name = "Subscription_Event_80012345_\(day.filter { $0 != "-" })_V1_3.txt"
    var report = ReportText.event
    for line in 0..<Int.random(in: 1...8, using: &random) {
      let kind = Self.kinds[Int.random(in: Self.kinds.indices, using: &random)]
      let country = Self.countries[Int.random(in: Self.countries.indices, using: &random)]
      let quantity = Int.random(in: 1...4, using: &random)
      report.rows.append([
        "Event Date": day, "Event": kind.event, "Country": country, "Quantity": "\(quantity)",
        "Consecutive Paid Periods": "\(kind.paidPeriods)", "Cancellation Reason": kind.reason,
        "Previous Subscription Name": kind.isChange ? "Weekly" : "",
        "Previous Subscription Apple ID": kind.isChange ? "1460000009" : "",
      ])
      rows.append(
        Row(
          place: "\(name):\(line + 2)", country: country, quantity: quantity,
          adds: Set(kind.cells.map { "\(month) \($0)" })))
    }
    files[name] = report.bytes
  }

  private mutating func addSnapshot(
    _ day: String, month: String, next: String, _ random: inout SeededGenerator
  ) {
    let name = "Subscription_80012345_\(day.filter { $0 != "-" })_V1_3.txt"
    var report = ReportText.snapshot
    for (line, country) in Self.countries.enumerated() {
      let active = Int.random(in: 1...30, using: &random)
      report.rows.append([
        "Country": country, "Active Standard Price Subscriptions": "\(active)",
      ])
      rows.append(
        Row(
          place: "\(name):\(line + 2)", country: country, quantity: active,
          adds: [
            "\(month) movement.close_observed", "\(next) movement.open",
            "\(next) churn.active_start",
          ]))
    }
    files[name] = report.bytes
  }

  /// The rows of events of a month.
  func events(month: String, country: String?) -> Set<String> {
    let start = "Subscription_Event_80012345_\(month.filter { $0 != "-" })"
    return Set(
      rows.filter { row in
        row.place.hasPrefix(start) && country.map { $0 == row.country } ?? true
      }.map(\.place))
  }

  /// The rows that add to a cell, each with what it adds, in order.
  func contributions(to cell: String, month: String, country: String?) -> [[String]] {
    rows.filter { row in
      row.adds.contains("\(month) \(cell)") && country.map { $0 == row.country } ?? true
    }.map { [$0.place, "\($0.quantity)"] }.sorted { $0[0] < $1[0] }
  }
}
