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

  private func completeness(_ outcome: RunOutcome) throws -> Completeness {
    try #require(outcome.result.sources.first { $0.source == .sales }).completeness
  }

  @Test
  func `of a month cover its days, so that the month is final and compared`() throws {
    let outcome = try RunOutcome(
      Self.months(["202601": Self.january, "202602": Self.february, "202603": Self.march]))
    let entries = outcome.rows("days.csv")
    #expect(entries.count == 31 + 28 + 31 && entries.allSatisfy { $0["state"] == "covered" })
    #expect(entries[31]["day"] == "2026-02-01" && entries[31]["file"] == "S_M_80012345_202602.txt")
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
      "missing: 28 days of sales: 2026-02-01, 2026-02-02, 2026-02-03, 2026-02-04, 2026-02-05 and 23 more; download the weeks or months with these days again"
    #expect(outcome.result.advice(outcome.checks) == [advice])
    #expect(outcome.result.briefAdvice == [advice])
    #expect(
      outcome.text("summary.md").contains(
        "62 of 90 daily reports are there. Missing: Sales of 1 to 28 Feb 2026, so net proceeds of February 2026 are incomplete."
      ),
      "\(outcome.text("summary.md"))")
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
      "a file of sales counts in the month in which it begins, and some cover days of two months: 2025-12, 2026-01, 2026-02, 2026-03"
    let page = outcome.text("summary.md")
    #expect(page.contains("A report of its first or last days covers days of another month too."))
    #expect(page.contains("- **Longer files:** \(reason); these months are incomplete."))
    #expect(page.contains("| Net proceeds | 83.88 USD so far | incomplete |"), "\(page)")
    let advice = outcome.result.advice(outcome.checks)
    #expect(advice.count == 1 && advice[0].hasPrefix("longer files: \(reason);"), "\(advice)")
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [])
  }

  @Test
  func `of a month that goes beyond as-of do not count yet`() throws {
    let sandbox = try Self.months(["202601": Self.january, "202602": Self.february])
    let asOf = Day("2026-02-15")
    let outcome = try RunOutcome(sandbox) { $0.asOf = asOf }
    let days = try completeness(outcome)
    #expect(days.asOf == Day("2026-01-31") && days.missingDays.isEmpty)
    #expect(days.gap(in: days.firstMonth) == nil)
    #expect(outcome.account("S_M_80012345_202602.txt")[4] == "after as-of: 1")
    #expect(outcome.rows("days.csv").count == 31)
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [])
  }

  @Test
  func `of a year alone give no table`() throws {
    let year = Self.report("01/01/2025", "12/31/2025")
    let outcome = try RunOutcome(ReportSandbox(["S_Y_80012345_2025.txt": year]))
    #expect(outcome.result.sources.isEmpty)
    #expect(
      outcome.result.leftAsideLines == [
        "left aside: 1 yearly SALES report (S_Y_80012345_2025.txt): a year has no month (2025)"
      ])
  }

  @Test(arguments: [
    ("S_D_80012345_20260131.txt", "2026-01-31"), ("S_M_80012345_202602.txt", "2026-02"),
    ("S_W_80012345_20260131.txt", "2026-01-25/2026-01-31"), ("20260201.txt", "2026-02-01"),
    ("S_M_80012345_202601.txt", nil), ("20260131.txt", nil), ("2026-01-01.txt", nil),
    ("sales.txt", nil),
  ])
  func `are of the month in their rows, whatever the name says`(name: String, says: String?) throws
  {
    let outcome = try RunOutcome(ReportSandbox([name: Self.january]))
    #expect(outcome.health(name)["period"] == "2026-01")
    #expect(outcome.account(name)[4] == (says.map { "name says \($0)" } ?? ""))
    #expect(outcome.result.oddFileNotes.count == (says == nil ? 0 : 1))
  }

  @Test
  func `of no day, week, month or year are no reports`() throws {
    let name = "S_M_80012345_202601.txt"
    let outcome = try RunOutcome(ReportSandbox([name: Self.report("01/01/2026", "01/15/2026")]))
    #expect(outcome.result.files[0].problem?.code == "unknown-period")
    #expect(outcome.result.oddFileNotes.isEmpty)
  }

  @Test
  func `without rows are of the period in their name`() throws {
    let outcome = try RunOutcome(Self.months(["202601": ReportText.sales.bytes]))
    #expect(outcome.rows("days.csv").count { $0["state"] == "covered" } == 31)
  }
}
