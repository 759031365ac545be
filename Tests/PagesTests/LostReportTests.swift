import Files
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

/// Each loss takes days from the same reports; the pages name what lacks them, and nothing else.
@Suite("What the pages say of reports that stop or are lost")
struct LostReportTests {
  /// Event reports of January and February 2026, Subscriber reports from December to 2 March, and snapshots.
  private static func sandbox(
    snapshots: [String: Int], without isLost: (_ name: String) -> Bool = { _ in false }
  ) throws -> ReportSandbox {
    let sandbox = try EventReports.sandbox(["2026-02-12": [EventReports.canceled]])
    let rows = ["2025-12-05", "2026-01-05", "2026-02-05"].map { ["Event Date": $0] }
    for (name, bytes) in ReportText.daily(rows, from: "2025-12-01", to: "2026-03-02") {
      try sandbox.write(name, bytes)
    }
    try EventReports.write(snapshots: snapshots, to: sandbox)
    for name in names(inFolder: sandbox.path) where isLost(name) { sandbox.remove(name) }
    return sandbox
  }

  private static let monthEnds = ["20251231": 9, "20260131": 10, "20260228": 12, "20260302": 12]

  private static func row(_ outcome: RunOutcome, _ figure: String) -> [String: String] {
    outcome.rows("headlines.csv").first { $0["figure"] == figure } ?? [:]
  }

  /// Returns the file name's day, such as 20260228, if it is of a kind.
  private static func day(_ name: String, of kind: String) -> String? {
    let parts = name.split(separator: "_").map(String.init)
    return name.hasPrefix("\(kind)_80012345_") ? parts[parts.count - 3] : nil
  }

  @Test(arguments: [("20260220", "partial"), ("20260228", "final")])
  func `recurring revenue is that of the month's end only where a snapshot is of it`(
    last: String, state: String
  ) throws {
    let sandbox = try Self.sandbox(snapshots: ["20251231": 9, "20260131": 10, last: 12])
    let outcome = try RunOutcome(sandbox)
    for table in ["recurring.csv", "status.csv"] {
      let own = outcome.rows(table, source: "snapshot").filter { $0["month"] == "2026-02" }
      #expect(!own.isEmpty && own.allSatisfy { $0["state"] == state }, "\(table): \(own)")
    }
    let row = Self.row(outcome, "mrr")
    #expect(row["source"] == "snapshot" && row["state"] == state)
    #expect((row["before"] == "") == (state == "partial"))
    let summary = outcome.text("summary.md")
    #expect(summary.contains("USD on 20 Feb | incomplete |") == (state == "partial"), "\(summary)")
  }

  @Test
  func `a snapshot that may still come is compared with nothing in a month that is over`() throws {
    let sandbox = try Self.sandbox(snapshots: ["20251231": 9, "20260131": 10, "20260227": 12]) {
      Self.day($0, of: "Subscriber").map { $0 > "20260302" } ?? false
    }
    let outcome = try RunOutcome(sandbox)
    let own = outcome.rows("recurring.csv", source: "snapshot").filter { $0["month"] == "2026-02" }
    #expect(own.allSatisfy { $0["state"] == "provisional" } && !own.isEmpty)
    let row = Self.row(outcome, "mrr")
    #expect(row["state"] == "partial" && row["before"] == "")
  }

  @Test
  func `a lost snapshot of a month's end is named by its day`() throws {
    let sandbox = try Self.sandbox(
      snapshots: ["20251231": 9, "20260131": 10, "20260227": 12, "20260302": 12])
    let outcome = try RunOutcome(sandbox)
    let summary = outcome.text("summary.md")
    for text in [
      "Subscription of 28 Feb: download it again. Until then active subscriptions, net new and recurring",
      "| Active subscriptions | no data |  | needs the Subscription report of 28 February |",
      "**How many are active is not known: the Subscription report of 28 February is missing.**",
      "How many are left is not known: the Subscription report of 28 February 2026",
    ] { #expect(summary.contains(text), "\(text): \(summary)") }
    #expect(!summary.contains("reports of the month before"))
  }

  @Test
  func `who was active is known without the events of the month's last days`() throws {
    let sandbox = try Self.sandbox(snapshots: Self.monthEnds) {
      Self.day($0, of: "Subscription_Event").map { $0 >= "20260220" } ?? false
    }
    let outcome = try RunOutcome(sandbox)
    let row = Self.row(outcome, "active")
    #expect(row["source"] == "events" && row["value"] == "12")
    #expect(row["state"] == "final" && row["before"] == "10")
    #expect(Self.row(outcome, "net_change")["state"] == "final")
    #expect(Self.row(outcome, "churn_rate")["state"] == "partial")
    let summary = outcome.text("summary.md")
    #expect(summary.contains("**Active subscriptions grew by 2 to 12**"), "\(summary)")
  }

  @Test(arguments: ["2026020", "202602"])
  func `more lost reports are no better than fewer`(lost: String) throws {
    let sandbox = try Self.sandbox(snapshots: Self.monthEnds) {
      Self.day($0, of: "Subscriber")?.hasPrefix(lost) ?? false
    }
    let summary = try RunOutcome(sandbox).text("summary.md")
    let count = lost == "202602" ? 28 : 9
    #expect(
      summary.contains("⚠ **February is incomplete: \(count) reports missing.** Subscriber of"),
      "\(summary)")
  }

