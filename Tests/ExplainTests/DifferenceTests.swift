import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("An explained difference of two months")
struct DifferenceTests {
  /// The rows of each table that have months.
  private static let rows: [(cell: String, conditions: [String])] = [
    ("churn", []), ("renewals", []), ("lapses", []), ("movement", []), ("trials", []),
    ("refunds", ["dating=refund", "currency=USD"]), ("refunds", ["dating=sale", "currency=USD"]),
    ("proceeds", ["currency=USD"]),
  ]

  @Test(arguments: histories(6))
  func `adds up for all columns of all tables of subscribers`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 100, to: "2026-06-10", kinds: [.subscriber])
    let sandbox = try world.sandbox()
    var compared: Set<String> = []
    for (cell, conditions) in Self.rows {
      for (month, other) in [("2026-04", "2026-03"), ("2026-03", "2026-05")] {
        guard
          let found = try ifThereIsARow({
            try difference(
              cell, where: conditions, sandbox, month, against: other, naming: .clear)
          }),
          let after = try ifThereIsARow({
            try explanation(cell, where: conditions, sandbox, month: month, naming: .clear)
          }),
          let before = try ifThereIsARow({
            try explanation(cell, where: conditions, sandbox, month: other, naming: .clear)
          })
        else { continue }
        #expect(found.holds, "\(found.lines)")
        for sum in found.sums {
          compared.insert("\(cell).\(sum.column)")
          let expected = ReferenceDifference(sum.column, after.table, before.table)
          #expect(ReferenceDifference(sum) == expected, "\(cell).\(sum.column) \(month)")
          #expect(found.listedSum(sum.column) == expected.sum, "\(cell).\(sum.column) \(month)")
          #expect(found.count("came", sum.column) == expected.came)
          #expect(found.count("went", sum.column) == expected.went)
          #expect(found.count("changed", sum.column) == expected.changed)
          let numbers = [after, before].map { side in
            side.sums.first { $0.column == sum.column }?.expected
          }
          #expect(numbers == [sum.after, sum.before])
        }
      }
    }
    #expect(compared.isSuperset(of: ["churn.churned", "movement.open", "proceeds.gross_price"]))
  }

  /// Returns the value of the body; `nil` when a table has no row of a month, such as one without a trial.
  private func ifThereIsARow<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch is QuestionError {
      return nil
    }
  }

  @Test(arguments: histories(4))
  func `adds up for a row of a view`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 150, to: "2026-06-10", kinds: [.subscriber])
    let sandbox = try world.sandbox()
    let found = try difference(
      "movement", where: ["country=US"], sandbox, "2026-04", against: "2026-03")
    #expect(found.holds && found.fileName == "movement-by-country.csv", "\(found.lines)")
  }

  // MARK: What it says

  private func row(_ day: String, _ id: String, price: String = "9.99") -> [String: String] {
    ["Event Date": "2026-\(day)", "Subscriber ID": id, "Customer Price": price]
  }

  private func name(_ day: String) -> String { "Subscriber_80012345_2026\(day)_V1_3.txt" }

  /// Subscriber 2 is given the money back in January, 1 lapses in February, 3 in April, 60 days before the data end.
  private func sandbox() throws -> ReportSandbox {
    let refund = row("01-12", "2", price: "-9.99").merging(
      ["Refund": "Yes", "Purchase Date": "2026-01-05"]) { $1 }
    return try ReportSandbox([
      name("0112"): ReportText.subscriber.with(row("01-05", "2"), refund).bytes,
      name("0122"): ReportText.subscriber.with(row("01-20", "1"), row("01-22", "3")).bytes,
      name("0222"): ReportText.subscriber.with(row("02-22", "3", price: "12.99")).bytes,
      name("0322"): ReportText.subscriber.with(row("03-22", "3", price: "12.99")).bytes,
      name("0430"): ReportText.subscriber.bytes,
    ])
  }

  /// In Germany the first customer subscribes on 10 February, so churn of February has no row.
  @Test
  func `takes a row that one month lacks for 0`() throws {
    let german = row("02-10", "4").merging(["Country": "DE"]) { $1 }
    let sandbox = try subscriberFolder([
      "0120": [row("01-20", "1")], "0210": [german], "0315": [], "0430": [],
    ])
    let inGermany = ["country=DE"]
    let came = try difference(
      "churn.active_start", where: inGermany, sandbox, "2026-03", against: "2026-02")
    #expect(came.holds)
    #expect(
      came.lines == [
        "1 came and 0 went, together 1, as churn-by-country.csv says: 1 (2026-03), 0 (2026-02)"
      ])
    #expect(
      came.notes.first
        == "note: churn has no row for 2026-02 and country DE, so its numbers are 0")
    let went = try difference(
      "churn.active_start", where: inGermany, sandbox, "2026-02", against: "2026-03")
    #expect(went.holds && went.sums.map(\.sum) == [-1] && went.sums.map(\.counts.went) == [1])
    #expect(throws: QuestionError.self) {
      try difference(
        "churn.active_start", where: inGermany, sandbox, "2026-03", against: "2025-12")
    }
  }

  private static let names = ["value", "subscription", "fact", "because", "rows"]

  @Test
  func `names what came and what went, with both sides`() throws {
    let churned = try difference("churn.churned", sandbox(), "2026-02", against: "2026-01")
    #expect(
      churned.lines == [
        "1 came and 1 went, together 0, as churn.csv says: 1 (2026-02), 1 (2026-01)"
      ])
    #expect(
      churned.table.texts(Self.names, row: 0) == [
        "-1", "Subscriber_80012345_20260112_V1_3.txt:2", "went: lapse open final",
        "2026-02: adds nothing to this number; 2026-01: a full refund ended the period on 2026-01-12; no charge followed; the data end on 2026-04-30",
        "Subscriber_80012345_20260112_V1_3.txt:2; Subscriber_80012345_20260112_V1_3.txt:3",
      ])
    #expect(
      churned.table.texts(Self.names, row: 1) == [
        "1", "Subscriber_80012345_20260122_V1_3.txt:2", "came: lapse open final",
        "2026-02: no charge within 60 days of 2026-02-20; the data end on 2026-04-30; 2026-01: adds nothing to this number",
        "Subscriber_80012345_20260122_V1_3.txt:2",
      ])
  }

  @Test
  func `says what became of the subscription in the month that does not count it`() throws {
    let found = try difference(
      "churn.churned_provisional", sandbox(), "2026-04", against: "2026-03")
    #expect(
      found.table.texts(["value", "fact", "because"]) == [
        "1", "came: lapse open provisional",
        "2026-04: no charge so far since 2026-04-22, less than 60 days before the data end on 2026-04-30; 2026-03: renewal: charged again on 2026-03-22, the day it ended",
      ])
  }

  @Test
  func `does not list a subscription that is active on both sides`() throws {
    let active = try difference("churn.active_start", sandbox(), "2026-03", against: "2026-02")
    #expect(
      active.lines == [
        "0 came and 1 went, together -1, as churn.csv says: 1 (2026-03), 2 (2026-02); 1 in both is not listed"
      ])
    #expect(
      active.table.texts(["value", "fact"]) == ["-1", "went: active"])
    #expect(active.table.rows.count == 1)
  }

  @Test
  func `of money lists another price as a change`() throws {
    let prices = try difference(
      "proceeds.gross_price", where: ["currency=USD"], sandbox(), "2026-02", against: "2026-01")
    // January has three charges: 2 and 1, who do not come again, and 3.
    let sum = try #require(prices.sums.first)
    #expect([sum.counts.came, sum.counts.went, sum.counts.changed] == [0, 2, 1])
    let place = try #require(
      prices.table.rows.indices.first {
        prices.table.texts(["fact"], row: $0) == ["changed: charge"]
      })
    #expect(
      prices.table.texts(["value", "because", "rows"], row: place) == [
        "3000",
        "2026-02: a paid charge of 2026-02-22 (12.99); 2026-01: a paid charge of 2026-01-22 (9.99)",
        "Subscriber_80012345_20260222_V1_3.txt:2; Subscriber_80012345_20260122_V1_3.txt:3",
      ])
    let same = try difference(
      "proceeds.gross_price", where: ["currency=USD"], sandbox(), "2026-03", against: "2026-02")
    #expect(same.table.rows.isEmpty && same.sums[0].counts.inBoth == 1 && same.holds)
  }

  @Test
  func `of a rate is that of its parts`() throws {
    let rate = try difference("churn.churn_rate", sandbox(), "2026-03", against: "2026-02")
    #expect(rate.sums.map(\.column) == ["churned", "active_start"] && rate.holds)
  }

  @Test
  func `names the months whose numbers are not final`() throws {
    let found = try difference("churn.churned", sandbox(), "2026-04", against: "2026-03")
    #expect(found.notes == ["note: state: partial (2026-04), partial (2026-03)"])
  }

  @Test
  func `of a median is refused, and left out of a whole row`() throws {
    let rows = ReportText.subscriber.with(row("01-20", "1"), row("01-22", "2"))
    let back = [
      name("0122"): rows.bytes,
      name("0303"): ReportText.subscriber.with(row("03-01", "1"), row("03-03", "2")).bytes,
      name("0430"): ReportText.subscriber.with(row("04-30", "1")).bytes,
    ]
    let sandbox = try ReportSandbox(back)
    let found = try difference("lapses", sandbox, "2026-04", against: "2026-02")
    #expect(found.holds && !found.sums.map(\.column).contains("gap_days_median"))
    #expect(found.notes.contains { $0.contains("gap_days_median") })
    #expect(throws: QuestionError.self) {
      try difference("lapses.gap_days_median", sandbox, "2026-04", against: "2026-02")
    }
  }

  @Test
  func `is the same on any number of threads, and with a limit adds up all`() throws {
    let world = try SimulatedReports(
      seed: 5, subscribers: 150, to: "2026-06-10", kinds: [.subscriber])
    let sandbox = try world.sandbox()
    for order in [ContributionOrder.subscription, .evidence] {
      let lists = try [1, 4].map { jobs in
        try difference(
          "movement", sandbox, "2026-04", against: "2026-03", jobs: jobs, order: order)
      }
      #expect(lists[0].table == lists[1].table && lists[0].sums == lists[1].sums)
    }
    let all = try difference("churn.active_start", sandbox, "2026-04", against: "2026-03")
    let limited = try difference(
      "churn.active_start", sandbox, "2026-04", against: "2026-03", limit: 1)
    #expect(all.table.rows.count > 2)
    #expect(limited.sums == all.sums && limited.table.rows.count == 2)
    #expect(limited.listedSum("active_start") == all.listedSum("active_start"))
    #expect(
      limited.table.texts(["because"], row: 1)
        == ["\(all.table.rows.count - 1) more contributions, not listed"])
  }

  // MARK: Events and sales

  @Test(arguments: histories(4))
  func `of events lists the rows of both months`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 120, to: "2026-06-10",
      kinds: [.subscription, .subscriptionEvent, .sales])
    let sandbox = try world.sandbox()
    let rows: [(cell: String, conditions: [String], source: Source)] = [
      ("churn", [], .events), ("renewals", [], .events), ("movement", [], .events),
      ("proceeds", ["currency=USD"], .sales),
    ]
    for (cell, conditions, source) in rows {
      let found = try difference(
        cell, where: conditions, sandbox, "2026-04", against: "2026-03", source: source)
      #expect(found.holds, "\(found.lines)")
      for sum in found.sums {
        #expect(Int128(found.listedSum(sum.column)) == sum.after - sum.before)
        #expect(sum.counts.inBoth == 0)
        #expect(found.count("came", sum.column) == sum.counts.came)
        #expect(found.count("went", sum.column) == sum.counts.went)
      }
    }
  }
}
