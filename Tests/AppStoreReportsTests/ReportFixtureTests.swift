import AppStoreReports
import Scanning
import SubreportTestSupport
import SubscriptionModel
import Testing

/// The folder of real reports, or `nil` where it is not there.
let realReports = fixtureFolder("reports/")

func realReport(_ name: String) throws -> TestReport {
  var scanner = try LineScanner(path: try #require(realReports) + name)
  var lines: [[UInt8]] = []
  try scanner.forEachLine { line, _ in
    lines.append((0..<line.count).map { line[$0] })
    return .next
  }
  return TestReport(lines: lines)
}

private let files: [(name: String, kind: ReportKind, version: String, rows: Int)] = [
  ("kachit_appstore-sdk-go/subscriber.tsv", .subscriber, "1_2", 48),
  ("kachit_appstore-sdk-go/subscription-event.tsv", .subscriptionEvent, "1_2", 49),
  ("kachit_appstore-sdk-go/subscription.tsv", .subscription, "1_2", 49),
  ("kachit_appstore-sdk-go/sales.tsv", .sales, "1_0", 46),
  (
    "BunnyxStudio_app-store-connect-data-cli/subscription_2026-02-18.tsv", .subscription, "1_3",
    292
  ),
  (
    "BunnyxStudio_app-store-connect-data-cli/finance_detail_z1_2026-02.tsv", .financeDetail, "", 76
  ),
  ("fedoco_apple-slicer/45545510_0914_CH.txt", .financial, "", 4),
  ("fedoco_apple-slicer/45545510_0914_EU.txt", .financial, "", 6),
  ("fedoco_apple-slicer/financial_report.csv", .payments, "", 3),
  ("matisiekpl_appstore-sdk-go/financial.tsv", .financial, "", 2),
  ("matisiekpl_appstore-sdk-go/preorders.tsv", .preOrder, "1_0", 2),
  ("hc5duke_parseitc/demo1.txt", .sales, "before 1_0", 53),
  ("transcribed/sales_weekly_2023_no-comment_issue24.tsv", .sales, "1_0", 1),
]

@Suite("Real reports", .enabled(if: realReports != nil, "the folder of real reports is not there"))
struct ReportFixtureTests {
  @Test(arguments: files)
  func `are recognised, and their rows counted`(
    name: String, kind: ReportKind, version: String, rows: Int
  ) throws {
    let report = try realReport(name)
    let header = try #require(report.header)
    #expect(header.kind == kind)
    #expect(header.version == version)
    #expect(header.newColumns == [])
    #expect(report.rows.count == rows)
  }

  @Test
  func `that are damaged or no reports are errors`() throws {
    let damaged = try realReport("iscreen_apple_reporter/reports.csv").error
    #expect(damaged?.code == "damaged-header")
    #expect(damaged?.kind == .sales)
    let answer = try realReport("matisiekpl_appstore-sdk-go/invalid.parameter.json").error
    #expect(
      answer
        == .appleError(
          detail: "The version parameter you have specified is invalid. "
            + "The latest version for this report is 1_0."))
    let events = "fivetran_dbt_apple_store/sales_subscription_event_summary.csv"
    #expect(try realReport(events).error?.kind == .subscriptionEvent)
  }

  @Test
  func `of subscribers give 48 charges, one of them a partial refund`() throws {
    let registries = Registries()
    let outcomes = try realReport("kachit_appstore-sdk-go/subscriber.tsv").subscribers(registries)
    let records = outcomes.compactMap(\.used)
    let terms = registries.chargeTerms
    #expect(records.count == 48)
    let refunds = records.filter(\.isRefund)
    #expect(refunds.map(\.units) == [0])
    #expect(refunds.map { Day(number: $0.purchaseDay).description } == ["2020-09-30"])
    #expect(refunds.map { terms[Int($0.terms)].price.milliunits } == [85_430])
    #expect(records.count { terms[Int($0.terms)].offerMode == .payAsYouGo } == 25)
  }

  @Test
  func `of events give their quantities by class`() throws {
    let registries = Registries()
    let outcomes = try realReport("kachit_appstore-sdk-go/subscription-event.tsv").events(
      registries)
    let terms = registries.eventTerms
    var quantities: [EventClass: Int64] = [:]
    for row in outcomes.compactMap(\.used) {
      quantities[terms[Int(row.terms)].eventClass, default: 0] += row.quantity
    }
    #expect(
      quantities == [
        .renewal: 24, .change: 1, .recovery: 2, .start: 48, .retry: 10, .lapse: 35,
      ])
  }

  @Test
  func `of snapshots give the number of active subscriptions`() throws {
    let rows = try realReport("kachit_appstore-sdk-go/subscription.tsv").snapshots().compactMap(
      \.used)
    #expect(rows.count == 49)
    #expect(rows.reduce(0) { $0 + $1.active } == 292)
    let newer = "BunnyxStudio_app-store-connect-data-cli/subscription_2026-02-18.tsv"
    let newerRows = try realReport(newer).snapshots().compactMap(\.used)
    #expect(newerRows.reduce(0) { $0 + $1.active } == 409)
  }

  @Test
  func `of sales give the units and proceeds of subscriptions`() throws {
    let registries = Registries()
    let outcomes = try realReport("kachit_appstore-sdk-go/sales.tsv").sales(registries)
    let rows = outcomes.compactMap(\.used)
    let terms = registries.salesTerms
    #expect(outcomes.compactMap(\.reject).isEmpty)
    #expect(rows.count == 16)
    #expect(rows.reduce(0) { $0 + $1.units } == 142)
    #expect(rows.filter { terms[Int($0.terms)].isPriceNegative }.map(\.units) == [0])
    #expect(try realReport("hc5duke_parseitc/demo1.txt").sales().allSatisfy { $0.ignored != nil })
  }
}