  @Test
  func `a lost snapshot inside a month is needed by no number`() throws {
    let sandbox = try Self.sandbox(snapshots: Self.monthEnds)
    let summary = try RunOutcome(sandbox).text("summary.md")
    #expect(summary.contains("✓ **February is complete.**"), "\(summary)")
    #expect(summary.contains("no key figure uses them"))
  }

  @Test
  func `a lost report of an earlier month takes the comparisons that it gave`() throws {
    var snapshots = Self.monthEnds
    snapshots["20251231"] = nil
    snapshots["20251230"] = 9
    let summary = try RunOutcome(try Self.sandbox(snapshots: snapshots)).text("summary.md")
    #expect(summary.contains("net new and churn lack a comparison"), "\(summary)")
    #expect(!summary.contains("no key figure uses"))
  }

  @Test
  func `days that are accepted as missing are not waited for`() throws {
    let sandbox = try Self.sandbox(snapshots: Self.monthEnds) {
      Self.day($0, of: "Subscriber").map { "20260203"..."20260204" ~= $0 } ?? false
    }
    let outcome = try RunOutcome(sandbox) {
      try? $0.accepted.add(.missing, "subscriber 2026-02-03..2026-02-04", at: "a.toml:1")
    }
    let summary = outcome.text("summary.md")
    #expect(
      summary.contains(
        "Subscriber of 3 to 4 Feb: accepted as missing. Trials and refunds stay incomplete."),
      "\(summary)")
  }

  @Test
  func `a missing day of one of several vendors names it`() throws {
    let sandbox = try Self.sandbox(snapshots: Self.monthEnds)
    let rows = [["Event Date": "2026-02-05"]]
    for (name, bytes) in ReportText.daily(rows, from: "2025-12-01", to: "2026-03-02")
    where !name.contains("20260210") {
      try sandbox.write(name.replacing("80012345", with: "80012346"), bytes + Array("\n".utf8))
    }
    let summary = try RunOutcome(sandbox).text("summary.md")
    #expect(
      summary.contains("Subscriber of vendor 80012346 of 10 Feb: download it again."),
      "\(summary)")
  }

  // MARK: Receipts

  @Test
  func `receipts that end before the month are to be taken again`() throws {
    let sandbox = try SimulatedReports(
      seed: 23, subscribers: 100, to: "2026-01-20", kinds: [.receipts]
    ).sandbox()
    let sales = try SimulatedReports(seed: 23, subscribers: 40, to: "2026-03-10", kinds: [.sales])
    for (name, bytes) in sales.reports { try sandbox.write(name, bytes) }
    let summary = try RunOutcome(sandbox).text("summary.md")
    for text in [
      "⚠ **February is incomplete.** Receipts end on 20 January 2026: take a new dump.",
      "| Churn | no data |  | receipts end on 20 January: take a new dump |",
      "**Churn is not known:** receipts end on 20 January 2026; take a new dump.",
      "**How many are active is not known: receipts end on 20 January; take a new dump.**",
    ] { #expect(summary.contains(text), "\(text): \(summary)") }
  }

  @Test
  func `a dump that is cut off makes the answer incomplete`() throws {
    let world = try SimulatedReports(
      seed: 23, subscribers: 100, to: "2026-03-10", kinds: [.receipts])
    let (name, bytes) = try #require(
      world.reports.filter { $0.key.contains("verify-receipt") }.max { $0.key < $1.key })
    let sandbox = try ReportSandbox(["dump.ndjson": bytes])
    #expect(try RunOutcome(sandbox).text("summary.md").contains("✓ **February"), "\(name)")
    try sandbox.write("dump.ndjson", Array(bytes.prefix(bytes.count * 3 / 5)))
    let outcome = try RunOutcome(sandbox)
    let summary = outcome.text("summary.md")
    #expect(summary.contains("⚠ **February is incomplete.** dump.ndjson is cut off in line"))
    let errors = outcome.result.rowDiagnostics.map(\.text)
    #expect(
      errors.count == 1
        && errors[0].contains("; the dump is cut off here: copy or take it again [truncated"))
    // A record that is damaged inside the dump is no end of it.
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let damaged = [lines[0].prefix(lines[0].count / 2)] + lines.dropFirst()
    try sandbox.write("dump.ndjson", Array(damaged.joined(separator: [UInt8(ascii: "\n")])))
    #expect(try RunOutcome(sandbox).text("summary.md").contains("1 row is rejected."))
  }
}
