import Scanning
package import SubscriptionModel
import Synchronization

/// Where all threads put what dumps hold: in parts by customer, so that the captures of one customer are
/// compacted wherever they were read.
package final class SharedReceiptStore: Sendable {
  private final class Part: Sendable {
    let store = Locked(ReceiptStore())
  }

  private static let partCount = 64
  private let parts = (0..<partCount).map { _ in Part() }
  private let threads: Atomic<UInt32>
  private let responsesPerThread: UInt32

  init(jobs: Int) {
    threads = Atomic(0)
    responsesPerThread = UInt32.max / UInt32(jobs + 1)
  }

  /// Returns the first response number of a thread that begins to read.
  func firstResponseOfNextThread() -> UInt32 {
    threads.add(1, ordering: .relaxed).oldValue * responsesPerThread
  }

  /// Keeps all that one response holds.
  package func add(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    let part = ReceiptStore.shard(of: transactions, renewals, count: Self.partCount)
    parts[part].store.withLock { $0.add(transactions, renewals) }
  }

  /// Hands the parts over and forgets them.
  func take() -> [ReceiptStore] {
    parts.map { part in
      part.store.withLock { store in
        let taken = store
        store = ReceiptStore()
        return taken
      }
    }
  }
}
