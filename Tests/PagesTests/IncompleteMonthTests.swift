import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("What the pages say of months that are not complete, and of few subscriptions")
struct IncompleteMonthTests {
  // MARK: Net proceeds

  /// Reports of January to March 2026 with a yearly subscription, which makes churn of the first year `partial`.
  private static func firstMonths() -> [String: [UInt8]] {
    let yearly = [
      "Event Date": "2026-01-10", "Subscriber ID": "700000000000000002",
      "Subscription Name": "Yearly", "Subscription Apple ID": "1460000002",
      "Standard Subscription Duration": "1 Year", "Customer Price": "59.99",
      "Developer Proceeds": "41.99",
    ]
    let monthly = ["2026-01-05", "2026-02-05", "2026-03-05"].map { ["Event Date": $0] }
    let second = ["Event Date": "2026-03-07", "Subscriber ID": "700000000000000003"]
    return ReportText.daily(
      [yearly] + monthly + [second], from: "2026-01-01", to: "2026-03-31")
  }

  private static func netProceeds(_ outcome: RunOutcome) -> [String: String] {
    outcome.rows("headlines.csv").first { $0["figure"] == "net_proceeds" } ?? [:]
  }

  @Test
  func `net proceeds of whole months are compared where only churn is partial`() throws {
    let outcome = try RunOutcome(try ReportSandbox(Self.firstMonths()))
    let row = Self.netProceeds(outcome)
    #expect(row["month"] == "2026-03" && row["value"] == "13.98" && row["state"] == "final")
    #expect(row["before"] == "6.99" && row["before_same_age"] == "6.99")
    let summary = outcome.text("summary.md")
    #expect(summary.contains("**Net proceeds rose by 100.0% to 13.98 USD.**"), "\(summary)")
  }

  @Test
  func `receipts without a country are named where a filter of countries leaves them out`() throws {
    let world = try SimulatedReports(
      seed: 23, subscribers: 200, to: "2026-05-31", kinds: [.receipts])
    let sentence = "Receipts that state no country are left out; those of verifyReceipt state none."
    let whole = try RunOutcome(try world.sandbox())
    #expect(!whole.text("summary.md").contains(sentence))
    let filtered = try RunOutcome(try world.sandbox()) { $0.filters.countries = ["US"] }
    #expect(filtered.text("summary.md").contains(sentence))
    #expect(filtered.text("index.html").contains(sentence))
    // Of most subscriptions these receipts have no price, so there is no tile of recurring revenue.
    let summary = whole.text("summary.md")
    #expect(summary.contains("| Net proceeds | no data |"), "\(summary)")
    #expect(whole.rows("headlines.csv").contains { $0["figure"] == "mrr" })
  }

  @Test(arguments: ["20260220", "20260320"])
  func `net proceeds of a month with a missing day are compared with nothing`(
    missing: String
  ) throws {
    var files = Self.firstMonths()
    files["Subscriber_80012345_\(missing)_V1_3.txt"] = nil
    let outcome = try RunOutcome(try ReportSandbox(files))
    #expect(Self.netProceeds(outcome)["value"] == "13.98")
    let isOfMonth = missing == "20260320"
    #expect(Self.netProceeds(outcome)["state"] == (isOfMonth ? "partial" : "final"))
    #expect(Self.netProceeds(outcome)["before"] == "")
    let summary = outcome.text("summary.md")
    #expect(!summary.contains("Net proceeds rose"), "\(summary)")
    #expect(
      summary.contains(
        isOfMonth
          ? "**Net proceeds so far are 13.98 USD: the Subscriber report of 20 March is missing.**"
          : "**Net proceeds were 13.98 USD.**"), "\(summary)")
  }

  // MARK: Months without rows

  /// Reports of November 2025 to January 2026 with one subscription of six months, and no row in January.
  private static func withoutRows() -> [String: [UInt8]] {
    let trial = [
      "Event Date": "2025-12-05", "Subscription Offer Type": "Free Trial",
      "Subscription Offer Duration": "7 Days", "Customer Price": "0.00",
      "Developer Proceeds": "0.00", "Standard Subscription Duration": "6 Months",
    ]
    let paid = ["Event Date": "2025-12-12", "Standard Subscription Duration": "6 Months"]
    return ReportText.daily([trial, paid], from: "2025-11-01", to: "2026-01-31")
  }

  @Test
  func `a month without rows is final in files and incomplete on pages`() throws {
    let outcome = try RunOutcome(try ReportSandbox(Self.withoutRows()))
    // METRICS.md: an empty day is not missing.
    let churn = outcome.rows("churn.csv").first { $0["month"] == "2026-01" }
    #expect(churn?["active_start"] == "1" && churn?["state"] == "final")
    let rows = outcome.rows("headlines.csv", source: "subscribers")
    #expect(rows.contains { $0["figure"] == "churn_rate" })
    #expect(rows.contains { $0["figure"] == "active" })
    for row in rows where row["figure"] != "conversion_rate" {
      #expect(row["month"] == "2026-01", "\(row)")
    }
    #expect(rows.first { $0["figure"] == "churn_rate" }?["state"] == "final")
    let summary = outcome.text("summary.md")
    #expect(
      summary.contains("Nearly all Subscriber reports of January are empty: download them again"),
      "\(summary)")
    #expect(summary.contains("**Churn cannot be compared: nearly all Subscriber reports"))
  }

  @Test
  func `rows with few at risk are counted`() {
    let note = { (counts: [Int]) in
      ReportTable(
        name: "retention", dimensions: [], columns: [.init("at_risk", .count)],
        rows: counts.map { [.count($0)] }
      ).noteOnFewAtRisk
    }
    let end = "fewer than 30 were at risk, too few to tell"
    #expect(note([30, 29, 1]) == "in 2 of 3 rows \(end)")
    #expect(note([3, 1]) == "in all rows \(end)")
    #expect(note([3]) == "in the row \(end)")
    #expect(note([31, 30]).isEmpty && note([]).isEmpty)
    let other = ReportTable(
      name: "churn", dimensions: [], columns: [.init("churned", .count)], rows: [[.count(1)]])
    #expect(other.noteOnFewAtRisk.isEmpty)
  }
}
