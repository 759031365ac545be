import Counting
import Pipeline
import SubscriptionModel
import Tables

/// A row of a report that adds to a cell by itself: events, active subscriptions, or units.
struct RowContribution: Sendable, BitwiseCopyable {
  /// The kind of thing that a column counts, such as a fact; `nil` for a row that no column of the table counts.
  let counted: Counted?
  /// The number that the row adds to the cell.
  let value: Int128
  /// The index of the report among the run's files, and its day.
  let file: Int
  let day: Day?
  let row: CountedFileRow
  /// Why the cell does not count the row; `nil` if it does.
  var leftOut: RowLeftOutRule?

  /// Returns whether a contribution is listed before another: by file and line.
  static func precedes(_ left: RowContribution, _ right: RowContribution) -> Bool {
    (left.file, left.row.line) < (right.file, right.row.line)
  }
}

/// Why a cell does not count a row of a report that belongs to it.
enum RowLeftOutRule: Equatable, Sendable, BitwiseCopyable {
  /// It counts as something else, such as a renewal where lapses are counted.
  case other
  /// The event ends or begins a free period.
  case free
  /// The subscription was in retry or grace before, and has counted when it entered it.
  case repeated
  /// The event is a refund.
  case refund
  /// The event has a name that matches no rule.
  case unknownEvent
  /// The outcome is that of another paid period, in retention; `nil` if the event shows no outcome.
  case otherPeriod(Int?)
  /// The amount is in another currency.
  case otherCurrency
  /// No paid subscription is active in the row of a snapshot.
  case noneActive
  /// The units have no price.
  case withoutPrice
}

/// The contributions of rows to one cell: their number and sum, and those that are printed.
struct RowContributionList: Sendable {
  private(set) var count = 0
  private(set) var sum: Int128 = 0
  private var first: FirstElements<RowContribution>

  init(limit: Int?, _ order: ContributionOrder) {
    let key = { @Sendable (one: RowContribution) in
      order == .value
        ? .max - UInt64(clamping: one.value.magnitude)
        : UInt64(one.file) << 32 | UInt64(one.row.line)
    }
    first = FirstElements(limit: limit, key: key, store: { .file() }) { left, right in
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
