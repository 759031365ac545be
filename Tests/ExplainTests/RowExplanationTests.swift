import Explain
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Explains a row of events or sales; `nil` when the table has no such row.
private func explanation(
  _ cell: String, where conditions: [String] = [], _ source: Source, _ sandbox: ReportSandbox,
  month: String, jobs: Int = 2, limit: Int? = nil, leavingOut: Bool = false,
  afterRun: () throws -> Void = {}
) throws -> Explanation? {
  let question = try Question(cell, where: conditions, from: [source])
  let result = carryOut([sandbox.path], views: [question.dimensions], jobs: jobs) { plan in
    plan.sources = [source]
    plan.keepsContext = true
  }
  try afterRun()
  do {
    return try Explanation(
      question, month: try #require(Month(month)), result,
      Listing(limit: limit, leavingOut: leavingOut))
  } catch is QuestionError {
    return nil
  }
}

@Suite("An explanation of rows")
struct RowExplanationTests {
  @Test(arguments: seeds(20))
  func `of events names each row that adds to a cell, and adds up`(seed: UInt64) throws {
    let reports = RandomEventReports(seed: seed)
    let sandbox = try ReportSandbox(reports.files)
    for table in ColumnMakeup.tables(from: .events)
    where table != .retention && !table.isOfMoney {
      for country in [nil, "DE"] {
        for month in ["2026-01", "2026-02"] {
          try expect(table, country, month, reports, sandbox, jobs: seed % 2 == 0 ? 1 : 3)
        }
      }
    }
  }

