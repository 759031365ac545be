import Storage
package import SubscriptionModel
import Synchronization

/// The store to which all threads add the contents of dumps, in parts by customer.
///
/// All captures of a customer are in one part, so that they are compacted whichever thread read them.
package final class SharedReceiptStore: Sendable {
  private final class Part: Sendable {
    let store: Locked<ReceiptStore>
    init(feeds: [UInt64]) { store = Locked(ReceiptStore(feeds: feeds)) }
  }

  private static let partCount = 64
  private let parts: [Part]
  private let feeds: [UInt64]
  /// The number of threads that began to read.
  private let threads: Atomic<UInt32>
  private let responsesPerThread: UInt32

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - jobs: The number of threads.
  ///   - feeds: The feed of each file of the run, as in `Snapshots`; empty if it is not known.
  init(jobs: Int, feeds: [UInt64] = []) {
    self.feeds = feeds
    parts = (0..<Self.partCount).map { _ in Part(feeds: feeds) }
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
        store = ReceiptStore(feeds: feeds)
        return taken
      }
    }
  }
}
