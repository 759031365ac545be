import AppStoreReceipts

/// Lists the renewals in dumps of receipts, each once: `list-renewals FILE…`.
@main
struct ListRenewals {
  static func main() throws {
    var renewals: [String: Receipt.Transaction] = [:]
    for path in CommandLine.arguments.dropFirst() {
      for receipt in try ReceiptFile(path) where receipt.environment != .sandbox {
        for transaction in receipt.transactions where isRenewal(transaction) {
          renewals[transaction.id] = transaction
        }
      }
    }
    let inOrder = renewals.values.sorted { ($0.purchasedAt, $0.id) < ($1.purchasedAt, $1.id) }
    for renewal in inOrder {
      let price = renewal.priceMilliunits.map { "\(decimal($0)) \(renewal.currency)" }
      print("\(renewal.purchasedAt) \(renewal.product) \(price ?? "price not stated")")
    }
    print("\(inOrder.count) renewals")
  }

  /// Returns whether a transaction is later than the first purchase of its subscription.
  private static func isRenewal(_ transaction: Receipt.Transaction) -> Bool {
    guard let first = transaction.originallyPurchasedAt else { return false }
    return transaction.purchasedAt > first
  }

  /// Returns an amount in thousandths as a decimal: 9,990 is `9.990`.
  private static func decimal(_ milliunits: Int64) -> String {
    "\(milliunits / 1_000).\(String(1_000 + milliunits % 1_000).dropFirst())"
  }
}
