/// Who does something on which day.
struct DueQueue {
  private var days: [[Int32]]

  init(dayCount: Int) {
    days = Array(repeating: [], count: dayCount)
  }

  /// Adds somebody on a day; days after the last are forgotten.
  mutating func add(_ member: Int, on day: Int) {
    if day < days.count { days[day].append(Int32(member)) }
  }

  /// Returns those of a day, in the order they were added, and forgets them.
  mutating func take(_ day: Int) -> [Int32] {
    let due = days[day]
    days[day] = []
    return due
  }
}
