import Evidence
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Random Subscription Event reports with snapshots, and what each of their rows adds to, as METRICS.md says.
private struct RandomReports {
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
    Kind(event: "Renew", paidPeriods: 2, cells: ["renewals.due", "renewals.renewed"]),
    Kind(
      event: "Cancel", paidPeriods: 2, reason: "Canceled",
      cells: [
        "churn.churned", "churn.churned_voluntary", "renewals.due", "renewals.lapsed",
        "movement.churned",
      ]),
    Kind(
      event: "Cancel", paidPeriods: 1, reason: "Billing issue",
      cells: [
        "churn.churned", "churn.churned_billing", "renewals.due", "renewals.lapsed",
        "movement.churned",
      ]),
    Kind(
      event: "Canceled from Billing Retry", paidPeriods: 3, reason: "Billing issue",
      cells: ["churn.churned", "churn.churned_billing"]),
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

  /// The rows that add to a cell, each with what it adds, in order.
  func contributions(to cell: String, month: String, country: String?) -> [[String]] {
    rows.filter { row in
      row.adds.contains("\(month) \(cell)") && country.map { $0 == row.country } ?? true
    }.map { [$0.place, "\($0.quantity)"] }.sorted { $0[0] < $1[0] }
  }
}

/// Explains a row of events or sales; `nil` when the table has no such row.
private func explanation(
  _ cell: String, where conditions: [String] = [], _ source: Source, _ sandbox: ReportSandbox,
  month: String, jobs: Int = 2, limit: Int? = nil, afterRun: () throws -> Void = {}
) throws -> Explanation? {
  let question = try Question(cell, where: conditions, from: [source])
  let result = carryOut([sandbox.path], views: [question.dimensions], jobs: jobs) { plan in
    plan.sources = [source]
    plan.keepsContext = true
  }
  try afterRun()
  let context = try #require(result.context)
  do {
    return try Explanation(
      question, month: try #require(Month(month)), result, context, limit: limit)
  } catch is QuestionError {
    return nil
  }
}

@Suite("An explanation of rows")
struct RowExplanationTests {
  @Test(arguments: seeds(20))
  func `of events names each row that adds to a cell, and adds up`(seed: UInt64) throws {
    let reports = RandomReports(seed: seed)
    let sandbox = try ReportSandbox(reports.files)
    for table in ColumnMakeup.tables(from: .events) {
      for country in [nil, "DE"] {
        for month in ["2026-01", "2026-02"] {
          try expect(table, country, month, reports, sandbox, jobs: seed % 2 == 0 ? 1 : 3)
        }
      }
    }
  }

  private func expect(
    _ table: TableKind, _ country: String?, _ month: String, _ reports: RandomReports,
    _ sandbox: ReportSandbox, jobs: Int
  ) throws {
    let found = try explanation(
      table.rawValue, where: country.map { ["country=\($0)"] } ?? [], .events, sandbox,
      month: month, jobs: jobs)
    let expected = { (column: String) in
      reports.contributions(to: "\(table.rawValue).\(column)", month: month, country: country)
    }
    guard let found else {
      let names = ColumnMakeup.names(in: table, from: .events)
      #expect(names.allSatisfy { expected($0).isEmpty }, "\(table) \(month)")
      return
    }
    #expect(found.holds, "\(found.lines)")
    for sum in found.sums {
      let listed = found.table.rows.indices.map {
        found.table.texts(["column", "rows", "value"], row: $0)
      }.filter { $0[0] == sum.column }.map { Array($0.dropFirst()) }
      // Places have up to nine lines, so that their order is that of texts.
      #expect(listed == expected(sum.column), "\(table).\(sum.column) \(month) \(country ?? "")")
    }
  }

  @Test
  func `of events says what the row is`() throws {
    let sandbox = try ReportSandbox([
      "Subscription_Event_80012345_20260105_V1_3.txt": ReportText.event.with(
        ["Event": "Cancel", "Cancellation Reason": "Canceled", "Quantity": "3"],
        ["Event": "Upgrade", "Previous Subscription Name": "Weekly"]
      ).bytes
    ])
    let churned = try #require(
      try explanation("churn.churned_voluntary", .events, sandbox, month: "2026-01"))
    let names = ["value", "subscription", "start_month", "fact", "because", "rows"]
    #expect(
      churned.table.texts(names) == [
        "3", "", "2025-12", "lapse", "3 events Cancel of 2026-01-05 with 2 paid periods",
        "Subscription_Event_80012345_20260105_V1_3.txt:2",
      ])
    #expect(churned.lines == ["1 contribution adds up to 3, as churn.csv says"])
  }

  @Test
  func `of sales has units and amounts, charges and refunds`() throws {
    let sandbox = try ReportSandbox([
      "S_D_80012345_20260105.txt": ReportText.sales.with(
        [:], ["Units": "-1", "Customer Price": "-9.99"],
        ["Customer Currency": "EUR", "Currency of Proceeds": "EUR"], ["Units": "2"]
      ).bytes
    ])
    let found = try #require(
      try explanation("proceeds", where: ["currency=USD"], .sales, sandbox, month: "2026-01"))
    #expect(
      found.lines == [
        "charges: 2 contributions add up to 5, as proceeds.csv says",
        "gross_price: 2 contributions add up to 49.95, as proceeds.csv says",
        "gross_proceeds: 2 contributions add up to 34.95, as proceeds.csv says",
        "refunded_price: 1 contribution adds up to 9.99, as proceeds.csv says",
        "refunded_proceeds: 1 contribution adds up to 6.99, as proceeds.csv says",
      ])
    let names = ["column", "fact", "because", "rows"]
    #expect(
      found.table.texts(names, row: 1) == [
        "charges", "charge", "2 units of 9.99 USD sold on 2026-01-05",
        "S_D_80012345_20260105.txt:5",
      ])
    #expect(
      found.table.texts(names, row: 6) == [
        "refunded_price", "refund", "1 unit of 9.99 USD given back on 2026-01-05",
        "S_D_80012345_20260105.txt:3",
      ])
    let limited = try #require(
      try explanation(
        "proceeds.charges", where: ["currency=USD"], .sales, sandbox, month: "2026-01", limit: 1))
    #expect(limited.holds && limited.table.texts(["value", "because"], row: 1)[0] == "2")
    #expect(
      limited.table.texts(["because"], row: 1) == ["1 more contribution, not listed"])
  }

  @Test
  func `of weekly sales names the days of the report`() throws {
    let sandbox = try ReportSandbox([
      "S_W_80012345_20260111.txt": ReportText.sales.with(["End Date": "01/11/2026"]).bytes
    ])
    let found = try #require(
      try explanation(
        "proceeds.charges", where: ["currency=USD"], .sales, sandbox, month: "2026-01"))
    #expect(
      found.table.texts(["because"]) == ["3 units of 9.99 USD sold in 2026-01-05/2026-01-11"])
  }

  @Test
  func `fails if a report has changed since it was read`() throws {
    let name = "Subscription_Event_80012345_20260105_V1_3.txt"
    let sandbox = try ReportSandbox([name: ReportText.event.with([:]).bytes])
    #expect(throws: KeptCharges.LineError.self) {
      try explanation("renewals.renewed", .events, sandbox, month: "2026-01") {
        try sandbox.write(name, ReportText.event.with([:], [:]).text)
      }
    }
  }
}
