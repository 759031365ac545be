package import SubscriptionModel
import Synchronization
import Threads

/// The store to which all threads add the contents of dumps, in parts by customer.
///
/// All captures of a customer are in one part, so that they are compacted whichever thread read them.
package final class SharedReceiptStore: Sendable {
  private final class Part: Sendable {
    let store = Locked(ReceiptStore())
  }

  private static let partCount = 64
  private let parts = (0..<partCount).map { _ in Part() }
  /// The number of threads that began to read.
  private let threads: Atomic<UInt32>
  private let responsesPerThread: UInt32

  init(jobs: Int) {
    threads = Atomic(0)
    responsesPerThread = UInt32.max / UInt32(jobs + 1)
  }

  /// Returns the first response number for a thread that starts to read; no other thread reaches its numbers.
  func firstResponseOfNextThread() -> UInt32 {
    threads.add(1, ordering: .relaxed).oldValue * responsesPerThread
  }

  /// Adds the contents of one response.
  package func add(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    let part = ReceiptStore.shard(of: transactions, renewals, count: Self.partCount)
    parts[part].store.withLock { $0.add(transactions, renewals) }
  }

  /// Returns the parts and empties the store.
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
