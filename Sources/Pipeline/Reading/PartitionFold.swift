import AppStoreReports
package import Counting
import Storage
package import SubscriptionModel

/// Hands out partitions, each with the charges of all threads.
package final class PartitionBins: Sendable {
  /// Whether a partition can be taken several times; otherwise its memory is freed after folding.
  private let keeps: Bool
  private let bins: Locked<[[ChargeStore.Partition]]>

  package init(_ stores: consuming [ChargeStore], keeps: Bool) {
    self.keeps = keeps
    var bins = [[ChargeStore.Partition]](repeating: [], count: ChargeStore.partitionCount)
    for store in stores {
      for (index, partition) in store.partitions.enumerated() { bins[index].append(partition) }
    }
    self.bins = Locked(bins)
  }

  /// Returns the parts of a partition and keeps them.
  package func parts(of index: Int) -> [ChargeStore.Partition] { bins.withLock { $0[index] } }

  /// Returns the parts of a partition, and drops them unless partitions are kept.
  package func take(_ index: Int) -> [ChargeStore.Partition] {
    bins.withLock { bins in
      defer { if !keeps { bins[index] = [] } }
      return bins[index]
    }
  }
}

/// Folds the subscribers' chains of partitions on one thread.
package struct PartitionFold: ~Copyable {
  private var fold: SubscriberFold
  private var sort = SubscriberSort()

  private mutating func add(_ parts: [ChargeStore.Partition], isUsable: [Bool]) {
    sort.load(parts.flatMap(\.chunks), isUsable: isUsable)
    while let records = sort.nextSubscriber() { fold.add(records) }
  }

  /// Folds all partitions, on several threads.
  ///
  /// - Parameters:
  ///   - bins: The charges.
  ///   - isUsable: Whether each file counts.
  ///   - context: The run.
  ///   - completeness: The days on which data are present.
  ///   - terms: The terms of charges, with their billing plans.
  ///   - keepsChains: Whether prices need the chains.
  /// - Returns: The merged results of all threads.
  package static func result(
    _ bins: PartitionBins, isUsable: [Bool], _ context: ReadContext, _ completeness: Completeness,
    _ terms: [ChargeTerms], keepsChains: Bool
  ) -> SubscriberFold.Result {
    let empty = context.emptyTally(terms)
    let parts = Workers.run(
      count: ChargeStore.partitionCount, jobs: context.plan.jobs,
      makeState: {
        PartitionFold(
          fold: SubscriberFold(
            terms, completeness, empty, keepsChains: keepsChains,
            lastDay: context.lastDay(completeness)))
      },
      work: { $0.add(bins.take($1), isUsable: isUsable) }, finish: { $0.fold.result() })
    return SubscriberFold.Result(merging: parts, empty)
  }
}
