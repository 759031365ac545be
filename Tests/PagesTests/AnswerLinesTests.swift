import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("The answer above a table")
struct AnswerLinesTests {
  private typealias Rows = [String: [[String: String]]]

  // MARK: Reports

  /// Returns daily files of a kind, most of them without rows.
  private static func files(
    _ kind: ReportText, _ prefix: String, _ first: String, _ last: String, _ rows: Rows,
    without missing: String = ""
  ) throws -> [String: [UInt8]] {
    var (day, end) = (try #require(Day(first)), try #require(Day(last)))
    end = end + 1
    var files: [String: [UInt8]] = [:]
    while day < end {
      var report = kind
      for row in rows[day.description] ?? [] {
        report = report.with(row.merging(["Event Date": day.description]) { $1 })
      }
      let digits = day.description.filter { $0 != "-" }
      if day.description != missing {
        files["\(prefix)_80012345_\(digits)_V1_3.txt"] = report.bytes
      }
      day = day + 1
    }
    return files
  }

  /// Returns the snapshot of a day with a number of active subscriptions.
  private static func snapshot(_ day: String, _ active: Int) -> [String: [UInt8]] {
    let digits = day.filter { $0 != "-" }
    let report = ReportText.snapshot.with(["Active Standard Price Subscriptions": "\(active)"])
    return ["Subscription_80012345_\(digits)_V1_3.txt": report.bytes]
  }

  private static func canceled(_ reason: String) -> [String: String] {
    ["Event": "Cancel", "Cancellation Reason": reason]
  }

  /// Events of January: 3 of 10 subscriptions churned.
  private static func events(without missing: String = "") throws -> [String: [UInt8]] {
    let rows: Rows = [
      "2026-01-10": [canceled("Canceled"), canceled("Canceled")],
      "2026-01-12": [canceled("Billing issue")],
    ]
    return try files(
      .event, "Subscription_Event", "2026-01-01", "2026-01-31", rows, without: missing
    ).merging(snapshot("2025-12-31", 10)) { $1 }
  }

  /// Subscriber reports up to January: 1 of 2 subscriptions churned so far.
  private static func subscribers(from first: String = "2025-12-01") throws -> [String: [UInt8]] {
    let rows: Rows = [
      "2025-12-05": [["Subscriber ID": "701"], ["Subscriber ID": "702"]],
      "2026-01-05": [["Subscriber ID": "701"]],
    ]
    return try files(.subscriber, "Subscriber", first, "2026-01-31", rows)
  }

  /// Returns the answer of a table for a month.
  private func lines(
    _ files: [String: [UInt8]], _ kind: TableKind = .churn, _ month: String = "2026-01",
    _ source: Source = .events, width: Int? = nil
  ) throws -> [String] {
    let sandbox = try ReportSandbox(files)
    let result = withExtendedLifetime(sandbox) { carryOut([sandbox.path], views: [[]]) }
    let maker = result.tableMaker()
    return AnswerLines(
      result, try maker.table(kind, view: 0), churn: try maker.table(.churn, view: 0),
      month: try #require(Month(month)), source: source
    ).lines(width: width)
  }

  // MARK: Rates

  @Test
  func `of churn is the rate with its counts, and the reasons`() throws {
    #expect(
      try lines(Self.events()) == [
        "January 2026 · churn rate 30.00%  (10.78 to 60.32%)   3 of 10   final · events",
        "  why: voluntary 2 · billing 1",
      ])
  }

  @Test
  func `has no lines for a month without data, or for a table without a rate or an amount`()
    throws
  {
    #expect(try lines(Self.events(), .churn, "2027-06").isEmpty)
    #expect(try lines(Self.events(), .churn, "2020-01").isEmpty)
    #expect(try lines(Self.events(), .churn, "2026-01", .receipts).isEmpty)
    for kind in [TableKind.lapses, .retention, .commitments] {
      #expect(try lines(Self.subscribers(), kind, "2026-01", .subscribers).isEmpty)
    }
    // The number of active subscriptions before the first month is unknown.
    let first = try lines(Self.subscribers(), .churn, "2025-12", .subscribers)
    #expect(first.isEmpty)
  }

