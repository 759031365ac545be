import AppStoreReports
package import Counting
import Storage
package import SubscriptionModel

/// Folds the chains of one subscriber after another on one thread.
package struct SubscriberFold: ~Copyable {
  /// The result of folding.
  package struct Result: Sendable {
    package var tally: Tally
    /// The chains, if prices need them.
    package var chains: [PricedChains] = []
    package var subscriberCount = 0

    package init(tally: Tally, chains: [PricedChains] = [], subscriberCount: Int = 0) {
      self.tally = tally
      self.chains = chains
      self.subscriberCount = subscriberCount
    }
  }

  private var builder: ChainBuilder
  private var fold: ChainFold
  private var chains: [PricedChains] = []
  private var subscriberCount = 0
  private let terms: [ChargeTerms]
  private let completeness: Completeness
  private let keepsChains: Bool
  /// The number of charges in one block of kept chains.
  ///
  /// A block fits in the memory of a chunk of charge records, which has been freed before.
  private static let keptLength = 400

  package init(
    _ terms: [ChargeTerms], _ completeness: Completeness, _ tally: Tally, keepsChains: Bool,
    lastDay: Day
  ) {
    builder = ChainBuilder(terms, completeness)
    fold = ChainFold(terms: terms, completeness: completeness, tally: tally, lastDay: lastDay)
    self.terms = terms
    self.completeness = completeness
    self.keepsChains = keepsChains
  }

  /// Adds all records of a subscriber, sorted by day and order.
  package mutating func add(_ records: ArraySlice<ChargeRecord>) {
    build(records)
    fold.add(builder)
  }

  /// Adds a changed subscriber's charges before tonight's rows to one fold and those after them to another.
  ///
  /// The second fold minus the first is the change of the tally.
  package static func add(
    _ old: ArraySlice<ChargeRecord>, to then: inout SubscriberFold,
    _ new: ArraySlice<ChargeRecord>, to now: inout SubscriberFold
  ) {
    if old.isEmpty { return now.add(new) }
    if new.isEmpty { return then.add(old) }
    then.build(old)
    now.build(new)
    ChainFold.add(then.builder, to: &then.fold, now.builder, to: &now.fold)
  }

  private mutating func build(_ records: ArraySlice<ChargeRecord>) {
    builder.build(records)
    if keepsChains { keepChains() }
    subscriberCount += 1
  }

  private mutating func keepChains() {
    if chains.last.map({ $0.count + builder.periods.count > Self.keptLength }) ?? true {
      chains.append(PricedChains(completeness, capacity: Self.keptLength))
    }
    chains[chains.count - 1].append(builder, terms)
  }

  package consuming func result() -> Result {
    Result(tally: fold.tally, chains: chains, subscriberCount: subscriberCount)
  }
}

extension SubscriberFold.Result {
  /// Merges the results of several threads.
  package init(merging parts: [SubscriberFold.Result], _ empty: Tally) {
    var parts = parts
    self = parts.popLast() ?? SubscriberFold.Result(tally: empty)
    for part in parts {
      tally.merge(part.tally)
      chains += part.chains
      subscriberCount += part.subscriberCount
    }
  }
}

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

  /// Folds all partitions of the usable files, on several threads; `keepsChains` if prices need the chains.
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
