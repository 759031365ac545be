import Receipts
import Scanning
import SubscriptionModel
import Testing

/// A real file with one customer, and what was counted in it independently: the seconds that its
/// subscriptions cover, its charges, and its active periods without and with a tolerance of 60 seconds.
private typealias Expected = (
  name: String, coveredSeconds: Int, charges: Int, periodsWithoutTolerance: Int, periods: Int
)

private let files: [Expected] = [
  ("verify_ios7/revenuecat_verifyReceiptSample1.json", 5_880, 9, 5, 3),
  ("verify_ios7/mbaasy_unified.json", 47_160, 30, 5, 5),
  ("verify_ios7/voltrue2_nested_latest_receipt_info_sandbox.json", 1_800, 6, 3, 1),
  // Its last transaction names another group, and so begins a chain where the first one ends: counted
  // without groups there is one period less.
  ("notifications_v1/monza_renewal_with_unified_receipt.json", 6_600, 22, 9, 8),
  // Four upgrades; with their periods left whole 33,000 seconds would be covered.
  ("notifications_v1/imdhemy_server-notification.json", 23_833, 54, 17, 11),
]

@Suite(
  "Real dumps", .enabled(if: receiptFixtures != nil, "the folder of real receipts is not there"))
struct RealCoverageTests {
  @Test
  func `cover the time that was counted independently`() throws {
    for file in files {
      for (tolerance, periods) in [(0, file.periodsWithoutTolerance), (60, file.periods)] {
        let dump = try Dump(path: try #require(receiptFixtures) + file.name)
        var store = ReceiptStore()
        for row in dump.rows { store.add(row.transactions, row.renewals) }
        let customers = ReceiptCustomers(
          [store],
          settings: ReceiptSettings(symbols: dump.symbols.texts, toleranceSeconds: tolerance))
        #expect(customers.count == 1, "\(file.name)")
        var history = ReceiptHistory(customers)
        history.build(0)
        let chains = history.chains
        let context = "\(file.name), \(tolerance) seconds"
        #expect(chains.map(\.coveredSeconds).reduce(0, +) == file.coveredSeconds, "\(context)")
        #expect(chains.map(\.activePeriodCount).reduce(0, +) == periods, "\(context)")
        #expect(chains.map(\.periods.count).reduce(0, +) == file.charges, "\(context)")
      }
    }
  }
}
