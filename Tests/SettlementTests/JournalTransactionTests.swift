import Settlement
import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Journal entries of a bridge")
struct JournalTransactionTests {
  /// What an entry's postings add up to, by currency; a payment counts as what it costs.
  static func sums(_ transaction: JournalTransaction) -> [Symbol: Int128] {
    transaction.postings.reduce(into: [:]) { sums, posting in
      let sign: Int128 = posting.milliunits < 0 ? -1 : 1
      let (amount, currency) =
        posting.cost.map { (sign * $0.milliunits, $0.currency) }
        ?? (posting.milliunits, posting.currency)
      sums[currency, default: 0] += amount
    }
  }

  @Test(arguments: seeds(50))
  func `add up to 0, whatever the bridge does not know`(seed: UInt64) {
    var random = RandomFinance(seed: seed)
    var world = random.make()
    for period in Set(world.records.statements.map(\.period)).sorted() {
      world.pay(.made(&world, period, owed: 12_345))
    }
    for bridge in world.reconciliation.bridges {
      for transaction in bridge.transactions(JournalAccounts(), currency: "USD") {
        #expect(Self.sums(transaction).values.allSatisfy { $0 == 0 }, "\(transaction.title)")
        #expect(transaction.postings.count > 1, "\(transaction.title)")
      }
    }
  }

  @Test
  func `have the amounts of the bridge's lines`() throws {
    let world = BridgeFormTests.agreeing()
    let bridge = try BridgeLineTests.bridge(world)
    let accounts = JournalAccounts([.payment: "assets:checking"])
    let entries = bridge.transactions(accounts, currency: "USD")
    let titles = ["settlement", "owed", "payment"].map { "Apple FY2026-P03 US USD \($0)" }
    #expect(entries.map(\.title) == titles)
    #expect(entries.map(\.day.description) == ["2025-12-27", "2025-12-27", "2026-01-29"])
    let postings = entries.flatMap(\.postings)
    #expect(
      postings.map(\.account) == [
        "income:apple:sales", "assets:apple:settled", "assets:apple:settled", "assets:apple:owed",
        "assets:checking", "assets:apple:owed",
      ])
    #expect(postings.map(\.milliunits) == [-34_950, 34_950, -34_950, 34_950, 31_636, -34_950])
    #expect(postings.last?.cost?.milliunits == 31_636)
  }

  @Test
  func `post what is not known to the unexplained account`() throws {
    var world = FinanceWorldBuilder()
    world.add(
      .single, BridgeLineTests.period, [world.row(FinanceWorldBuilder.Item(), units: 2)])
    let bridge = try BridgeLineTests.bridge(world)
    let entry = try #require(bridge.transactions(JournalAccounts(), currency: "USD").first)
    #expect(entry.postings.map(\.step) == ["30", "not known"])
    #expect(entry.postings.map(\.milliunits) == [13_980, -13_980])
  }
}
