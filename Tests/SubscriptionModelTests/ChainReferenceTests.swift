import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Chains of random subscribers")
struct ChainReferenceTests {
  @Test(arguments: seeds(300))
  func `agree with the obvious version`(seed: UInt64) {
    var maker = RandomWorld(seed: seed)
    expectAgreement(maker.world(subscribers: 10...20))
  }

  @Test(arguments: seeds(300))
  func `agree with it where some pay in instalments`(seed: UInt64) {
    var maker = RandomCommitments(seed: seed)
    expectAgreement(maker.world(subscribers: 6...14))
  }

  private func expectAgreement(_ world: WorldBuilder) {
    for subscriber in world.subscribers.indices {
      let found = world.history(subscriber)
      let expected = world.reference(subscriber)
      #expect(Array(found.chains) == expected.chains)
      #expect(found.periods.map { ReferencePeriod($0) } == expected.periods)
      #expect(found.refunds.map { ReferenceRefund($0) } == expected.refunds)
    }
  }

  @Test
  func `meet every ending, fate, start and kind of refund within 300 seeds`() {
    var seen: Set<String> = []
    for seed in allSeeds(300) {
      var maker = RandomWorld(seed: seed)
      let world = maker.world(subscribers: 10...10)
      for subscriber in world.subscribers.indices {
        let history = world.reference(subscriber)
        for chain in history.chains { seen.insert("\(chain.start)") }
        for period in history.periods { seen.insert("\(period.ending) \(period.fate)") }
        for refund in history.refunds {
          seen.insert("full \(refund.isFull) found \(refund.period != nil)")
        }
      }
    }
    let cuts = ["changedProduct", "oldBillingDay", "boughtAgainSameDay"].map { "\($0) continued" }
    let ends = ["continued", "recovered", "reactivated", "openFinal", "openProvisional", "running"]
    let refunded = ["continued", "recovered", "reactivated", "openFinal"]
    let refunds = ["full true", "full false"].flatMap { ["\($0) found true", "\($0) found false"] }
    let expected =
      cuts + ends.map { "fullEnd \($0)" } + refunded.map { "refunded \($0)" } + refunds
      + ["known", "before", "idReset", "transferred running"]
    #expect(seen == Set(expected))
  }

  @Test(arguments: seeds(5))
  func `are the same beside terms of very many durations`(seed: UInt64) throws {
    var maker = RandomWorld(seed: seed)
    let world = maker.world(subscribers: 5...5)
    let some = try #require(world.terms.first)
    let others = (1...3000 as ClosedRange<Int16>).map { days in
      var terms = some
      terms.standardTerm = Term(days: days)
      return terms
    }
    var builder = ChainBuilder(
      terms: world.terms + others, asOf: world.asOf, firstFileDay: world.firstFileDay,
      transfers: world.transfers)
    for subscriber in world.subscribers.indices {
      let records = world.subscribers[subscriber].sorted {
        ($0.day, $0.order) < ($1.day, $1.order)
      }
      builder.build(records[...])
      #expect(Array(builder.periods) == Array(world.history(subscriber).periods))
    }
  }

  @Test(arguments: seeds(50))
  func `do not depend on what the builder built before`(seed: UInt64) {
    var maker = RandomWorld(seed: seed)
    let world = maker.world(subscribers: 5...5)
    var builder = ChainBuilder(
      terms: world.terms, asOf: world.asOf, firstFileDay: world.firstFileDay,
      transfers: world.transfers)
    for subscriber in world.subscribers.indices {
      let records = world.subscribers[subscriber].sorted {
        ($0.day, $0.order) < ($1.day, $1.order)
      }
      builder.build(records[...])
      let alone = world.history(subscriber)
      #expect(Array(builder.chains) == Array(alone.chains))
      #expect(Array(builder.periods) == Array(alone.periods))
      #expect(builder.refunds == alone.refunds)
    }
  }
}
