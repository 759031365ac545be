import Counting
import Files
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Testing

/// The folder of real reports, or `nil` where it is not there.
private let reports = fixtureFolder("reports")

@Suite("Real reports", .enabled(if: reports != nil, "the folder of real reports is not there"))
struct RealReportsTests {
  /// What a file is and what becomes of its rows: the counts are those of
  /// `tail -n +2 FILE | grep -c .`, less preambles and `Total_` lines for the financial reports.
  private static let files: [(path: String, kind: String, account: [Int], note: String)] = [
    ("kachit_appstore-sdk-go/subscriber.tsv", "subscriber", [48, 48, 0, 0], ""),
    ("kachit_appstore-sdk-go/subscription-event.tsv", "subscription-event", [49, 49, 0, 0], ""),
    ("kachit_appstore-sdk-go/subscription.tsv", "subscription", [49, 0, 0, 49], "no date: 49"),
    // awk -F'\t' 'NR>1 && ($7 ~ /^ *(IAY|IAC|IA9)/ || $9+0)' kachit_appstore-sdk-go/sales.tsv | wc -l
    ("kachit_appstore-sdk-go/sales.tsv", "sales", [46, 16, 0, 30], "other product types: 30"),
    // awk -F'\t' 'NR>1 && $11+0' hc5duke_parseitc/demo1.txt | wc -l
    ("hc5duke_parseitc/demo1.txt", "sales", [53, 5, 0, 48], "other product types: 48"),
    (
      "BunnyxStudio_app-store-connect-data-cli/subscription_2026-02-18.tsv", "subscription",
      [292, 292, 0, 0], ""
    ),
    (
      "BunnyxStudio_app-store-connect-data-cli/finance_detail_z1_2026-02.tsv", "finance-detail",
      [76, 76, 0, 0], ""
    ),
    ("fedoco_apple-slicer/45545510_0914_CH.txt", "financial", [4, 4, 0, 0], ""),
    ("fedoco_apple-slicer/45545510_0914_EU.txt", "financial", [6, 6, 0, 0], ""),
    ("fedoco_apple-slicer/financial_report.csv", "payments", [3, 3, 0, 0], ""),
    ("matisiekpl_appstore-sdk-go/preorders.tsv", "pre-order", [2, 0, 0, 2], "other report: 2"),
    (
      "transcribed/sales_weekly_2023_no-comment_issue24.tsv", "sales", [1, 0, 0, 1],
      "other product types: 1"
    ),
  ]

  private static let problems: [(path: String, kind: String, code: String)] = [
    ("iscreen_apple_reporter/reports.csv", "sales", "damaged-header"),
    ("matisiekpl_appstore-sdk-go/invalid.parameter.json", "apple-error", "apple-error"),
    ("matisiekpl_appstore-sdk-go/financial.tsv", "financial", "not-a-fiscal-period"),
    (
      "fivetran_dbt_apple_store/sales_subscription_event_summary.csv", "subscription-event",
      "damaged-header"
    ),
    (
      "fivetran_dbt_apple_store/sales_subscription_summary.csv", "subscription", "damaged-header"
    ),
  ]

  @Test
  func `of one folder are accounted for, file by file`() throws {
    let folder = try #require(reports)
    let outcome = try RunOutcome([folder])
    for file in Self.files {
      let row = outcome.health(file.path)
      #expect(row["kind"] == file.kind, "\(file.path)")
      #expect(
        outcome.account(file.path) == file.account.map { "\($0)" } + [file.note], "\(file.path)")
      #expect(row["sha256"]?.count == 64)
    }
    for problem in Self.problems {
      let row = outcome.health(problem.path)
      #expect(row["kind"] == problem.kind, "\(problem.path)")
      #expect(row["rows_used"] == "0")
      #expect(row["note"]?.contains("[\(problem.code)]") == true, "\(problem.path)")
    }
    let licences = outcome.result.files.filter { $0.file.relativePath.hasPrefix("LICENSES/") }
    #expect(licences.allSatisfy { $0.rows.read == 0 && $0.problem == nil })
    #expect(outcome.checks.hold)
    #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: false) == [.unusableInput])
    #expect(
      outcome.result.sources.map { "\($0.source.rawValue) \($0.completeness.asOf)" }.sorted()
        == ["events 2020-10-05", "sales 2023-01-15", "subscribers 2020-10-05"])
  }

  @Test
  func `of subscribers give the money of their rows`() throws {
    let folder = try #require(reports)
    let outcome = try RunOutcome([folder + "/kachit_appstore-sdk-go"])
    let rows = outcome.rows("proceeds.csv", source: "subscribers")
    let charges = rows.compactMap { Int($0["charges"] ?? "") }.reduce(0, +)
    // awk -F'\t' 'NR>1 && $13+0>0 && $24!~/Yes/ {n+=$26} END{print n}' subscriber.tsv
    #expect(charges == 47)
    // awk -F'\t' '$24~/Yes/ {print $26}' subscriber.tsv
    let refunds = outcome.rows("refunds.csv").filter { $0["dating"] == "refund" }
    #expect(refunds.compactMap { Int($0["refunds_partial"] ?? "") }.reduce(0, +) == 1)
    #expect(refunds.compactMap { Int($0["refunds_full"] ?? "") }.reduce(0, +) == 0)
    #expect(outcome.rows("days.csv").map { $0["day"] } == Array(repeating: "2020-10-05", count: 3))
  }

  @Test
  func `of snapshots are used under a name with a date`() throws {
    let folder = try #require(reports) + "/kachit_appstore-sdk-go"
    let sandbox = try ReportSandbox([
      "Subscription_80012345_20200930_V1_2.txt": try fileBytes(folder + "/subscription.tsv"),
      "subscription-event.tsv": try fileBytes(folder + "/subscription-event.tsv"),
    ])
    let outcome = try RunOutcome(sandbox)
    #expect(
      outcome.account("Subscription_80012345_20200930_V1_2.txt") == ["49", "49", "0", "0", ""])
    let october = outcome.rows("churn.csv", source: "events").first { $0["month"] == "2020-10" }
    // The columns "Active Standard Price", "Pay Up Front …" and "Pay As You Go …", added up:
    // python3 -c 'import csv,sys; print(sum(int(v or 0) for r in csv.DictReader(open(sys.argv[1]),
    //   delimiter="\t") for k,v in r.items() if k.startswith("Active Standard")
    //   or "Pay Up Front" in k or "Pay As You Go" in k))' subscription.tsv
    #expect(october?["active_start"] == "292")
  }
}
