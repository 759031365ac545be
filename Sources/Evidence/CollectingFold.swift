import Counting
import Pipeline
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
