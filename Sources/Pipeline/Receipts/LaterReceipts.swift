import Receipts
import SubscriptionModel

/// The responses after as-of, which are ignored: their number and the ids of their subscriptions.
struct LaterReceipts: Sendable {
  private(set) var responses = 0
  private(set) var originalIDs: Set<ReceiptID> = []

  /// Adds a response of a row.
  mutating func add(_ row: borrowing ReceiptRow, response: UInt32) {
    responses += 1
    for copy in row.transactions where copy.response == response && copy.originalID.isUsable {
      originalIDs.insert(copy.originalID)
    }
  }

  mutating func merge(_ other: LaterReceipts) {
    responses += other.responses
    originalIDs.formUnion(other.originalIDs)
  }
}
