import SubreportTestSupport
import SubscriptionModel
import Testing

/// What a store keeps; that results do not depend on it is tested with the tables.
@Suite("Receipt store")
struct ReceiptStoreTests {
  static let purchases = (1...9).map { Bought("2024-0\($0)-01", "2024-0\($0)-28") }

  private func store(_ responses: [[Bought]]) -> ReceiptStore {
    var world = ReceiptWorld()
    for (index, bought) in responses.enumerated() {
      world.add(instant("2024-12-01") + index * 86_400, bought)
    }
    var store = ReceiptStore()
    for response in world.responses { store.add(response.copies, response.infos) }
    return store
  }

  @Test
  func `keeps one copy of what thirty captures repeat`() {
    let store = store(Array(repeating: Self.purchases, count: 30))
    #expect(store.transactionCount == 9)
    #expect(store.statements.newest == instant("2024-12-30"))
  }

  static let changes: [(@Sendable (inout Bought) -> Void, Int)] = [
    ({ $0.country = "US" }, 1), ({ $0.expires = nil }, 2), ({ $0.transaction = "other" }, 2),
    ({ $0.flags = .upgraded }, 1), ({ $0.origin = .inApp }, 2), ({ $0.group = "" }, 2),
    ({ $0.cancellation = $0.start }, 1), ({ $0.original = "0" }, 2),
  ]

  @Test(arguments: changes)
  func `keeps an earlier copy that states something a later one does not`(
    change: @Sendable (inout Bought) -> Void, count: Int
  ) {
    let bought = Self.purchases[0]
    #expect(store([[bought], [bought.with(change)]]).transactionCount == count)
  }

  @Test
  func `keeps copies without an original id, which nothing joins`() {
    let bought = Self.purchases[0].with { $0.original = "000" }
    #expect(store([[bought], [bought]]).transactionCount == 2)
  }

  @Test
  func `merges with another store and drops what both have`() {
    var first = store([Self.purchases])
    first.merge(store([[], Self.purchases]))
    #expect(first.transactionCount == 9)
  }

  @Test
  func `of many is the same for all captures of a customer`() {
    var world = ReceiptWorld()
    world.add("2024-12-01", Self.purchases)
    world.add("2024-12-02", Array(Self.purchases.reversed().dropLast(3)))
    let shards = world.responses.map { ReceiptStore.shard(of: $0.copies, $0.infos, count: 64) }
    #expect(shards[0] == shards[1] && (0..<64).contains(shards[0]))
  }
}
