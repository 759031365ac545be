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
