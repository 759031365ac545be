import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Tables of random commitments")
struct CommitmentReferenceTests {
  private static let views: [[Dimension]] = [
    [], [.plan], [.product], [.startMonth], [.country], [.offer, .plan],
  ]

  @Test(arguments: seeds(200))
  func `agree with the obvious version of section 10`(seed: UInt64) throws {
    try compare(seed: seed, .calendar)
  }

  @Test(arguments: seeds(40, from: 1_000))
  func `agree with it by fiscal months too`(seed: UInt64) throws {
    try compare(seed: seed, .fiscal)
  }

  @Test(arguments: seeds(60, from: 2_000))
  func `agree with it where prices say which charges are instalments`(seed: UInt64) throws {
    var maker = RandomCommitments(seed: seed, isInferred: true)
    var world = maker.world(subscribers: 8...20)
    let plans = world.terms.map(ReferencePlans(world).plan)
    #expect(world.plans(world.billingPlans()) == plans)
    world.set(plans)
    try expectAgreement(world, Self.views, missing: maker.missingDays(of: world))
  }

  @Test(arguments: seeds(60, from: 3_000))
  func `show no change of a price where none has changed`(seed: UInt64) {
    var maker = RandomCommitments(seed: seed, isStable: true)
    let world = maker.world(subscribers: 60...90)
    let changes = world.priceChanges().filter {
      [.increase, .decrease, .newCustomersOnly, .overlap, .currencyChange].contains($0.kind)
    }
    #expect(changes.isEmpty)
  }

  @Test
  func `meet everything that commitments counts`() throws {
    var sums: [String: Int] = [:]
    for seed in allSeeds(60) {
      var maker = RandomCommitments(seed: seed)
      let table = try maker.world(subscribers: 6...14).tables().table(.commitments, view: 0)
      for row in table.rows {
        for (column, cell) in zip(table.columns, row) {
          if case .count(let count) = cell { sums[column.name, default: 0] += count }
          if column.kind != .key, cell == .missing { sums["no \(column.name)", default: 0] += 1 }
        }
      }
    }
    let names = [
      "running", "suspended", "position_unknown", "due", "paid", "recovered", "defaulted",
      "pending", "terms_started", "terms_ended", "terms_renewed", "remaining",
      "no remaining_price",
    ]
    for name in names { #expect(sums[name, default: 0] >= 20, "\(name)") }
  }

  private func compare(seed: UInt64, _ monthSystem: MonthSystem) throws {
    var maker = RandomCommitments(seed: seed)
    var world = maker.world(subscribers: 6...14)
    world.monthSystem = monthSystem
    try expectAgreement(world, Self.views, missing: maker.missingDays(of: world))
  }
}
