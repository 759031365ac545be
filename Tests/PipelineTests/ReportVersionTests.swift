import Pages
import PipelineTestSupport
import Testing

/// A snapshot with columns that no version is known to have.
private func snapshot(_ columns: String, _ cells: String...) -> [UInt8] {
  let report = ReportText.snapshot.with([:], [:])
  let lines = report.text.split(separator: "\n")
  let ends = [columns] + cells
  return Array(zip(lines, ends).map { "\($0)\t\($1)\n" }.joined().utf8)
}

private let unknown =
  "Active Commitment Subscriptions\tBilling Plan\tPay As You Go Club Subscriptions"

@Suite("Versions of reports")
struct ReportVersionTests {
  @Test(arguments: ["1_2": "1_3", "1_3": "1_3", "1_4": "1_4"].sorted { $0.key < $1.key })
  func `are those of the file's name, unless the header contradicts`(
    named: String, version: String
  ) throws {
    let name = "Subscriber_80012345_20260105_V\(named).txt"
    let outcome = try RunOutcome(ReportSandbox([name: ReportText.subscriber.with([:]).bytes]))
    #expect(outcome.health(name)["version"] == version)
  }

  @Test
  func `that bring new counts of subscriptions show them with their sums`() throws {
    let sandbox = try ReportSandbox([
      "Subscription_80012345_20260104_V1_4.txt": snapshot(unknown, "5\tMonthly\t1", "2\t\t1"),
      "Subscription_80012345_20260105_V1_4.txt": snapshot(unknown, "6\tMonthly\t1", "x\t\t1"),
    ])
    let outcome = try RunOutcome(sandbox)
    // What is no count is nothing to reject a row for.
    let names = "new columns: " + unknown.replacing("\t", with: ", ")
    let note = { (sum: Int) in
      "\(names); unknown count \"Active Commitment Subscriptions\": \(sum); unknown count \"Pay As You Go Club Subscriptions\": 2"
    }
    for (day, sum) in [("04", 7), ("05", 6)] {
      let account = outcome.account("Subscription_80012345_202601\(day)_V1_4.txt")
      #expect(account == ["2", "2", "0", "0", note(sum)])
    }
    let advice = outcome.result.advice(outcome.checks).filter { $0.hasPrefix("unknown column") }
    #expect(
      advice == [
        "unknown column: \"Active Commitment Subscriptions\" of subscription reports: 6 on 2026-01-05; it is in no number: a newer subreport may know it",
        "unknown column: \"Pay As You Go Club Subscriptions\" of subscription reports: 2 on 2026-01-05; it is counted as active: a newer subreport may know it",
      ])
  }

  @Test
  func `before 1_4 are named by check since there is a newer one`() throws {
    let advice = { (files: [String: String]) throws -> [String] in
      let bytes = files.map { name, day in
        (name, ReportText.subscriber.with(["Event Date": day]).bytes)
      }
      let outcome = try RunOutcome(ReportSandbox(Dictionary(uniqueKeysWithValues: bytes)))
      return outcome.result.advice(outcome.checks).filter { $0.hasPrefix("older version") }
    }
    let (old, last) = (
      "Subscriber_80012345_20260611_V1_3.txt", "Subscriber_80012345_20260612_V1_3.txt"
    )
    #expect(try advice([old: "2026-06-11"]) == [])
    #expect(
      try advice([old: "2026-06-11", last: "2026-06-12"]) == [
        "older version: the newest reports (subscriber) are of version 1_3; ask App Store Connect for 1_4, whose Contingent App Name says what was sold cheaper because of another subscription"
      ])
    let new = last.replacing("V1_3", with: "V1_4")
    #expect(try advice([old: "2026-06-11", new: "2026-06-12"]) == [])
  }
}
