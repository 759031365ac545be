import Receipts
import Scanning
import SubscriptionModel

/// The rows of a dump: its responses with their transactions, and the rows that are not used.
struct ReceiptContents: Sendable {
  /// A response, and the place of its transactions in ``transactions``.
  struct Entry: Sendable {
    let response: ReceiptResponse
    let transactions: Range<Int>
  }

  private(set) var entries: [Entry] = []
  private(set) var transactions: [TransactionCopy] = []
  private(set) var rejects: [ReceiptFile.Reject] = []
  private(set) var ignored: [String: Int] = [:]
  private(set) var unusableCount = 0

  /// Adds a row.
  ///
  /// - Parameter row: The next row of the file; the first response of the file has the number 0.
  mutating func add(_ row: borrowing ReceiptRow) {
    switch row.outcome {
    case .rejected(let reject): rejects.append(ReceiptFile.Reject(reject))
    case .ignored(let reason): ignored[reason.rawValue, default: 0] += 1
    case .used: use(row)
    }
  }

  private mutating func use(_ row: borrowing ReceiptRow) {
    unusableCount += row.unusableCount
    let copies = Dictionary(grouping: row.transactions, by: \.response)
    for response in row.responses {
      let start = transactions.count
      for copy in copies[UInt32(entries.count)] ?? [] { add(copy) }
      entries.append(Entry(response: response, transactions: start..<transactions.count))
    }
  }

  /// Adds a transaction; a refund that is a row of its own revokes the purchase before it.
  private mutating func add(_ copy: TransactionCopy) {
    guard copy.flags.contains(.refundOnly) else { return transactions.append(copy) }
    let purchase = transactions.lastIndex { $0.transactionID == copy.transactionID }
    guard let purchase else { return unusableCount += 1 }
    transactions[purchase].cancellation = copy.cancellation
  }
}
