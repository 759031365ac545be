import Pages
import Pipeline
import PipelineTestSupport
import PriceImpact
import ReportCache
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

/// METRICS.md section 5, *No data*, and section 8, *A feed that stopped*.
@Suite("Months without files")
struct MonthWithoutFilesTests {
  /// The folder of the files that a source is made from; without its own kind a month has no data.
  private static let folders = [
    "subscribers": "subscriber", "events": "subscription-event", "sales": "sales",
  ]
  private static let keys: Set = [
    "basis", "months",
    "source", "month", "dating", "currency", "country", "product", "offer", "start_month", "state",
    "months_since", "measure", "tool", "axis", "product_id",
  ]

  /// Reports of half a year without those of a month, of one source or of all.
  private func files(seed: UInt64, without month: String, of sources: [String]) throws -> [String:
    [UInt8]]
  {
    let world = try SimulatedReports(
      seed: seed, subscribers: 150, to: "2026-06-20", faults: seed % 2 == 0)
    return world.reports.filter { path, _ in
      !sources.contains { path.hasPrefix((Self.folders[$0] ?? "") + "/") }
        || !path.contains(month.replacing("-", with: ""))
    }
  }

  /// Expects that no row of a source's month without files has a number, and that the month after has no beginning.
  private func expectNoNumbers(
    _ outcome: RunOutcome, _ sources: [String], _ month: String, after: String
  ) {
    var count = 0
    for (name, text) in outcome.tables where name != "headlines.csv" && name != "drivers.csv" {
      for row in csvRows(text) where sources.contains(row["source"] ?? "") && row["month"] == month
      {
        count += 1
        let numbers = row.filter { !Self.keys.contains($0.key) && $0.value != "" }
        #expect(numbers.isEmpty, "\(name): \(numbers)")
        #expect(row["state"] ?? "partial" == "partial", "\(name)")
      }
    }
    #expect(count > 0)
    for row in outcome.rows("churn.csv")
    where sources.contains(row["source"] ?? "") && row["month"] == after {
      #expect(
        [row["active_start"], row["churn_rate"], row["low"], row["high"]] == ["", "", "", ""])
      #expect(row["churned"] != "")
    }
    for row in outcome.rows("movement.csv")
    where sources.contains(row["source"] ?? "") && row["month"] == after {
      #expect([row["open"], row["close"], row["unexplained"]] == ["", "", ""])
    }
    for name in ["headlines.csv", "drivers.csv"] {
      for row in outcome.rows(name) where sources.contains(row["source"] ?? "") {
        #expect(row["month"] != month, "\(name): \(row)")
        if row["month"] == after { #expect(row["before"] ?? "" == "", "\(name): \(row)") }
      }
    }
    #expect(outcome.rows("checks.csv").allSatisfy { $0["state"] != "failed" })
  }

  @Test(arguments: histories(4, from: 900))
  func `have no number in any table, plain, with a cache, in steps and with options`(
    seed: UInt64
  ) throws {
    let sources = seed % 2 == 0 ? ["subscribers"] : ["subscribers", "events"]
    let sandbox = try ReportSandbox(files(seed: seed, without: "2026-04", of: sources))
    var plan = RunPlan(inputs: [sandbox.path], views: usualViews)
    plan.prices = PricePlan()
    switch seed % 4 {
    case 1: plan.filters.countries = ["US"]
    case 2: plan.asOf = day("2026-06-03")
    default: break
    }
    let outcome = try RunOutcome(Run.carryOut(plan))
    expectNoNumbers(outcome, sources, "2026-04", after: "2026-05")
    var driver = StepDriver(plan, partitions: 3, random: SeededGenerator(seed: seed))
    let steps = try RunOutcome(driver.result(sandbox.path))
    for (name, bytes) in outcome.files {
      #expect(steps.text(name) == String(decoding: bytes, as: UTF8.self), "\(name) in steps")
    }
    let cache = try ReportSandbox()
    for _ in 0..<2 {
      let kept = try ExtractCache(path: cache.path + "/cache", version: "1.2.3")
      var again = plan
      again.earlierRuns = kept
      let cached = try RunOutcome(Run.carryOut(again))
      kept.wait()
      for (name, bytes) in outcome.files {
        #expect(cached.text(name) == String(decoding: bytes, as: UTF8.self), "\(name) cached")
      }
    }
  }

