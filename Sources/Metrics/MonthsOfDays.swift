import SubscriptionModel

/// The months of a source's days, looked up: every period asks for two.
struct MonthsOfDays: Sendable {
  private let monthSystem: MonthSystem
  private let first: Day
  private let months: [Month]

  /// Periods run past the last day of the data by a year at most.
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
