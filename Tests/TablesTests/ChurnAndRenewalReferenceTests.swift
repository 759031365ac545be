import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Tables of random subscribers")
struct ChurnAndRenewalReferenceTests {
  @Test(arguments: seeds(200))
  func `agree with the obvious version`(seed: UInt64) throws { try compare(seed: seed, .calendar) }

  @Test(arguments: seeds(60, from: 200))
  func `agree with it by fiscal months too`(seed: UInt64) throws {
    try compare(seed: seed, .fiscal)
  }

  private func compare(seed: UInt64, _ monthSystem: MonthSystem) throws {
    var maker = RandomWorld(seed: seed)
    var world = maker.world(subscribers: 8...20)
    world.monthSystem = monthSystem
    try expectAgreement(world, comparedViews, missing: maker.missingDays(of: world))
  }
}

/// Expects that all tables of a world agree with their obvious version, by each of the views.
func expectAgreement(_ world: WorldBuilder, _ views: [[Dimension]], missing: Set<Day>) throws {
  let histories = world.subscribers.indices.map { world.reference($0) }
  let tables = world.tables(views, missing: missing)
  for (view, dimensions) in views.enumerated() {
    let reference = ReferenceMetrics(
      world, histories, missingDays: missing, dimensions: dimensions)
    for kind in TableKind.allCases where kind != .definitions || dimensions.isEmpty {
      let found = try tables.table(kind, view: view).rowsWithoutIDs
      let expected = reference.rows(of: kind)
      #expect(Differences(found, expected) == nil, "\(kind) by \(dimensions)")
    }
  }
}
