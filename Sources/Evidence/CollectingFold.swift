import Counting
import Pipeline
import Storage
import SubscriptionModel
import Threads

/// A second fold of kept charges on one thread, which collects contributions in a list for each column.
protocol CollectingFold: SendableMetatype, ~Copyable {
  /// The lists so far.
  var lists: [ContributionList] { get }

  init(
    _ row: CountedRow, _ columns: [Set<Counted>], _ empty: [ContributionList],
    _ charges: KeptCharges)

  /// Adds the charges of a partition, with those of all subscribers in it.
  mutating func add(_ parts: [ChargeStore.Partition], isUsable: [Bool])
}

extension CollectingFold where Self: ~Copyable {
  /// Returns the contributions that the fold collects for the cells of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: What each of its columns counts.
  ///   - empty: An empty list for each column, with the order and the number of contributions to print.
  ///   - charges: The charges of the run.
  ///   - jobs: The number of threads.
  /// - Returns: A list for each column.
  static func lists(
    _ row: CountedRow, _ columns: [Set<Counted>], _ empty: [ContributionList],
    _ charges: KeptCharges, jobs: Int
  ) -> [ContributionList] {
    let parts = Workers.run(
      count: ChargeStore.partitionCount, jobs: jobs,
      makeState: { Self(row, columns, empty, charges) },
      work: { $0.add(charges.bins.take($1), isUsable: charges.isUsable) },
      finish: { $0.lists })
    var merged = empty
    for part in parts { for (place, list) in part.enumerated() { merged[place].merge(list) } }
    return merged
  }
}

/// The subscribers of kept charges, one after the other, each with its chains and what a row counts of them.
struct ExplainedSubscribers: ~Copyable {
  /// The chains of the current subscriber.
  private(set) var history: ChainBuilder
  /// What the row counts of the current subscriber.
  private(set) var found: [CountedPeriod] = []
  var fold: ExplainingFold
  private var sort = SubscriberSort()
  /// The day after which rows do not count; `nil` for no limit.
  private let lastDay: Day?

  init(_ row: CountedRow, _ counted: Set<Counted>, _ charges: KeptCharges) {
    lastDay = charges.lastDay
    history = ChainBuilder(charges.terms, charges.completeness)
    fold = ExplainingFold(
      row, counted, terms: charges.terms, charges.completeness, months: charges.months)
  }

  /// Takes the charges of a partition, with those of all subscribers in it.
  mutating func load(_ parts: [ChargeStore.Partition], isUsable: [Bool]) {
    sort.load(parts.flatMap(\.chunks), isUsable: isUsable)
  }

  /// Goes to the next subscriber.
  ///
  /// - Returns: Its key; `nil` after the last one.
  mutating func next() -> UInt64? {
    guard var records = sort.nextSubscriber() else { return nil }
    let subscriber = records[records.startIndex].subscriber
    // They are in the order of their days.
    if let lastDay { records = records.prefix { $0.day <= lastDay.number } }
    history.build(records)
    var found: [CountedPeriod] = []
    fold.add(history) { found.append($0) }
    self.found = found
    return subscriber
  }
}
