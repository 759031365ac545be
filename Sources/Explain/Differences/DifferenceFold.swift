import Counting
import Storage
import SubscriptionModel

/// Folds both sides on one thread, part by part, and pairs what each subscription adds.
///
/// A customer is in the same part on both sides, so memory holds the contributions of one part. Subscriptions that may
/// be in another part on the other side are paired at the end.
struct DifferenceFold<Side: ComparedSide> {
  typealias Found = Side.Source.Customers.Found

  /// What one subscription adds on both sides, each with the place of its column.
  private struct Pair: Sendable {
    var after: [(column: Int, contribution: Found)] = []
    var before: [(column: Int, contribution: Found)] = []
  }

  private let (after, before): (Side, Side)
  private let columns: [Set<Counted>]
  private let customersAfter: Side.Source.Customers
  private let customersBefore: Side.Source.Customers
  private var lists: [DifferencesOfCell<Found>]
  private var pairedLater: [Side.Subscription: Pair] = [:]

  private init(
    _ after: Side, _ before: Side, _ columns: [Set<Counted>], _ empty: [DifferencesOfCell<Found>]
  ) {
    (self.after, self.before) = (after, before)
    self.columns = columns
    let counted = columns.reduce(into: Set<Counted>()) { $0.formUnion($1) }
    customersAfter = after.customers(counted)
    customersBefore = before.customers(counted)
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
    _ after: Side, _ before: Side, _ columns: [Set<Counted>], _ empty: [DifferencesOfCell<Found>],
    jobs: Int
  ) -> [DifferencesOfCell<Found>] {
    let parts = Workers.run(
      count: after.source.partCount, jobs: jobs,
      makeState: { DifferenceFold(after, before, columns, empty) },
      work: { $0.add(part: $1) }, finish: { ($0.lists, $0.pairedLater) })
    var merged = empty
    var pairedLater: [Side.Subscription: Pair] = [:]
    for part in parts {
      for (place, list) in part.0.enumerated() { merged[place].merge(list) }
      pairedLater.merge(part.1) {
        Pair(after: $0.after + $1.after, before: $0.before + $1.before)
      }
    }
    for own in pairedLater.values { Self.add(own, to: &merged, after, before) }
    return merged
  }

  private mutating func add(part: Int) {
    var found: [Side.Subscription: Pair] = [:]
    for (customers, side, isAfter) in [
      (customersAfter, after, true), (customersBefore, before, false),
    ] {
      let path = isAfter ? \Pair.after : \Pair.before
      customers.load(part: part)
      while customers.next() {
        for one in customers.found {
          let contribution = customers.contribution(one, leftOutBy: nil)
          let key = side.subscription(of: contribution)
          for (place, counted) in columns.enumerated() where counted.contains(one.counted) {
            if key.isOfText {
              pairedLater[key, default: Pair()][keyPath: path].append((place, contribution))
            } else {
              found[key, default: Pair()][keyPath: path].append((place, contribution))
            }
          }
        }
      }
    }
    for own in found.values { Self.add(own, to: &lists, after, before) }
  }

  private static func add(
    _ found: Pair, to lists: inout [DifferencesOfCell<Found>], _ after: Side, _ before: Side
  ) {
    for place in lists.indices {
      let own = found.after.filter { $0.column == place }.map(\.contribution)
      let other = found.before.filter { $0.column == place }.map(\.contribution)
      if own.isEmpty, other.isEmpty { continue }
      lists[place].add(own, other, (after.places, before.places))
    }
  }
}
