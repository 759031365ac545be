import Metrics
import SubscriptionModel
import Synchronization

/// Gives each partition of all threads' charges away once.
final class PartitionBins: Sendable {
  private let bins: Mutex<[[ChargeStore.Partition]]>

  init(_ stores: consuming [ChargeStore]) {
    var bins = [[ChargeStore.Partition]](repeating: [], count: ChargeStore.partitionCount)
    for store in stores {
      for (index, partition) in store.partitions.enumerated() { bins[index].append(partition) }
    }
    self.bins = Mutex(bins)
  }

  /// Returns the parts of a partition and forgets them.
  func take(_ index: Int) -> [ChargeStore.Partition] {
    bins.withLock { bins in
      defer { bins[index] = [] }
      return bins[index]
    }
  }
}

/// Sorts partitions in place and folds the chains of their subscribers, on one thread.
struct PartitionFold {
  var builder: ChainBuilder
  var fold: ChainFold

  mutating func add(_ parts: consuming [ChargeStore.Partition], isUsable: [Bool]) {
    var records: [ChargeRecord] = []
    records.reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for index in parts.indices { parts[index].move(to: &records) }
    if isUsable.contains(false) { records.removeAll { !isUsable[Int($0.order >> 32)] } }
    records.sort(by: Self.precedes)
    var first = 0
    while first < records.count {
      var end = first + 1
      while end < records.count, records[end].subscriber == records[first].subscriber { end += 1 }
      builder.build(records[first..<end])
      fold.add(builder)
      first = end
    }
  }

  /// The order in which ``ChainBuilder`` wants records: subscriber, group, day, place in the run.
  private static func precedes(_ left: ChargeRecord, _ right: ChargeRecord) -> Bool {
    if left.subscriber != right.subscriber { return left.subscriber < right.subscriber }
    if left.group != right.group { return left.group < right.group }
    if left.day != right.day { return left.day < right.day }
    return left.order < right.order
  }
}
