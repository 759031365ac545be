import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Finds what a side has of some subscriptions, to say why it does not count them; one instance for each thread.
struct DifferenceTraces: ~Copyable {
  private let side: FoldedSide
  /// The subscriptions to look for, by the key of their subscriber in the run.
  private let wanted: [UInt64: Set<SubscriptionKey>]
  private var leftOut: LeftOutFold<ExplainedSubscribers>
  private var traces: [SubscriptionKey: DifferenceTrace<Contribution>] = [:]

  private init(
    _ side: FoldedSide, _ row: CountedRow, _ columns: [Set<Counted>],
    _ wanted: [UInt64: Set<SubscriptionKey>]
  ) {
    self.side = side
    self.wanted = wanted
    leftOut = LeftOutFold(
      row, columns,
      columns.map { _ in ContributionList(.count, limit: nil, .subscription) }, side.source,
      named: false)
  }

  /// Returns what a side has of subscriptions.
  ///
  /// - Parameters:
  ///   - subscriptions: The subscriptions.
  ///   - side: The side.
  ///   - row: The row in terms of a fold.
  ///   - columns: What each of the columns counts.
  ///   - jobs: The number of threads.
  /// - Returns: What was found; nothing for a subscription without rows.
  static func traces(
    of subscriptions: Set<SubscriptionKey>, in side: FoldedSide, _ row: CountedRow,
    _ columns: [Set<Counted>], jobs: Int
  ) -> [SubscriptionKey: DifferenceTrace<Contribution>] {
    var wanted: [UInt64: Set<SubscriptionKey>] = [:]
    for subscription in subscriptions {
      wanted[side.subscriber(of: subscription), default: []].insert(subscription)
    }
    guard !wanted.isEmpty else { return [:] }
    let partitions = Set(wanted.keys.map(ChargeStore.partition)).sorted()
    let all = wanted
    let parts = Workers.run(
      count: partitions.count, jobs: jobs,
      makeState: { DifferenceTraces(side, row, columns, all) },
      work: { $0.add(partition: partitions[$1]) }, finish: { $0.result() })
    return parts.reduce(into: [:]) { $0.merge($1) { $1 } }
  }

  private consuming func result() -> [SubscriptionKey: DifferenceTrace<Contribution>] { traces }

  private mutating func add(partition: Int) {
    let parts = side.source.bins.take(partition)
    for chunk in parts.lazy.flatMap(\.chunks) {
      for record in chunk where side.source.isUsable[Int(record.order >> 32)] {
        guard let own = wanted[record.subscriber] else { continue }
        let key = side.subscription(record.subscriber, terms: record.terms)
        if own.contains(key) {
          traces[key, default: DifferenceTrace()].files.insert(Int(record.order >> 32))
        }
      }
    }
    leftOut.customers.load(part: partition)
    leftOut.addCustomers()
    for (column, list) in leftOut.takeLists().enumerated() {
      for one in list.printed {
        guard let own = wanted[one.subscriber] else { continue }
        let key = side.subscription(of: one)
        if own.contains(key) { traces[key, default: DifferenceTrace()].leftOut[column] = one }
      }
    }
  }
}
