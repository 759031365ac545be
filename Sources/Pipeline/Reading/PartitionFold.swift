import AppStoreReports
import Metrics
import Scanning
import SubscriptionModel

/// Gives the partitions of all threads' charges away, each as a whole.
final class PartitionBins: Sendable {
  /// Whether partitions can be taken again; otherwise the room of each is free when it has been folded.
  private let keeps: Bool
  private let bins: Locked<[[ChargeStore.Partition]]>

  init(_ stores: consuming [ChargeStore], keeps: Bool) {
    self.keeps = keeps
    var bins = [[ChargeStore.Partition]](repeating: [], count: ChargeStore.partitionCount)
    for store in stores {
      for (index, partition) in store.partitions.enumerated() { bins[index].append(partition) }
    }
    self.bins = Locked(bins)
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
  /// What a thread has folded.
  struct Result: Sendable {
    var tally: Tally
    /// The chains, if prices need them.
    var chains: [PricedChains] = []
    /// How many subscribers there are.
    var subscriberCount = 0
  }

  private var builder: ChainBuilder
  private var fold: ChainFold
  private var sort = SubscriberSort()
  private var chains: [PricedChains] = []
  private var subscriberCount = 0
  private let terms: [ChargeTerms]
  private let completeness: Completeness
  private let keepsChains: Bool
  /// Charges of chains that are kept together: as many as fit in the room of a chunk of records, which is
  /// free by then.
  private static let keptLength = 400

  init(
    terms: [ChargeTerms], _ completeness: Completeness, _ tally: Tally, keepsChains: Bool,
    keepsTally: Bool
  ) {
    builder = ChainBuilder(
      terms: terms, asOf: completeness.asOf, firstFileDay: completeness.firstDay)
    fold = ChainFold(
      terms: terms, completeness: completeness, tally: tally, keepsLater: keepsTally)
    self.terms = terms
    self.completeness = completeness
    self.keepsChains = keepsChains
  }

  mutating func add(_ parts: [ChargeStore.Partition], isUsable: [Bool]) {
    sort.load(parts.flatMap(\.chunks), isUsable: isUsable)
    while true {
      let records = sort.nextSubscriber()
      if records.isEmpty { return }
      builder.build(records)
      fold.add(builder)
      if keepsChains { keepChains() }
      subscriberCount += 1
    }
  }

  private mutating func keepChains() {
    if chains.last.map({ $0.count + builder.periods.count > Self.keptLength }) ?? true {
      chains.append(PricedChains(completeness, capacity: Self.keptLength))
    }
    chains[chains.count - 1].append(builder, terms)
  }

  consuming func result() -> Result {
    Result(tally: fold.tally, chains: chains, subscriberCount: subscriberCount)
  }

  /// Folds all partitions, on several threads.
  ///
  /// - Parameters:
  ///   - bins: The charges.
  ///   - isUsable: Which files count.
  ///   - context: The run.
  ///   - completeness: Which days of the data are there.
  ///   - jobs: How many threads.
  ///   - keepsChains: Whether prices need the chains.
  /// - Returns: What all threads have folded.
  static func result(
    _ bins: PartitionBins, isUsable: [Bool], _ context: ReadContext, _ completeness: Completeness,
    jobs: Int, keepsChains: Bool
  ) -> Result {
    let terms = context.registries.chargeTerms
    let empty = context.emptyTally(.subscribers)
    var parts = Workers.run(
      count: ChargeStore.partitionCount, jobs: jobs,
      makeState: {
        PartitionFold(
          terms: terms, completeness, empty, keepsChains: keepsChains,
          keepsTally: context.keepsTally)
      },
      work: { $0.add(bins.take($1), isUsable: isUsable) }, finish: { $0.result() })
    var whole = parts.popLast() ?? Result(tally: empty)
    for part in parts {
      whole.tally.merge(part.tally)
      whole.chains += part.chains
      whole.subscriberCount += part.subscriberCount
    }
    return whole
  }
}