  @Test
  func `says that a month is partial, or can still change`() throws {
    let partial = try lines(Self.events(without: "2026-01-20"))
    #expect(
      partial.first
        == "January 2026 · churn rate 30.00%   3 of 10   partial: days missing · events",
      "\(partial)")
    #expect(
      try lines(Self.subscribers(), .churn, "2026-01", .subscribers) == [
        "January 2026 · churn rate 50.00%  (9.45 to 90.55%)   1 of 2   provisional · subscribers",
        "  why: unknown 1",
      ])
  }

  @Test
  func `names the rates of the other sources, and why they are partial`() throws {
    let both = try Self.subscribers().merging(Self.events()) { $1 }
    let answer = try lines(both, .churn, "2026-01", .subscribers)
    #expect(answer.last == "  events 30.00% (final)")
    #expect(try lines(both).last == "  subscribers 50.00% (provisional)")

    let lacking = try Self.subscribers().merging(Self.events(without: "2026-01-20")) { $1 }
    #expect(
      try lines(lacking, .churn, "2026-01", .subscribers).last
        == "  events 30.00% (partial: days are missing)")

    let late = try Self.subscribers(from: "2025-12-02").merging(Self.events()) { $1 }
    #expect(try lines(late).last == "  subscribers 50.00% (partial: files begin 2025-12)")
  }

  /// Events of two months with 1 of 10 and 2 of 9 churned.
  private static func twoMonths() throws -> [String: [UInt8]] {
    let rows: Rows = [
      "2026-01-10": [canceled("Canceled")],
      "2026-02-12": [canceled("Billing issue"), canceled("Canceled")],
    ]
    let snapshots = [("2025-12-31", 10), ("2026-01-31", 9), ("2026-02-28", 12)]
    return try snapshots.reduce(
      files(.event, "Subscription_Event", "2026-01-01", "2026-02-28", rows)
    ) { files, entry in files.merging(snapshot(entry.0, entry.1)) { $1 } }
  }

  @Test
  func `compares with the month before, and draws the last months`() throws {
    #expect(
      try lines(Self.twoMonths(), .churn, "2026-02") == [
        "February 2026 · churn rate 22.22%  (6.32 to 54.74%)   2 of 9   +12.22 points since January 2026   (as it was known at its end)   final · events",
        "  why: voluntary 1 · billing 1   ▁█  2 months",
      ])
  }

  @Test
  func `is broken between its parts where the terminal is narrow`() throws {
    #expect(
      try lines(Self.twoMonths(), .churn, "2026-02", width: 60) == [
        "February 2026 · churn rate 22.22%  (6.32 to 54.74%)   2 of 9",
        "  +12.22 points since January 2026",
        "  (as it was known at its end)   final · events",
        "  why: voluntary 1 · billing 1   ▁█  2 months",
      ])
    #expect(
      try lines(Self.twoMonths(), .churn, "2026-02", width: 40) == [
        "February 2026 · churn rate 22.22%", "  (6.32 to 54.74%)   2 of 9",
        "  +12.22 points since January 2026", "  (as it was known at its end)", "  final · events",
        "  why: voluntary 1 · billing 1", "    ▁█  2 months",
      ])
  }

  @Test
  func `of renewals has what became of the periods`() throws {
    #expect(
      try lines(Self.subscribers(), .renewals, "2026-01", .subscribers) == [
        "January 2026 · renewal rate 50.00%  (9.45 to 90.55%)   1 of 2   provisional · subscribers",
        "  of these: renewed 1 · pending 1",
      ])
  }

  @Test
  func `has no number for a month whose reports are all empty`() throws {
    let charges: Rows = ["2025-12-05": [["Subscriber ID": "701"], ["Subscriber ID": "702"]]]
    let empty = try Self.files(
      .subscriber, "Subscriber", "2025-12-01", "2026-01-31", charges)
    let why = "all Subscriber reports of January 2026 are empty"
    #expect(
      try lines(empty, .churn, "2026-01", .subscribers) == [
        "January 2026 · churn rate not known: \(why) · subscribers"
      ])
    #expect(
      try lines(empty, .movement, "2026-01", .subscribers) == [
        "How many subscriptions were active is not known: \(why); if there were sales, these files are not complete. (subscribers)"
      ])
    let both = try empty.merging(Self.events()) { $1 }
    #expect(try lines(both).last == "  subscribers no data")
  }

  // MARK: Counts and money

  @Test
  func `of movement and proceeds is a sentence with its source`() throws {
    #expect(
      try lines(Self.subscribers(), .movement, "2026-01", .subscribers) == [
        "At the end of January 2026 there was 1 active subscription, 1 fewer than at its beginning, which can still change. (subscribers)"
      ])
    #expect(
      try lines(Self.subscribers(), .proceeds, "2026-01", .subscribers) == [
        "January 2026 · Net proceeds were 6.99 USD (-6.99), in brackets the change from December 2025. (subscribers)"
      ])
    let narrow = try lines(
      Self.subscribers(), .movement, "2026-01", .subscribers, width: 30)
    #expect(narrow.count > 3 && narrow.allSatisfy { $0.count <= 30 }, "\(narrow)")
    #expect(narrow.dropFirst().allSatisfy { $0.hasPrefix("  ") && !$0.hasPrefix("   ") })
  }

  /// Returns a SALES report of some days with three units.
  private static func sales(_ name: String, _ begin: String, _ end: String) -> (String, [UInt8]) {
    (name, ReportText.sales.with(["Begin Date": begin, "End Date": end]).bytes)
  }

  @Test
  func `of proceeds from files of a month is complete, and compared with the month before`() throws
  {
    let months = [
      Self.sales("S_M_80012345_202601.txt", "01/01/2026", "01/31/2026"),
      Self.sales("S_M_80012345_202602.txt", "02/01/2026", "02/28/2026"),
    ]
    #expect(
      try lines(Dictionary(uniqueKeysWithValues: months), .proceeds, "2026-02", .sales) == [
        "February 2026 · Net proceeds were 20.97 USD (unchanged), in brackets the change from January 2026. (sales)"
      ])
  }

  @Test
  func `of proceeds from files of a week says what is not exact`() throws {
    let weeks = [
      Self.sales("S_W_80012345_20260104.txt", "12/29/2025", "01/04/2026"),
      Self.sales("S_W_80012345_20260111.txt", "01/05/2026", "01/11/2026"),
      Self.sales("S_W_80012345_20260118.txt", "01/12/2026", "01/18/2026"),
      Self.sales("S_W_80012345_20260125.txt", "01/19/2026", "01/25/2026"),
      Self.sales("S_W_80012345_20260201.txt", "01/26/2026", "02/01/2026"),
    ]
    let whole = try lines(
      Dictionary(uniqueKeysWithValues: weeks), .proceeds, "2026-01", .sales)
    #expect(
      whole == [
        "January 2026 · Net proceeds were 83.88 USD, from files that cover other days too. (sales)"
      ])
    let last = try lines(
      Dictionary(uniqueKeysWithValues: weeks.suffix(1)), .proceeds, "2026-01", .sales)
    #expect(
      last == [
        "January 2026 · Net proceeds were 20.97 USD, without the days that are missing. (sales)"
      ])
  }
}
