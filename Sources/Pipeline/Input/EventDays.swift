package import SubscriptionModel

/// The Event Dates of a SUBSCRIBER or SUBSCRIPTION_EVENT report, from which the day of the report is found.
package struct EventDays: Equatable, Sendable {
  /// The number of rows of each day, of those that can be read.
  package let counts: [Day: Int]
  /// The number of rows that can be read.
  package let rowCount: Int
  /// Their most frequent day; of equally frequent ones the later.
  package let mostFrequent: Day

  /// The fewest different days in the rows of a file that may be several daily reports joined.
  private static let fewestJoinedDays = 8

  /// Returns whether the rows are of many days, and no day has half of them.
  ///
  /// Such a file is several daily reports joined without their headers. Taken as the report of one day, it would
  /// replace Apple's report of that day.
  ///
  /// - Parameter hasDay: Whether the file is compared with another one of its day. Then there are four rows a day at
  ///   least: late rows of other days make a small report no joined one.
  /// - Returns: Whether they are.
  package func areOfJoinedReports(hasDay: Bool) -> Bool {
    counts.count >= Self.fewestJoinedDays && counts[mostFrequent, default: 0] * 2 < rowCount
      && (!hasDay || rowCount >= 4 * counts.count)
  }

  /// Creates the days of some rows; `nil` without a row.
  package init?(_ counts: [Day: Int]) {
    guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
    self.counts = counts
    rowCount = counts.values.reduce(0, &+)
    mostFrequent = most.key
  }

  /// Counts rows by day.
  ///
  /// Most rows have the day of the row before.
  package struct Counter {
    private var counts: [Day: Int] = [:]
    private var last = Day(number: 0)
    private var lastCount = 0

    package init() {}

    /// Counts a row.
    @inline(__always)
    mutating func note(_ day: Day) {
      if day == last {
        lastCount &+= 1
      } else {
        change(to: day)
      }
    }

    @inline(never)
    private mutating func change(to day: Day) {
      if lastCount > 0 { counts[last, default: 0] += lastCount }
      (last, lastCount) = (day, 1)
    }

    /// The result; `nil` without a row.
    var days: EventDays? {
      var all = counts
      if lastCount > 0 { all[last, default: 0] += lastCount }
      return EventDays(all)
    }
  }
}