  @Test
  func `have no number on the pages, and their rows from other files are in health`() throws {
    var text = ReportText.subscriber
    let names = (1...31).map { "Subscriber_80012345_202601\($0 < 10 ? "0" : "")\($0)_V1_3.txt" }
    let sandbox = try ReportSandbox()
    for (index, name) in names.enumerated() {
      let date = "2026-01-" + (index < 9 ? "0" : "") + "\(index + 1)"
      text.rows = [["Event Date": date, "Subscriber ID": "70000000000000\(1_000 + index)"]]
      try sandbox.write(name, text.bytes)
    }
    for number in 1...31 {
      let day = (number < 10 ? "0" : "") + "\(number)"
      text.rows = [
        ["Event Date": "2026-03-\(day)", "Subscriber ID": "70000000000000\(1_000 + number)"]
      ]
      if number == 1 {
        text.rows += (1...3).map {
          ["Event Date": "2026-02-28", "Subscriber ID": "70000000000000\(2_000 + $0)"]
        }
      }
      try sandbox.write("Subscriber_80012345_202603\(day)_V1_3.txt", text.bytes)
    }
    let outcome = try RunOutcome(sandbox)
    expectNoNumbers(outcome, ["subscribers"], "2026-02", after: "2026-03")
    #expect(
      outcome.health("Subscriber_80012345_20260301_V1_3.txt")["note"]
        == "rows of a month without files: 3")
    #expect(!outcome.text("summary.md").contains("| 2026-02 |"), "\(outcome.text("summary.md"))")
    #expect(
      outcome.text("summary.md").contains(
        "no Subscriber report of February 2026 is there, so who was active on 28 February 2026 is not known"
      ),
      "\(outcome.text("summary.md"))")
  }

  /// Half a year without the reports of April, of all kinds.
  private static func withoutApril(subscribers: Int = 150) throws -> ReportSandbox {
    let world = try SimulatedReports(seed: 911, subscribers: subscribers, to: "2026-06-30")
    return try ReportSandbox(world.reports.filter { !$0.key.contains("202604") })
  }

  @Test(arguments: [Source.subscribers, .events])
  func `leave open what changed in the month after, and say why`(primary: Source) throws {
    let outcome = try RunOutcome(try Self.withoutApril()) {
      ($0.asOf, $0.primary) = (day("2026-05-31"), primary)
    }
    let summary = outcome.text("summary.md")
    let kind = primary == .events ? "Subscription Event" : "Subscriber"
    #expect(
      summary.contains(
        "**Churn is not known:** no \(kind) report of April 2026 is there, so who was active on 30 April 2026 is not known."
      ), "\(summary)")
    let reasons = summary.split(separator: "\n").filter { $0.hasPrefix("| Canceled by") }
    #expect(reasons.count == 1 && reasons[0].hasSuffix(" |  |"), "\(reasons)")
    #expect(summary.contains(" currencies; in USD "), "\(summary)")
    #expect(!summary.contains(" USD.\n\n**By currency"), "\(summary)")
    #expect(
      summary.contains("Missing: all reports of 1 to 30 Apr 2026"), "\(summary)")
  }

  @Test
  func `leave the churn of the second month after without a comparison`() throws {
    let outcome = try RunOutcome(try Self.withoutApril())
    let summary = outcome.text("summary.md")
    #expect(summary.contains("subscriptions in June 2026"))
    #expect(
      summary.contains(
        "**Churn cannot be compared: that of May is not known.** Renewals and refunds changed no more than chance explains."
      ), "\(summary)")
    let all = try RunOutcome(try Self.withoutApril(subscribers: 600)) {
      $0.primary = .subscribers
    }
    #expect(
      all.text("summary.md").contains(
        "their first payments were not seen; payments of April 2026, not seen either, count as losses."
      ), "\(all.text("summary.md"))")
    // Who left in March is seen in April.
    let april = Month(year: 2026, month: 4)
    let partial = all.result.partialChurn[.subscribers] ?? []
    #expect(partial.isSuperset(of: [april - 1, april, april + 1]), "\(partial)")
  }

  @Test
  func `of which only the reasons lack a day say so in the status`() throws {
    let world = try SimulatedReports(seed: 911, subscribers: 150, to: "2026-06-30")
    let files = world.reports.filter { path, _ in
      !(path.hasPrefix("subscription-event/") && path.contains("20260612"))
    }
    let summary = try RunOutcome(try ReportSandbox(files)) { $0.primary = .subscribers }
      .text("summary.md")
    #expect(
      summary.contains(
        "1 other report is missing (Subscription Event, 12 Jun 2026); why they left lacks a day."),
      "\(summary)")
  }

  @Test
  func `of a feed that stopped are those after its last file`() throws {
    let all = try SimulatedReports(seed: 911, subscribers: 150, to: "2026-06-20").reports
    let files = all.filter { path, _ in
      !path.hasPrefix("subscriber/")
        || !["202604", "202605", "202606"].contains { path.contains($0) }
    }
    let outcome = try RunOutcome(try ReportSandbox(files))
    #expect(
      outcome.result.days.stopLines
        == [
          "subscriber reports stop on 2026-03-31; other reports go on to 2026-06-20"
        ])
    let months = Set(outcome.rows("churn.csv", source: "subscribers").map { $0["month"] ?? "" })
    #expect(months.max() == "2026-03")
    #expect(
      outcome.rows("churn.csv", source: "subscribers").last?["state"] == "partial")
    // Conversions are those of the last month whose trials are decided.
    #expect(
      outcome.rows("headlines.csv").allSatisfy {
        $0["month"] == "2026-05" || $0["figure"] == "conversion_rate"
      })
    // Up to the day on which it stopped nothing is missing.
    let earlier = try RunOutcome(try ReportSandbox(files)) { $0.asOf = day("2026-03-31") }
    #expect(earlier.result.days.stopLines.isEmpty)
  }

  @Test
  func `are per vendor, and closed accounts have no end`() throws {
    let sandbox = try ReportSandbox()
    for vendor in ["80012345", "80099999"] {
      for day in 5...12 where vendor == "80012345" || day < 8 {
        let date = "2026-01-" + (day < 10 ? "0" : "") + "\(day)"
        let rows = [["Event Date": date, "Subscriber ID": vendor + "00000000\(day)"]]
        var report = ReportText.subscriber
        report.rows = rows
        try sandbox.write(subscriberName(day, vendor: vendor), report.bytes)
      }
      let sales = salesOfDay(12, vendor: vendor)
      try sandbox.write(sales.name, sales.bytes)
    }
    let outcome = try RunOutcome(sandbox)
    #expect(
      outcome.result.days.stopLines == [
        "subscriber reports of vendor 80099999 stop on 2026-01-07; other reports go on to 2026-01-12"
      ])
    let own = outcome.rows("days.csv").filter {
      $0["kind"] == "subscriber" && $0["vendor"] == "80099999" && $0["state"] == "missing"
    }
    #expect(own.map { $0["day"] }.first == "2026-01-08")
    #expect(own.allSatisfy { $0["note"] == "no file after 2026-01-07" })
  }

  private func salesOfDay(_ day: Int, vendor: String) -> (name: String, bytes: [UInt8]) {
    let report = ReportText.sales.with([
      "Begin Date": "01/\(day)/2026", "End Date": "01/\(day)/2026", "SKU": vendor,
    ])
    return ("S_D_\(vendor)_202601\(day).txt", report.bytes)
  }
}
