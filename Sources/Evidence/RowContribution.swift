import Counting
import Pipeline
import SubscriptionModel
import Tables

/// A row of a report that adds to a cell by itself: events, active subscriptions, or units.
struct RowContribution: Sendable {
  /// The kind of thing that a column counts, such as a fact.
  let counted: Counted
  /// The number that the row adds to the cell.
  let value: Int128
  /// The index of the report among the run's files, and its day.
  let file: Int
  let day: Day?
  let row: CountedFileRow

  /// Returns whether a contribution is listed before another: by file and line.
  static func precedes(_ left: RowContribution, _ right: RowContribution) -> Bool {
    (left.file, left.row.line) < (right.file, right.row.line)
  }
}

/// The contributions of rows to one cell: their number and sum, and those that are printed.
struct RowContributionList: Sendable {
  private(set) var count = 0
  private(set) var sum: Int128 = 0
  private var first: FirstElements<RowContribution>

  init(limit: Int?, _ order: ContributionOrder) {
    first = FirstElements(limit: limit) { left, right in
      let (own, other) = (left.value.magnitude, right.value.magnitude)
      if order == .value, own != other { return own > other }
      return RowContribution.precedes(left, right)
    }
  }

  mutating func add(_ contribution: RowContribution) {
    count += 1
    sum += contribution.value
    first.add(contribution)
  }

  mutating func merge(_ other: RowContributionList) {
    count += other.count
    sum += other.sum
    first.merge(other.first)
  }

  /// The contributions to print, in order.
  var printed: OrderedElements<RowContribution> { first.ordered }
}
