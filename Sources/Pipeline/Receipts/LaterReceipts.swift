import Receipts
import SubscriptionModel

/// The number of records ignored because they were made after as-of, and the ids of their subscriptions.
struct LaterReceipts: Sendable {
  private(set) var records = 0
  private(set) var originalIDs: Set<ReceiptID> = []

  /// Adds a response of a row.
  mutating func add(_ row: borrowing ReceiptRow, response: UInt32) {
    records += 1
    for copy in row.transactions where copy.response == response && copy.originalID.isUsable {
      originalIDs.insert(copy.originalID)
    }
  }

  mutating func merge(_ other: LaterReceipts) {
    records += other.records
    originalIDs.formUnion(other.originalIDs)
  }
}
