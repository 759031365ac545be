import SubscriptionModel

/// The month of each day, as a lookup table: every period needs the months of its start and end.
struct MonthsOfDays: Sendable {
  private let monthSystem: MonthSystem
  private let first: Day
  private let months: [Month]
  /// The first days of their calendar months.
  private let firstDays: [Day]

  /// The number of days in the table after as-of: periods end at most a year after the last day of the data.
  private static let daysAfterAsOf = 400

  init(_ completeness: Completeness) {
    monthSystem = completeness.monthSystem
    first = completeness.firstDay
    let last = completeness.asOf + Self.daysAfterAsOf
    let days = (0...(last - first)).map { [first] in first + $0 }
    months = days.map { [monthSystem] in monthSystem.month(of: $0) }
    firstDays = days.map(\.month.firstDay)
  }

  subscript(day: Day) -> Month {
    let place = day - first
    return months.indices.contains(place) ? months[place] : monthSystem.month(of: day)
  }

  /// Returns the first day of a day's calendar month.
  func firstOfMonth(_ day: Day) -> Day {
    let place = day - first
    return firstDays.indices.contains(place) ? firstDays[place] : day.month.firstDay
  }
}
