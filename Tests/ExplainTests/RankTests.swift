import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Explains lapses of a month; `nil` when the month has no row.
private func lapses(
  _ column: String?, _ sandbox: ReportSandbox, month: String, limit: Int? = nil
) throws -> Explanation? {
  do {
    return try explanation(
      column.map { "lapses.\($0)" } ?? "lapses", sandbox, month: month, limit: limit)
  } catch is QuestionError {
    return nil
  }
}

@Suite("An explained median")
struct RankTests {
  /// Four subscriptions that come back 5, 11, 20 and 20 days after 20 February.
  private func sandbox() throws -> ReportSandbox {
    let name = { (day: String) in "Subscriber_80012345_2026\(day)_V1_3.txt" }
    let row = { (day: String, id: String) in ["Event Date": "2026-\(day)", "Subscriber ID": id] }
    let first = ReportText.subscriber.with(
      row("01-20", "1"), row("01-20", "2"), row("01-20", "3"), row("01-20", "4"))
    return try ReportSandbox([
      name("0120"): first.bytes,
      name("0225"): ReportText.subscriber.with(row("02-25", "3")).bytes,
      name("0303"): ReportText.subscriber.with(row("03-03", "1")).bytes,
      name("0312"): ReportText.subscriber.with(row("03-12", "2"), row("03-12", "4")).bytes,
      name("0430"): ReportText.subscriber.bytes,
    ])
  }

  @Test
  func `lists the values in order and marks the chosen one`() throws {
    let found = try #require(try lapses("gap_days_median", sandbox(), month: "2026-02"))
    #expect(found.lines == ["number 2 of 4 values in order is 11, as lapses.csv says"])
    let table = found.table
    let values = table.rows.indices.map { table.texts(["value"], row: $0)[0] }
    #expect(values == ["5", "11", "20", "20"])
    let marked = table.rows.indices.filter {
      table.texts(["because"], row: $0)[0].hasPrefix("chosen, ")
    }
    #expect(marked == [1])
    #expect(
      table.texts(["because"], row: 1) == [
        "chosen, number 2 of 4 in order; the next charge came on 2026-03-03, within 60 days of 2026-02-20"
      ])
    let ninth = try #require(try lapses("gap_days_p90", sandbox(), month: "2026-02", limit: 1))
    #expect(ninth.lines == ["number 4 of 4 values in order is 20, as lapses.csv says"])
    #expect(
      ninth.table.texts(["value", "because"], row: 1) == ["", "3 more contributions, not listed"])
  }

  /// The slow reference: the listed values, sorted once more, have the table's value at the rank of METRICS.md section 5.
  @Test(arguments: histories(4))
  func `has the value of the table in simulated worlds`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 120, to: "2026-06-10", kinds: [.subscriber])
    let sandbox = try world.sandbox()
    for month in ["2026-02", "2026-03", "2026-04"] {
      guard let found = try lapses(nil, sandbox, month: month) else { continue }
      #expect(found.holds, "\(found.lines)")
      for (column, percent) in [("gap_days_median", 50), ("gap_days_p90", 90)] {
        guard let sum = found.sums.first(where: { $0.column == column }) else { continue }
        let values = found.table.rows.indices.filter {
          found.table.texts(["column"], row: $0) == [column]
        }.compactMap { Int(found.table.texts(["value"], row: $0)[0]) }
        #expect(values == values.sorted() && values.count == sum.count)
        // The first value with at least so many percent of all at or before it.
        let place = values.indices.first { ($0 + 1) * 100 >= percent * values.count }
        #expect(place.map { Int128(values[$0]) } == sum.expected)
      }
    }
  }
}
