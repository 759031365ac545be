/// The members that have something to do, by day.
struct DueQueue {
  private var days: [[Int32]]

  init(dayCount: Int) {
    days = Array(repeating: [], count: dayCount)
  }

  /// Adds a member on a day; ignores days after the last.
  mutating func add(_ member: Int, on day: Int) {
    if day < days.count { days[day].append(Int32(member)) }
  }

  /// Returns and removes a day's members, in the order they were added.
  mutating func take(_ day: Int) -> [Int32] {
    let due = days[day]
    days[day] = []
    return due
  }
}