  private func expect(
    _ table: TableKind, _ country: String?, _ month: String, _ reports: RandomEventReports,
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

  /// Retention adds up the events of all months.
  @Test(arguments: seeds(20))
  func `of retention names the events of each paid period`(seed: UInt64) throws {
    let reports = RandomEventReports(seed: seed)
    let sandbox = try ReportSandbox(reports.files)
    for (k, country) in [(1, nil), (2, nil), (3, nil), (1, "DE")] as [(Int, String?)] {
      let conditions = ["k=\(k)"] + (country.map { ["country=\($0)"] } ?? [])
      let found = try explanation(
        "retention", where: conditions, .events, sandbox, month: "2026-02")
      if let found {
        #expect(found.holds && found.lines.contains { $0.hasPrefix("survival = ") })
      }
      for column in ["at_risk", "lost", "kept"] {
        let expected = ["2026-01", "2026-02", "2026-03"].flatMap {
          reports.contributions(to: "k=\(k) \(column)", month: $0, country: country)
        }
        let listed = found.map { Self.list(of: column, $0.table) } ?? []
        #expect(listed == expected, "\(column) \(conditions)")
      }
    }
  }

  private static func list(of column: String, _ table: ReportTable) -> [[String]] {
    table.rows.indices.map { table.texts(["column", "rows", "value"], row: $0) }
      .filter { $0[0] == column }.map { Array($0.dropFirst()) }
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
        "net_proceeds = 27.96, computed from gross_proceeds 34.95, refunded_proceeds 6.99",
        "effective_rate = 0.699700, computed from gross_proceeds 34.95, gross_price 49.95",
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

  /// An event of the month either counts in a column or is left out, each once.
  @Test(arguments: seeds(20))
  func `of events lists all other events of the month as left out`(seed: UInt64) throws {
    let reports = RandomEventReports(seed: seed)
    let sandbox = try ReportSandbox(reports.files)
    let stocks: Set = ["active_start", "open", "close_observed"]
    for table in [TableKind.churn, .renewals, .movement, .trials] {
      for country in [nil, "DE"] {
        let conditions = country.map { ["country=\($0)"] } ?? []
        guard
          let found = try explanation(
            table.rawValue, where: conditions, .events, sandbox, month: "2026-02",
            jobs: seed % 2 == 0 ? 1 : 3, leavingOut: true)
        else { continue }
        #expect(found.holds)
        for sum in found.sums where !stocks.contains(sum.column) {
          let counted = Set(
            reports.contributions(
              to: "\(table.rawValue).\(sum.column)", month: "2026-02", country: country
            ).map { $0[0] })
          let listed = Self.leftOut(of: sum.column, found.table)
          let all = reports.events(month: "2026-02", country: country)
          #expect(Set(listed) == all.subtracting(counted), "\(table).\(sum.column)")
          #expect(Set(listed).count == listed.count)
        }
      }
    }
  }

  private static func leftOut(of column: String, _ table: ReportTable) -> [String] {
    table.rows.indices.map { table.texts(["column", "rows", "value", "fact"], row: $0) }
      .filter { $0[0] == column && $0[2].isEmpty && $0[3] == "left out" }.map { $0[1] }
  }

  @Test
  func `of events says why a row is left out`() throws {
    let sandbox = try ReportSandbox([
      "Subscription_Event_80012345_20260105_V1_3.txt": ReportText.event.with(
        ["Event": "Cancel", "Cancellation Reason": "Canceled"],
        ["Event": "Cancel", "Consecutive Paid Periods": "0"],
        ["Event": "Canceled from Billing Retry", "Cancellation Reason": "Billing issue"],
        ["Event": "Refund"], ["Event": "Teleport"], ["Event": "Renew"]
      ).bytes
    ])
    let reasons = { (cell: String, conditions: [String]) throws -> [String] in
      let found = try #require(
        try explanation(
          cell, where: conditions, .events, sandbox, month: "2026-01", leavingOut: true))
      return found.table.rows.indices.map {
        found.table.texts(["rows", "because"], row: $0).map {
          $0.split(separator: ":", maxSplits: 1)[$0.contains(".txt:") ? 1 : 0]
        }.joined(separator: " ")
      }
    }
    #expect(
      try reasons("renewals.lapsed", []) == [
        "3 its period is free, and only paid ones count",
        "4 the subscription was in retry or grace, and counted on the day it entered it",
        "5 events of refunds count in no table",
        "6 an event with an unknown name counts in no table", "7 renewal",
      ])
    #expect(
      try reasons("retention.lost", ["k=2"]) == [
        "3 lapse, which shows no outcome of a paid period",
        "5 refund, which shows no outcome of a paid period",
        "6 an event with an unknown name counts in no table",
        "7 it shows what followed paid period 1",
      ])
  }

  @Test
  func `of sales lists the other units of the month as left out`() throws {
    let sandbox = try ReportSandbox([
      "S_D_80012345_20260105.txt": ReportText.sales.with(
        [:], ["Units": "-1", "Customer Price": "-9.99"],
        ["Customer Currency": "EUR", "Currency of Proceeds": "EUR"],
        ["Customer Price": "0", "Developer Proceeds": "0"]
      ).bytes
    ])
    let found = try #require(
      try explanation(
        "proceeds.charges", where: ["currency=USD"], .sales, sandbox, month: "2026-01",
        leavingOut: true))
    let listed = found.table.rows.indices.map {
      found.table.texts(["value", "fact", "because", "rows"], row: $0)
    }
    #expect(
      listed == [
        [
          "", "left out", "refund: 1 unit of 9.99 USD given back on 2026-01-05",
          "S_D_80012345_20260105.txt:3",
        ],
        [
          "", "left out", "its proceeds are in EUR: 3 units of 9.99 EUR sold on 2026-01-05",
          "S_D_80012345_20260105.txt:4",
        ],
        [
          "", "left out", "only units with a price count: 3 units of 0.00 USD sold on 2026-01-05",
          "S_D_80012345_20260105.txt:5",
        ],
      ])
    #expect(
      found.lines == [
        "1 contribution adds up to 3, as proceeds.csv says",
        "besides, 3 belong to the row and do not count",
      ])
    let limited = try #require(
      try explanation(
        "proceeds.charges", where: ["currency=USD"], .sales, sandbox, month: "2026-01", limit: 1,
        leavingOut: true))
    #expect(
      limited.table.texts(["value", "because"], row: 1) == [
        "", "2 more contributions, not listed",
      ])
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
