import Counting
import Pipeline
import SubscriptionModel
import Threads

/// Folds the kept charges of both sides on one thread, partition by partition, and pairs what each subscription adds.
///
/// A subscriber is in the same partition on both sides, so memory holds the contributions of one partition. Ids that
/// are no numbers have other keys in each run; their subscriptions are paired at the end.
struct DifferenceFold: ~Copyable {
  /// What one subscription adds on both sides, each with the place of its column.
  struct Found: Sendable {
    var after: [(column: Int, contribution: Contribution)] = []
    var before: [(column: Int, contribution: Contribution)] = []
  }

  private let (after, before): (FoldedSide, FoldedSide)
  private let columns: [Set<Counted>]
  private let subscribersAfter: ExplainedSubscribers
  private let subscribersBefore: ExplainedSubscribers
  private var lists: [DifferenceList]
  /// Those of the current partition.
  private var found: [SubscriptionKey: Found] = [:]
  private var foundOfTexts: [SubscriptionKey: Found] = [:]

  private init(
    _ after: FoldedSide, _ before: FoldedSide, _ columns: [Set<Counted>], _ empty: [DifferenceList]
  ) {
    (self.after, self.before) = (after, before)
    self.columns = columns
    let counted = columns.reduce(into: Set<Counted>()) { $0.formUnion($1) }
    subscribersAfter = ExplainedSubscribers(after.row, counted, after.charges)
    subscribersBefore = ExplainedSubscribers(before.row, counted, before.charges)
    lists = empty
  }

  /// Returns the differences of cells.
  ///
  /// - Parameters:
  ///   - after: The later side.
  ///   - before: The other side.
  ///   - columns: What each of the columns counts.
  ///   - empty: An empty list for each column.
  ///   - jobs: The number of threads.
  /// - Returns: A list for each column.
  static func lists(
    _ after: FoldedSide, _ before: FoldedSide, _ columns: [Set<Counted>],
    _ empty: [DifferenceList], jobs: Int
  ) -> [DifferenceList] {
    let parts = Workers.run(
      count: ChargeStore.partitionCount, jobs: jobs,
      makeState: { DifferenceFold(after, before, columns, empty) },
      work: { $0.add(partition: $1) }, finish: { $0.result() })
    var merged = empty
    var ofTexts: [SubscriptionKey: Found] = [:]
    for part in parts {
      for (place, list) in part.lists.enumerated() { merged[place].merge(list) }
      ofTexts.merge(part.ofTexts) {
        Found(after: $0.after + $1.after, before: $0.before + $1.before)
      }
    }
    for own in ofTexts.values { Self.add(own, to: &merged, after, before) }
    return merged
  }

  private consuming func result() -> (lists: [DifferenceList], ofTexts: [SubscriptionKey: Found]) {
    (lists, foundOfTexts)
  }

  private mutating func add(partition: Int) {
    found.removeAll(keepingCapacity: true)
    for (subscribers, side, path) in [
      (subscribersAfter, after, \Found.after), (subscribersBefore, before, \Found.before),
    ] {
      subscribers.load(part: partition)
      while subscribers.next() {
        for one in subscribers.found {
          add(subscribers.contribution(one, leftOutBy: nil), side, path)
        }
      }
    }
    for own in found.values { Self.add(own, to: &lists, after, before) }
  }

  private mutating func add(
    _ contribution: Contribution, _ side: FoldedSide,
    _ path: WritableKeyPath<Found, [(column: Int, contribution: Contribution)]>
  ) {
    let key = side.subscription(of: contribution)
    for (place, counted) in columns.enumerated() where counted.contains(contribution.counted) {
      if key.isOfText {
        foundOfTexts[key, default: Found()][keyPath: path].append((place, contribution))
      } else {
        found[key, default: Found()][keyPath: path].append((place, contribution))
      }
    }
  }

  private static func add(
    _ found: Found, to lists: inout [DifferenceList], _ after: FoldedSide, _ before: FoldedSide
  ) {
    for place in lists.indices {
      let own = found.after.filter { $0.column == place }.map(\.contribution)
      let other = found.before.filter { $0.column == place }.map(\.contribution)
      if own.isEmpty, other.isEmpty { continue }
      lists[place].add(own, other, (after.places, before.places))
    }
  }
}
