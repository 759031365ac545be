/// Elements by the day on which they are due, such as members with a planned action.
struct DueQueue<Element> {
  private var days: [[Element]]

  init(dayCount: Int) {
    days = Array(repeating: [], count: dayCount)
  }

  /// Adds an element on a day; ignores days after the last.
  mutating func add(_ element: Element, on day: Int) {
    if day < days.count { days[day].append(element) }
  }

  /// Returns and removes a day's elements, in the order they were added.
  mutating func take(_ day: Int) -> [Element] {
    let due = days[day]
    days[day] = []
    return due
  }
}
