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
  private var kept: [RowContribution] = []
  /// The number to print; `nil` for all.
  private let limit: Int?

  /// How many contributions beyond twice the limit are kept before the last ones are dropped.
  private static let spare = 4_096

  init(limit: Int?) { self.limit = limit }

  mutating func add(_ contribution: RowContribution) {
    count += 1
    sum += contribution.value
    kept.append(contribution)
    dropLast()
  }

  mutating func merge(_ other: RowContributionList) {
    count += other.count
    sum += other.sum
    kept += other.kept
    dropLast()
  }

  private mutating func dropLast() {
    guard let limit, kept.count > 2 * limit + Self.spare else { return }
    kept = printed
  }

  /// The contributions to print, in order.
  var printed: [RowContribution] {
    let inOrder = kept.sorted(by: RowContribution.precedes)
    return limit.map { Array(inOrder.prefix($0)) } ?? inOrder
  }
}
