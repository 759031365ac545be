import Files
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Every row that is read is used, rejected or left aside for a reason")
struct RowAccountingTests {
  @Test(arguments: histories(4, from: 300))
  func `in simulated worlds with every fault`(seed: UInt64) throws {
    let world = try SimulatedReports(seed: seed, faults: true)
    let outcome = try RunOutcome(try world.sandbox())
    #expect(outcome.result.files.count == world.reports.count)
    for row in outcome.rows("health.csv") where row["path"] != "" {
      let counts = ["rows_read", "rows_used", "rows_rejected", "rows_ignored"].map {
        Int(row[$0] ?? "") ?? -1
      }
      #expect(counts[0] == counts[1] + counts[2] + counts[3])
      let lines = (world.reports[row["path"] ?? ""] ?? []).count { $0 == 10 }
      #expect(counts[0] == lines - 1, "\(row["path"] ?? "")")
      #expect(ignoredInNote(row["note"] ?? "") == counts[3])
    }
    #expect(outcome.checks.hold)
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [.missingDays])
  }

  @Test
  func `of SUBSCRIBER reports: zero-quantity, rejected and used ones`() throws {
    let sandbox = try ReportSandbox()
    let report = ReportText.subscriber.with(
      [:], [:], ["Units": "0"], ["Units": "1.5"], ["Event Date": "2026-02-30"],
      ["Units": "0", "Refund": "Yes", "Purchase Date": "2026-01-05", "Customer Price": "-9.99"])
    try sandbox.write(subscriberName(5), report.bytes)
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.account(subscriberName(5)) == ["6", "3", "2", "1", "zero-quantity: 1"])
    #expect(outcome.rows("rejects.csv").map { $0["code"] } == ["not-a-whole-number", "not-a-date"])
    #expect(outcome.result.rejectedRows == 2)
    #expect(outcome.result.exitReasons(maxRejects: 1, checksDays: false) == [.failIf])
    #expect(outcome.result.exitReasons(maxRejects: 2, checksDays: false) == [])
  }

  @Test
  func `of SALES reports: other product types`() throws {
    let sandbox = try ReportSandbox()
    let report = ReportText.sales.with(
      [:], ["Product Type Identifier": "1F", "Units": "x"], ["Product Type Identifier": "IA1"],
      ["Units": "-1", "Customer Price": "-9.99"])
    try sandbox.write("S_D_80012345_20260105.txt", report.bytes)
    let outcome = try RunOutcome(sandbox)
    #expect(
      outcome.account("S_D_80012345_20260105.txt") == [
        "4", "2", "0", "2", "other product types: 2",
      ]
    )
    let row = outcome.rows("proceeds.csv", source: "sales").first
    #expect(row?["charges"] == "3")
    #expect(row?["net_proceeds"] == "13.98")
  }

  @Test
  func `when a whole file is of no use to any table`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write("codes.txt", ReportText.offerRedemption.with([:], [:]).bytes)
    try sandbox.write(subscriberName(5), ReportText.subscriber.with([:]).bytes)
    try sandbox.write("notes/readme.txt", "Call the bank.\nThen the other bank.\n")
    try sandbox.write("empty.txt", "")
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.account("codes.txt") == ["2", "0", "0", "2", "other report: 2"])
    #expect(outcome.health("codes.txt")["kind"] == "offer-redemption")
    #expect(outcome.health("notes/readme.txt")["kind"] == "unknown")
    #expect(outcome.account("notes/readme.txt").prefix(4) == ["0", "0", "0", "0"])
    #expect(outcome.health("empty.txt")["kind"] == "unknown")
    #expect(outcome.result.fileDiagnostics == [])
    let named = carryOut([sandbox.path + "/notes/readme.txt", sandbox.path + "/empty.txt"])
    #expect(named.fileDiagnostics.map(\.reason) == [.unusableInput, .unusableInput])
    #expect(!named.hasUsableInput)
  }

  @Test
  func `when a report says nowhere what day it is about`() throws {
    let sandbox = try ReportSandbox()
    try sandbox.write("snapshot.txt", ReportText.snapshot.with([:], [:]).bytes)
    try sandbox.write("Subscription_80012345_20260131_V1_3.txt", ReportText.snapshot.bytes)
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.account("snapshot.txt") == ["2", "0", "0", "2", "no date: 2"])
    #expect(
      outcome.result.advice(outcome.checks).contains { $0.hasPrefix("no date: snapshot.txt") })
    #expect(outcome.rows("days.csv").map { $0["state"] } == ["empty"])
  }

  @Test
  func `when a SALES report of another frequency has its days`() throws {
    let sandbox = try ReportSandbox()
    let week = ReportText.sales.with(["Begin Date": "01/05/2026", "End Date": "01/11/2026"])
    let month = ReportText.sales.with(["Begin Date": "01/01/2026", "End Date": "01/31/2026"])
    try sandbox.write("S_W_80012345_20260111.txt", week.bytes)
    try sandbox.write("S_M_80012345_202601.txt", month.bytes)
    let weekly = try RunOutcome(sandbox)
    #expect(weekly.account("S_W_80012345_20260111.txt").last == "other reports have its days: 1")
    #expect(weekly.rows("proceeds.csv", source: "sales").map { $0["charges"] } == ["3"])
    #expect(weekly.health("S_W_80012345_20260111.txt")["period"] == "2026-01-05/2026-01-11")
    try sandbox.write("S_D_80012345_20260105.txt", ReportText.sales.with(["Units": "2"]).bytes)
    let daily = try RunOutcome(sandbox)
    #expect(
      daily.account("S_D_80012345_20260105.txt") == [
        "1", "1", "0", "0", "not in proceeds: in a monthly report",
      ])
    #expect(daily.rows("proceeds.csv", source: "sales").map { $0["charges"] } == ["3"])
    #expect(daily.rows("days.csv").count { $0["state"] == "covered" } == 30)
  }

  @Test
  func `when another vendor or another source is asked for`() throws {
    let sandbox = try ReportSandbox()
    let other = subscriberName(5, vendor: "80099999")
    try sandbox.write(subscriberName(5), ReportText.subscriber.with([:]).bytes)
    try sandbox.write(other, ReportText.subscriber.with([:], [:]).bytes)
    try sandbox.write("S_D_80099999_20260105.txt", ReportText.sales.with([:]).bytes)
    let outcome = try RunOutcome(sandbox) {
      $0.filters.vendors = ["80099999"]
      $0.sources = [.subscribers]
    }
    #expect(outcome.account(subscriberName(5)) == ["1", "0", "0", "1", "other vendor: 1"])
    #expect(outcome.account(other) == ["2", "2", "0", "0", ""])
    #expect(outcome.account("S_D_80099999_20260105.txt").last == "other source: 1")
    #expect(outcome.rows("proceeds.csv").map { $0["charges"] } == ["2"])
  }

  @Test
  func `when its whole file cannot be used`() throws {
    let sandbox = try ReportSandbox()
    let good = ReportText.subscriber.with([:])
    try sandbox.write(subscriberName(4), good.bytes)
    try sandbox.write(subscriberName(5), good.text.replacing("Country\t", with: "Land\t"))
    try sandbox.write(
      subscriberName(6), "{\"errors\":[{\"detail\":\"Try again later.\"}]}")
    try sandbox.write(subscriberName(7), gzip(good.bytes).dropLast(3) + [])
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.account(subscriberName(5))[1] == "0")
    #expect(
      outcome.result.files.map(\.problem?.code) == [
        nil, "missing-columns", "apple-error", "gzip-truncated",
      ])
    #expect(outcome.health(subscriberName(6))["kind"] == "apple-error")
    #expect(outcome.health(subscriberName(6))["note"]?.contains("Try again later.") == true)
    #expect(outcome.checks.hold)
    #expect(outcome.rows("days.csv").map { $0["day"] } == ["2026-01-04"])
    #expect(
      outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [
        .unusableInput, .corruptInput,
      ]
    )
  }

  /// The numbers of `reason: n; reason: n`, added up; other remarks have none.
  private func ignoredInNote(_ note: String) -> Int {
    let reasons: Set = ["zero-quantity", "other product types", "restated", "duplicate file"]
    return note.split(separator: "; ").map { part in
      let words = part.split(separator: ": ")
      return words.count == 2 && reasons.contains(String(words[0])) ? Int(words[1]) ?? 0 : 0
    }.reduce(0, +)
  }
}
