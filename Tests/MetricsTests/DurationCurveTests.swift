import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Retention by duration")
struct DurationCurveTests {
  @Test(arguments: seeds(40))
  func `added up from start months is that of the view by duration`(seed: UInt64) throws {
    var random = RandomWorld(seed: seed)
    let world = random.world(subscribers: 20...60)
    let all = Array(world.subscribers.indices)
    let finer: [[Dimension]] = [[], [.startMonth, .duration]]
    let coarse: [[Dimension]] = [[], [.duration]]
    let added = world.tables(world.tally(of: all, finer), finer).retentionByDuration()
    let maker = world.tables(world.tally(of: all, coarse), coarse)
    let expected = try maker.table(.retention, view: 1)
    #expect(added == expected)
    #expect(maker.retentionByDuration() == nil)
  }

}

@Suite("Tables of one app")
struct AppTableTests {
  @Test
  func `leave out the column of the app`() {
    let table = ReportTable(
      name: "churn", dimensions: ["app"],
      columns: [.init("month", .key), .init("app", .key), .init("churned", .count)],
      rows: [
        [.text("2026-01"), .text("A"), .count(1)], [.text("2026-01"), .text("B"), .count(2)],
      ])
    let own = table.ofApp("B")
    #expect(own?.dimensions == [] && own?.columns.map(\.name) == ["month", "churned"])
    #expect(own?.rows == [[.text("2026-01"), .count(2)]])
    #expect(own?.ofApp("B") == nil)
  }
}
