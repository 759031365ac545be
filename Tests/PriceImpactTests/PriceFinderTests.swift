import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Testing

extension PriceChange {
  /// The change as a line, without the note, which is for people.
  fileprivate var line: String {
    let prices = "\(oldPrice.map(String.init) ?? "-") \(newPrice.map(String.init) ?? "-")"
    return
      "\(key) \(date) \(prices) \(kind) \(origin) \(newCharges) \(continuingCharges) \(effectiveExisting.map(\.description) ?? "-")"
  }
}

@Suite("Finding changes of prices")
struct PriceFinderTests {
  @Test(arguments: seeds(200))
  func `agrees with the obvious version`(seed: UInt64) {
    var maker = RandomPrices(seed: seed)
    let world = maker.world()
    let expected = ReferencePrices(world).changes()
    #expect(world.priceChanges().map(\.line).sorted() == expected.map(\.line).sorted())
  }

  @Test(arguments: seeds(100, from: 500))
  func `agrees with it where some pay less because of another subscription`(seed: UInt64) {
    var maker = RandomPrices(seed: seed, contingentShare: Int(seed % 4) + 2)
    let world = maker.world()
    let expected = ReferencePrices(world).changes()
    #expect(world.priceChanges().map(\.line).sorted() == expected.map(\.line).sorted())
  }

  @Test(arguments: seeds(200, from: 3_000))
  func `agrees with it where some pay in instalments`(seed: UInt64) {
    var maker = RandomCommitments(seed: seed)
    let world = maker.world(subscribers: 60...90)
    let expected = ReferencePrices(world).changes()
    #expect(world.priceChanges().map(\.line).sorted() == expected.map(\.line).sorted())
  }

  @Test
  func `meets every class in the random worlds`() {
    let kinds = (0..<200 as Range<UInt64>).flatMap { seed -> [PriceChange.Kind] in
      var maker = RandomPrices(seed: seed)
      return maker.world().priceChanges().map(\.kind)
    }
    let ofPlans = (3_000..<3_030 as Range<UInt64>).flatMap { seed -> [PriceChange.Kind] in
      var maker = RandomCommitments(seed: seed)
      return maker.world(subscribers: 60...90).priceChanges().map(\.kind)
    }
    for kind in PriceChange.Kind.allCases {
      #expect((kinds + ofPlans).count { $0 == kind } >= 5, "\(kind)")
    }
  }

  @Test(arguments: seeds(60))
  func `gives the same for any parts in any order`(seed: UInt64) {
    var maker = RandomPrices(seed: seed)
    var random = SeededGenerator(seed: seed ^ 0x5EED)
    let world = maker.world()
    var parts = [[Int]](repeating: [], count: Int.random(in: 2...6, using: &random))
    for subscriber in world.subscribers.indices.shuffled(using: &random) {
      parts[Int.random(in: parts.indices, using: &random)].append(subscriber)
    }
    var tallies = parts.map { world.prices(of: $0) }
    while tallies.count > 1 {
      let right = tallies.removeLast()
      tallies[Int.random(in: tallies.indices, using: &random)].merge(right)
    }
    let merged = tallies[0].changes(firstDay: world.firstFileDay, asOf: world.asOf)
    #expect(merged.map(\.line).sorted() == world.priceChanges().map(\.line).sorted())
  }
}
