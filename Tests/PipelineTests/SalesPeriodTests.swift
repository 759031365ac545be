import Counting
import Files
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Testing

/// SALES files of a month or a week, without daily ones.
@Suite("SALES files of longer periods")
struct SalesPeriodTests {
  /// Returns a report with three units of some days.
  private static func report(_ begin: String, _ end: String) -> [UInt8] {
    ReportText.sales.with(["Begin Date": begin, "End Date": end]).bytes
  }

  private static let january = report("01/01/2026", "01/31/2026")
  private static let february = report("02/01/2026", "02/28/2026")
  private static let march = report("03/01/2026", "03/31/2026")

  private static func months(_ reports: [String: [UInt8]]) throws -> ReportSandbox {
    try ReportSandbox(
      Dictionary(
        uniqueKeysWithValues: reports.map { ("S_M_80012345_\($0.key).txt", $0.value) }))
  }

  /// Weeks from Monday to Sunday from 29 December to 1 March.
  private static func weeks() throws -> ReportSandbox {
    let sandbox = try ReportSandbox()
    var monday = try #require(Day("2025-12-29"))
    for _ in 0..<9 {
      let sunday = monday + 6
      let name = sunday.description.filter { $0 != "-" }
      try sandbox.write("S_W_80012345_\(name).txt", report(american(monday), american(sunday)))
      monday = monday + 7
    }
    return sandbox
  }

  /// Returns a day as SALES reports write it, such as `01/31/2026`.
  private static func american(_ day: Day) -> String {
    let parts = day.description.split(separator: "-")
    return "\(parts[1])/\(parts[2])/\(parts[0])"
  }

  private func completeness(_ outcome: RunOutcome) throws -> Completeness {
    try #require(outcome.result.sources.first { $0.source == .sales }).completeness
  }

  @Test
  func `of a month cover its days, so that the month is final and compared`() throws {
    let outcome = try RunOutcome(
      Self.months(["202601": Self.january, "202602": Self.february, "202603": Self.march]))
    #expect(
      outcome.rows("days.csv").map { [$0["day"], $0["state"]] } == [
        ["2026-01-31", "present"], ["2026-02-28", "present"], ["2026-03-31", "present"],
      ])
    let days = try completeness(outcome)
    #expect(days.firstDay.description == "2026-01-01" && days.missingDays.isEmpty)
    #expect((0...2).allSatisfy { !days.isPartial(days.firstMonth + $0) })
    let headline = try #require(outcome.rows("headlines.csv").first)
    #expect(headline["state"] == "final" && headline["before"] == "20.97")
    let page = outcome.text("summary.md")
    #expect(page.contains("All days are there"))
    // The checks of one source are sums of the program's own.
    #expect(page.contains("with one source there is nothing to compare them with."))
    #expect(!page.contains("every check"))
    #expect(!page.contains("Not complete") && !page.contains("days that are missing"))
    #expect(outcome.result.advice(outcome.checks).isEmpty)
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [])
  }

  @Test
  func `of a month are missed with all their days`() throws {
    let outcome = try RunOutcome(
      Self.months(["202601": Self.january, "202603": Self.march]))
    #expect(outcome.rows("days.csv").count { $0["state"] == "missing" } == 28)
    let days = try completeness(outcome)
    let gaps = (0...2).map { days.gap(in: days.firstMonth + $0) }
    #expect(gaps == [nil, .missingDays, nil])
    let advice =
      "missing: 28 days of sales: 2026-02-01, 2026-02-02, 2026-02-03, 2026-02-04, 2026-02-05 and 23 more; download the weeks, months or years with these days again"
    #expect(outcome.result.advice(outcome.checks) == [advice])
    #expect(outcome.result.briefAdvice == [advice])
    #expect(
      outcome.text("index.html").contains(
        "From 2026-01-01 to 2026-03-31: 28 days missing, 0 days empty, 0 restated;"))
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [.missingDays])
  }

  @Test
  func `of a week make the months that share one partial, and the page says why`() throws {
    let outcome = try RunOutcome(Self.weeks())
    let days = try completeness(outcome)
    #expect(days.missingDays.isEmpty && days.asOf.description == "2026-03-01")
    let january = Month(year: 2026, month: 1)
    // December lacks days before the first week.
    let gaps = (-1...2).map { days.gap(in: january + $0) }
    #expect(gaps == [.missingDays, .sharedFiles, .sharedFiles, .sharedFiles])
    let reason =
      "a file of sales counts in the month in which it begins, and some cover days of two months or after as-of: 2025-12, 2026-01, 2026-02, 2026-03"
    let page = outcome.text("summary.md")
    #expect(page.contains("More under Health of the data."))
    #expect(page.contains("- **Longer files:** \(reason); these months are `partial`."))
    #expect(
      page.contains("Net proceeds were 83.88 USD, from files that cover other days too."),
      "\(page)")
    let advice = outcome.result.advice(outcome.checks)
    #expect(advice.count == 1 && advice[0].hasPrefix("longer files: \(reason);"), "\(advice)")
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [])
  }

  @Test
  func `of a month that goes beyond as-of lack no day, but the month is partial`() throws {
    let sandbox = try Self.months(["202601": Self.january, "202602": Self.february])
    let asOf = Day("2026-02-15")
    let outcome = try RunOutcome(sandbox) { $0.asOf = asOf }
    let days = try completeness(outcome)
    #expect(days.asOf == asOf && days.missingDays.isEmpty)
    let gaps = (0...1).map { days.gap(in: days.firstMonth + $0) }
    #expect(gaps == [nil, .sharedFiles])
    #expect(outcome.rows("days.csv").map { $0["day"] } == ["2026-01-31"])
  }

  @Test
  func `of a calendar month are shared by fiscal periods that divide them`() throws {
    let sandbox = try Self.months(["202602": Self.february, "202603": Self.march])
    let outcome = try RunOutcome(sandbox) { $0.monthSystem = .fiscal }
    let days = try completeness(outcome)
    #expect(days.missingDays.isEmpty)
    // FY2026-P05 is February, P06 ends on 28 March, P07 on 2 May.
    let gaps = (5...7).map { days.gap(in: Month(year: 2026, month: $0)) }
    #expect(gaps == [nil, .sharedFiles, .sharedFiles])
  }
}
