import SubscriptionModel

/// The month of each day, as a lookup table: every period needs the months of its start and end.
struct MonthsOfDays: Sendable {
  private let monthSystem: MonthSystem
  private let first: Day
  private let months: [Month]

  /// The number of days in the table after as-of: periods end at most a year after the last day of the data.
  private static let daysAfterAsOf = 400

  init(_ completeness: Completeness) {
    monthSystem = completeness.monthSystem
    first = completeness.firstDay
    let last = completeness.asOf + Self.daysAfterAsOf
    months = (0...(last - first)).map { [monthSystem, first] in monthSystem.month(of: first + $0) }
  }

  subscript(day: Day) -> Month {
    let place = day - first
    return months.indices.contains(place) ? months[place] : monthSystem.month(of: day)
  }
}
