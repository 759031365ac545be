import Metrics
import SubscriptionModel
import Synchronization

/// Gives the partitions of all threads' charges away, each as a whole.
final class PartitionBins: Sendable {
  /// Whether partitions can be taken again; otherwise the room of each is free when it has been folded.
  private let keeps: Bool
  private let bins: Mutex<[[ChargeStore.Partition]]>

  init(_ stores: consuming [ChargeStore], keeps: Bool) {
    self.keeps = keeps
    var bins = [[ChargeStore.Partition]](repeating: [], count: ChargeStore.partitionCount)
    for store in stores {
      for (index, partition) in store.partitions.enumerated() { bins[index].append(partition) }
    }
    self.bins = Mutex(bins)
  }

  /// Returns the parts of a partition, and forgets them unless they are kept.
  func take(_ index: Int) -> [ChargeStore.Partition] {
    bins.withLock { bins in
      defer { if !keeps { bins[index] = [] } }
      return bins[index]
    }
  }
}

/// Folds the chains of a partition's subscribers, on one thread.
struct PartitionFold: ~Copyable {
  var builder: ChainBuilder
  var fold: ChainFold
  private var sort = SubscriberSort()

  init(builder: consuming ChainBuilder, fold: ChainFold) {
    self.builder = builder
    self.fold = fold
  }

  mutating func add(_ parts: [ChargeStore.Partition], isUsable: [Bool]) {
    sort.load(parts.flatMap(\.chunks), isUsable: isUsable)
    while true {
      let records = sort.nextSubscriber()
      if records.isEmpty { return }
      builder.build(records)
      fold.add(builder)
    }
  }
}
