import Counting
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Billing plans of random prices")
struct BillingPlanReferenceTests {
  @Test(arguments: seeds(200))
  func `agree with the obvious version`(seed: UInt64) {
    var maker = RandomPlans(seed: seed)
    var world = maker.world()
    let rules = maker.rules(&world)
    let reference = ReferencePlans(world, rules: rules)
    #expect(world.plans(world.billingPlans(rules)) == world.terms.map(reference.plan))
    #expect(
      world.billingPlans().soldInInstalments == ReferencePlans(world).soldInInstalments)
  }

  @Test
  func `are found, and missed, in many of the random worlds`() {
    var counts: [String: Int] = [:]
    for seed in allSeeds(100) {
      var maker = RandomPlans(seed: seed)
      let world = maker.world()
      let reference = ReferencePlans(world)
      let sold = reference.soldInInstalments
      counts[sold.isEmpty ? "none" : "sold", default: 0] += 1
      let dear = reference.instalmentPrices.filter { $0.milliunits >= 20_000 }
      if !dear.isEmpty { counts["dear", default: 0] += 1 }
      let plans = Set(world.terms.map(reference.plan))
      for plan in plans { counts[plan.name, default: 0] += 1 }
    }
    for name in ["none", "sold", "dear", "upfront", "commitment", "unknown"] {
      #expect(counts[name, default: 0] >= 10, "\(name)")
    }
  }

  @Test(arguments: seeds(40))
  func `are the same for any parts in any order`(seed: UInt64) {
    var maker = RandomPlans(seed: seed)
    let world = maker.world()
    var random = SeededGenerator(seed: seed)
    var parts = [[Int]](repeating: [], count: Int.random(in: 2...5, using: &random))
    for subscriber in world.subscribers.indices {
      parts[Int.random(in: parts.indices, using: &random)].append(subscriber)
    }
    var signs = InstalmentEvidence()
    for part in parts { signs.merge(world.instalmentSigns(of: part)) }
    let merged = BillingPlans(signs, asOf: world.asOf)
    #expect(world.plans(merged) == world.plans(world.billingPlans()))
  }
}
