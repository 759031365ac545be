public import SubscriptionModel

/// Which days of a source's data are there: what a number's state depends on.
public struct Completeness: Sendable, Equatable {
  /// The report date of the first file.
  public let firstDay: Day
  /// The day up to which the source is complete.
  public let asOf: Day
  /// Days from the first file's to as-of without a file, in order.
  public let missingDays: [Day]

  /// Creates the completeness of a source.
  ///
  /// - Parameters:
  ///   - firstDay: The report date of the first file.
  ///   - asOf: The day up to which the source is complete.
  ///   - presentDays: The report dates of all files that were read.
  public init(firstDay: Day, asOf: Day, presentDays: Set<Day>) {
    self.firstDay = firstDay
    self.asOf = asOf
    missingDays =
      firstDay <= asOf
      ? (firstDay.number...asOf.number).map(Day.init(number:)).filter { !presentDays.contains($0) }
      : []
  }

  /// Whether a day of the month, up to as-of, is missing or lies before the first file.
  ///
  /// - Parameter month: Any month.
  /// - Returns: Whether numbers of the month lack data.
  public func isPartial(_ month: Month) -> Bool {
    month.firstDay < firstDay || missingDays.contains { $0.month == month }
  }

  /// Whether the month has ended at as-of.
  ///
  /// - Parameter month: Any month.
  /// - Returns: Whether the month's last day is as-of or earlier.
  public func isOver(_ month: Month) -> Bool { month.lastDay <= asOf }

  /// Whether a day lies at most 2 days from a missing one.
  ///
  /// - Parameter day: Any day.
  /// - Returns: Whether a charge that seems to be missing may be in a missing file.
  public func isNearMissingDay(_ day: Day) -> Bool {
    var low = 0
    var high = missingDays.count
    while low < high {
      let middle = (low + high) / 2
      if missingDays[middle] < day - ChainBuilder.toleranceDays {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < missingDays.count && missingDays[low] <= day + ChainBuilder.toleranceDays
  }

  /// The last month that is over at as-of.
  public var lastCompleteMonth: Month { isOver(asOf.month) ? asOf.month : asOf.month - 1 }
}
