package import SubscriptionModel

/// The Event Dates of a SUBSCRIBER or SUBSCRIPTION_EVENT report, from which the day of the report is found.
package struct EventDays: Equatable, Sendable {
  /// The number of rows that can be read.
  package var rowCount: Int
  /// Their most frequent day; of equally frequent ones the later.
  package var mostFrequent: Day

  package init(rowCount: Int, mostFrequent: Day) {
    self.rowCount = rowCount
    self.mostFrequent = mostFrequent
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
      guard let most = all.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
      return EventDays(rowCount: all.values.reduce(0, +), mostFrequent: most.key)
    }
  }
}
