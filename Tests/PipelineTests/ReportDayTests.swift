import Counting
import Files
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Days and the moment up to which data is complete")
struct ReportDayTests {
  private func completeness(_ outcome: RunOutcome, _ source: Source = .subscribers) throws
    -> Completeness
  {
    try #require(outcome.result.sources.first { $0.source == source }?.completeness)
  }

  private func day(_ text: String) throws -> Day { try #require(Day(text)) }

  @Test
  func `are present, empty or missing, and days.csv has a row for each`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write(subscriberName(5), ReportText.subscriber.with([:]).bytes)
    try sandbox.write(subscriberName(6), ReportText.subscriber.bytes)
    try sandbox.write(
      subscriberName(9), ReportText.subscriber.with(["Event Date": "2026-01-09"]).bytes)
    let outcome = try RunOutcome(sandbox)
    #expect(
      outcome.text("days.csv") == """
        kind,vendor,day,state,file,restated,note
        subscriber,80012345,2026-01-05,present,\(subscriberName(5)),no,
        subscriber,80012345,2026-01-06,empty,\(subscriberName(6)),no,
        subscriber,80012345,2026-01-07,missing,,no,
        subscriber,80012345,2026-01-08,missing,,no,
        subscriber,80012345,2026-01-09,present,\(subscriberName(9)),no,

        """)
    #expect(outcome.result.days.count(.missing) == 2)
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: false) == [])
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [.missingDays])
    let completeness = try completeness(outcome)
    #expect(completeness.missingDays.map(\.description) == ["2026-01-07", "2026-01-08"])
    let advice = outcome.result.advice(outcome.checks).filter { $0.hasPrefix("missing: ") }
    #expect(
      advice.map { $0.prefix(30) } == [
        "missing: subscriber 2026-01-07", "missing: subscriber 2026-01-08",
      ])
  }

  @Test
  func `before as-of are missing though the file that shows it is later`() throws {
    let sandbox = try ReportSandbox()
    for number in ["01", "02", "05"] {
      let name = "80012345_202601\(number)_V1_3.txt"
      try sandbox.write("Subscriber_" + name, ReportText.subscriber.bytes)
      try sandbox.write("Subscription_" + name, ReportText.snapshot.bytes)
    }
    let asOf = try day("2026-01-04")
    let outcome = try RunOutcome(sandbox) { $0.asOf = asOf }
    #expect(
      outcome.rows("days.csv").map { [$0["kind"], $0["day"], $0["state"]] } == [
        ["subscriber", "2026-01-01", "empty"], ["subscriber", "2026-01-02", "empty"],
        ["subscriber", "2026-01-03", "missing"], ["subscriber", "2026-01-04", "missing"],
        ["subscription", "2026-01-01", "empty"], ["subscription", "2026-01-02", "empty"],
        ["subscription", "2026-01-03", "missing"], ["subscription", "2026-01-04", "missing"],
      ])
    #expect(
      outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [.missingDays])
  }

  @Test
  func
    `are per vendor: the stock of one vendor alone is not the stock, and a month without a day is partial`()
    throws
  {
    let sandbox = try ReportSandbox()
    let days = ["0130", "0131", "0201", "0202"]
    for day in days {
      for (vendor, country) in [("80012345", "US"), ("80099999", "DE")] {
        let name = "\(vendor)_2026\(day)_V1_3.txt"
        let date = "2026-\(day.prefix(2))-\(day.suffix(2))"
        let event = ["Event Date": date, "Country": country, "Event": "Cancel"]
        try sandbox.write("Subscription_Event_" + name, ReportText.event.with(event).bytes)
        let snapshot = ReportText.snapshot.with(["Country": country]).bytes
        try sandbox.write("Subscription_" + name, snapshot)
      }
    }
    let churn = { () throws -> [[String?]] in
      try RunOutcome(sandbox).rows("churn.csv", source: "events")
        .map { [$0["month"], $0["active_start"], $0["churned"], $0["state"]] }
    }
    #expect(try churn().last == ["2026-02", "20", "4", "provisional"])
    sandbox.remove("Subscription_80099999_20260131_V1_3.txt")
    #expect(try churn().last == ["2026-02", "", "4", "provisional"])
    sandbox.remove("Subscription_Event_80099999_20260201_V1_3.txt")
    #expect(try churn().last == ["2026-02", "", "3", "partial"])
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [.missingDays])
    #expect(
      outcome.rows("days.csv").filter { $0["state"] == "missing" }
        .map { [$0["kind"], $0["vendor"], $0["day"]] } == [
          ["subscription", "80099999", "2026-01-31"],
          ["subscription-event", "80099999", "2026-02-01"],
        ])
  }

  @Test
  func `come by kind, then by vendor, then by day`() throws {
    let sandbox = try ReportSandbox()
    for day in [5, 6] {
      try sandbox.write(subscriberName(day), ReportText.subscriber.bytes)
      // A blank line more, so that it is no copy of the other vendor's file.
      try sandbox.write(subscriberName(day, vendor: "80099999"), ReportText.subscriber.bytes + [10])
    }
    let outcome = try RunOutcome(sandbox)
    #expect(
      outcome.rows("days.csv").map { [$0["vendor"], $0["day"]] } == [
        ["80012345", "2026-01-05"], ["80012345", "2026-01-06"], ["80099999", "2026-01-05"],
        ["80099999", "2026-01-06"],
      ])
    for vendor in ["80012345", "80099999"] {
      let line =
        "2 days of Subscriber reports of vendor \(vendor) (a file without rows): 5 to 6 Jan 2026."
      #expect(outcome.text("summary.md").contains(line))
    }
  }

  @Test
  func `that a restated, duplicate or damaged file is about`() throws {
    let sandbox = try ReportSandbox()
    let report = ReportText.subscriber.with([:])
    for name in ["a/" + subscriberName(5), "b/" + subscriberName(5)] {
      try sandbox.write(name, report.bytes)
    }
    try sandbox.write(subscriberName(8), report.with([:]).bytes)
    try sandbox.write("a/" + subscriberName(6), report.bytes)
    try sandbox.write("b/" + subscriberName(6), ReportText.subscriber.bytes)
    try sandbox.write(subscriberName(7), gzip(report.bytes).dropLast() + [])
    let outcome = try RunOutcome(sandbox)
    #expect(
      outcome.rows("days.csv").map { [$0["day"], $0["state"], $0["file"]] } == [
        ["2026-01-05", "present", "a/" + subscriberName(5)],
        ["2026-01-06", "empty", "b/" + subscriberName(6)], ["2026-01-07", "missing", ""],
        ["2026-01-08", "present", subscriberName(8)],
      ])
  }

  @Test
  func `come from a name, and without one from the most frequent day in the file`() throws {
    let rows = ReportText.subscriber.with(
      ["Event Date": "2026-01-09"], ["Event Date": "2026-01-12"], ["Event Date": "2026-01-09"])
    let undated = try ReportSandbox(["latest.txt": rows.bytes])
    let byRows = try RunOutcome(undated)
    #expect(try completeness(byRows).asOf == day("2026-01-09"))
    #expect(byRows.health("latest.txt")["period"] == "2026-01-09")
    // Rows dated after as-of still count for money.
    #expect(byRows.rows("proceeds.csv").map { $0["charges"] } == ["3"])

    let dated = try ReportSandbox([subscriberName(13): rows.bytes])
    #expect(try completeness(RunOutcome(dated)).asOf == day("2026-01-13"))
    #expect(try completeness(RunOutcome(dated)).firstDay == day("2026-01-13"))
  }

  @Test
  func `of each source are its own`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write(subscriberName(9), ReportText.subscriber.with([:]).bytes)
    let sales = ReportText.sales.with(["Begin Date": "01/11/2026", "End Date": "01/11/2026"])
    try sandbox.write("S_D_80012345_20260111.txt", sales.bytes)
    try sandbox.write(
      "Subscription_Event_80012345_20260107_V1_3.txt", ReportText.event.with([:]).bytes)
    let outcome = try RunOutcome(sandbox)
    #expect(try completeness(outcome).asOf == day("2026-01-09"))
    #expect(try completeness(outcome, .sales).asOf == day("2026-01-11"))
    #expect(try completeness(outcome, .events).asOf == day("2026-01-07"))
  }

  @Test
  func `--as-of leaves later rows and snapshots aside, in every source`() throws {
    let sandbox = try ReportSandbox()
    for number in ["08", "09", "10", "11"] {
      let dates = ["Event Date": "2026-01-\(number)"]
      let sale = ["Begin Date": "01/\(number)/2026", "End Date": "01/\(number)/2026"]
      let name = "80012345_202601\(number)"
      try sandbox.write("Subscriber_\(name)_V1_3.txt", ReportText.subscriber.with(dates).bytes)
      try sandbox.write("Subscription_Event_\(name)_V1_3.txt", ReportText.event.with(dates).bytes)
      try sandbox.write("Subscription_\(name)_V1_3.txt", ReportText.snapshot.with([:]).bytes)
      try sandbox.write("S_D_\(name).txt", ReportText.sales.with(sale).bytes)
    }
    let asOf = try day("2026-01-09")
    let outcome = try RunOutcome(sandbox) { $0.asOf = asOf }
    for row in outcome.rows("health.csv") where row["path"] != "" {
      let isLate = row["period"] ?? "" > "2026-01-09"
      #expect(row["rows_used"] == (isLate ? "0" : "1"))
      #expect(row["note"] == (isLate ? "after as-of: 1" : ""))
    }
    for source in [Source.events, .sales, .subscribers] {
      #expect(try completeness(outcome, source).asOf == asOf)
    }
    #expect(outcome.rows("proceeds.csv").map { $0["charges"] } == ["6", "2"])
    #expect(outcome.checks.hold)
  }

  @Test(arguments: histories(2, from: 310))
  func `--as-of on the last day or later changes nothing`(seed: UInt64) throws {
    let sandbox = try SimulatedReports(seed: seed).sandbox()
    let expected = try RunOutcome(sandbox)
    for text in ["2026-02-11", "2026-02-12", "2026-07-01", "2099-12-31"] {
      let asOf = try day(text)
      let found = try RunOutcome(sandbox) { $0.asOf = asOf }
      #expect(found.difference(from: expected) == [])
      #expect(found.text("health.csv") == expected.text("health.csv"))
    }
  }

  @Test(arguments: histories(4, from: 320))
  func `--as-of gives what a world knew that day`(seed: UInt64) throws {
    let sandbox = try SimulatedReports(seed: seed, kinds: [.subscriber, .sales]).sandbox()
    let asOf = try day("2026-01-28")
    let found = try RunOutcome(sandbox) { $0.asOf = asOf }
    let past = try ReportSandbox()
    // The same rows, those dated later cut off, and no later file but for rows that came late.
    for (path, text) in try SimulatedReports(seed: seed, kinds: [.subscriber, .sales]).reports {
      let rows = text.split(separator: 10).map { Array($0) + [10] }
      let isSales = path.hasPrefix("sales")
      let kept = rows.dropFirst().filter { row in
        let cells = String(decoding: row, as: UTF8.self).split(
          separator: "\t", omittingEmptySubsequences: false)
        let date = isSales ? "2026-" + cells[9].prefix(5).replacing("/", with: "-") : cells[0]
        return date <= "2026-01-28"
      }
      try past.write(path, rows[0] + kept.joined())
    }
    let expected = try RunOutcome(past) { $0.asOf = asOf }
    #expect(found.difference(from: expected) == [])
    #expect(found.result.days.count(.missing) == 0)
  }

  @Test
  func `--as-of before the first file leaves nothing to count`() throws {
    let sandbox = try ReportSandbox([subscriberName(5): ReportText.subscriber.with([:]).bytes])
    let asOf = try day("2025-12-31")
    let outcome = try RunOutcome(sandbox) { $0.asOf = asOf }
    #expect(outcome.account(subscriberName(5)) == ["1", "0", "0", "1", "after as-of: 1"])
    #expect(outcome.result.sources.isEmpty)
    #expect(outcome.tables.isEmpty)
  }

  @Test
  func `a later --as-of than the last good file is no cut, whatever a damaged file is about`()
    throws
  {
    let sandbox = try ReportSandbox()
    try sandbox.write(
      subscriberName(8),
      ReportText.subscriber.with([:], ["Event Date": "2026-01-10", "Subscriber ID": "2"]).bytes)
    let asOf = try day("2026-01-09")
    let expected = try RunOutcome(sandbox) { $0.asOf = asOf }
    #expect(expected.rows("proceeds.csv").map { $0["charges"] } == ["2"])
    try sandbox.write(subscriberName(12), gzip(ReportText.subscriber.with([:]).bytes) + [65])
    let found = try RunOutcome(sandbox) { $0.asOf = asOf }
    #expect(found.difference(from: expected) == [])
  }

  // MARK: Names that are days of the download

  /// Returns reports of ten days with names some days later, and how many of them have that name.
  private static func lateNames(
    _ report: ReportText, _ prefix: String, late: Int, of days: Int, others: Int = 0
  ) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for number in 0..<days {
      guard let day = Day("2026-01-01").map({ $0 + number }) else { continue }
      let rows = report.with(
        // The first row is not of the most frequent day.
        ["Event Date": (day + 1).description, "Subscriber ID": "7\(number)"],
        ["Event Date": day.description, "Subscriber ID": "8\(number)"],
        ["Event Date": day.description, "Subscriber ID": "9\(number)"])
      // Every other file is among those whose name is right, so that no two have one name.
      let name = day + (number < others ? 0 : late)
      files["\(prefix)_80012345_\(name.description.filter { $0 != "-" })_V1_3.txt"] = rows.bytes
    }
    return files
  }

  @Test(arguments: [
    (1, 5, 0, true), (3, 8, 2, true), (2, 4, 0, false), (4, 9, 0, false), (1, 7, 2, false),
  ])
  func `are earlier by the days that most names of a kind are late`(
    late: Int, files: Int, others: Int, isLate: Bool
  ) throws {
    let reports = Self.lateNames(
      .subscriber, "Subscriber", late: late, of: files, others: others)
    #expect(reports.count == files)
    let sandbox = try ReportSandbox(reports)
    let outcome = try RunOutcome(sandbox)
    let name = try #require(reports.keys.max())
    let last = try day("2026-01-01") + files - 1
    #expect(outcome.health(name)["period"] == (isLate ? last : last + late).description)
    #expect(
      outcome.account(name)[4] == (isLate ? "name says \(last + late)" : ""))
    #expect(outcome.result.oddFileNotes.count == (isLate ? 1 : 0))
    #expect(try completeness(outcome).asOf == (isLate ? last : last + late))
    var driver = StepDriver(outcome.result.plan)
    #expect(try driver.comparison(sandbox.path).differences == [])
  }

  @Test
  func `of snapshots are earlier as those of events, else of subscribers`() throws {
    let subscribers = Self.lateNames(.subscriber, "Subscriber", late: 2, of: 6)
    let events = Self.lateNames(.event, "Subscription_Event", late: 1, of: 6)
    let snapshot = [
      "Subscription_80012345_20260105_V1_3.txt": ReportText.snapshot.with([:]).bytes
    ]
    for (events, day) in [(events, "2026-01-04"), ([:], "2026-01-03")] {
      let sandbox = try ReportSandbox(
        subscribers.merging(events) { $1 }.merging(snapshot) { $1 })
      let outcome = try RunOutcome(sandbox)
      #expect(outcome.rows("days.csv").first { $0["kind"] == "subscription" }?["day"] == day)
      #expect(outcome.result.oddFileNotes.count == (events.isEmpty ? 1 : 2))
    }
  }
}
