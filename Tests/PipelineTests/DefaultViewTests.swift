import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Default views")
struct DefaultViewTests {
  @Test(arguments: [[Dimension.startMonth, .duration], [.startMonth, .product]])
  func `of retention alone have the bytes of the same view of every table`(
    view: [Dimension]
  ) throws {
    let sandbox = try SimulatedReports(
      seed: 91, subscribers: 150, to: "2026-05-31", kinds: Set(WorldOptions.ReportKind.allCases)
    ).sandbox()
    let name = "retention-by-" + view.map(\.rawValue).joined(separator: "-") + ".csv"
    let alone = try RunOutcome(sandbox, views: [[]]) { $0.retentionViews = [view] }
    let whole = try RunOutcome(sandbox, views: [[], view])
    #expect(alone.text(name) == whole.text(name))
    #expect(alone.text(name).split(separator: "\n").count > 10)
    let others = alone.files.keys.filter { $0.contains("-by-start_month-") }
    #expect(others == [name])
    #expect(alone.checks.hold && whole.checks.hold)
  }

  @Test
  func `have app where the data have several, and not where a filter leaves one`() throws {
    let sandbox = try ReportSandbox()
    let second = ["App Name": "Kids", "App Apple ID": "1450000102", "Subscription Name": "Kids"]
    let report = ReportText.subscriber.with(
      [:],
      second.merging(
        ["Subscription Apple ID": "1460000009", "Subscriber ID": "700000000000000002"]
      ) { $1 })
    try sandbox.write("Subscriber_80012345_20260105_V1_3.txt", report.bytes)
    let views: [[Dimension]] = [[], [.product], [.country], [.app]]
    let name = "proceeds-by-app.csv"
    for (apps, isThere) in [([], true), (["1450000102"], false), (["Kids"], false)] {
      let outcome = try RunOutcome(sandbox, views: views) { plan in
        plan.omitsViewOfOneApp = true
        plan.filters.apps = apps
      }
      #expect((outcome.files[name] != nil) == isThere, "\(apps)")
      #expect(outcome.files["proceeds-by-product.csv"] != nil)
    }
    let asked = try RunOutcome(sandbox, views: views) { $0.filters.apps = ["Kids"] }
    #expect(asked.files[name] != nil)
    let found = try RunOutcome(sandbox, views: views).text(name)
    #expect(found.contains("subscribers,2026-01,Kids,USD,1,"))
    #expect(found.contains("subscribers,2026-01,Larkspur,USD,1,"))
  }
}
