import Storage
package import SubscriptionModel

/// Counts by day, in a flat array from the first day to the last.
package struct DayCounts: Sendable {
  private var firstDay = Int32(0)
  private var counts: [UInt32] = []
  /// The smallest number of days by which the array grows, because charges are not added in the order of days.
  private static let spareDays = Int32(32)
  /// The day numbers that may be read: about 2,900 years before and after day 0, so that the array stays short.
  private static let possibleDays = -(1 << 20)...Int32(1 << 20)

  /// Adds to the count of a day.
  mutating func add(_ count: Int = 1, on day: Day) {
    var place = Int(day.number &- firstDay)
    if place < 0 || place >= counts.count {
      reach(day)
      place = Int(day.number &- firstDay)
    }
    counts[place] = UInt32(truncatingIfNeeded: Int(counts[place]) + count)
  }

  /// Enlarges the array so that it contains a day.
  private mutating func reach(_ day: Day) {
    let isEmpty = counts.isEmpty
    let end = firstDay + Int32(counts.count)
    let newFirst = isEmpty || day.number < firstDay ? day.number - Self.spareDays : firstDay
    let newEnd = isEmpty || day.number >= end ? day.number + Self.spareDays : end
    var reaching = [UInt32](repeating: 0, count: Int(newEnd - newFirst))
    let shift = Int(firstDay - newFirst)
    for place in counts.indices { reaching[place + shift] = counts[place] }
    (firstDay, counts) = (newFirst, reaching)
  }

  /// Adds the counts of another part, or subtracts them.
  mutating func merge(_ other: DayCounts, _ sign: MergeSign = .plus) {
    other.forEach { add(sign.factor * $1, on: $0) }
  }

  /// Calls `body` with each day whose count is not 0, in order, and the count.
  package func forEach(_ body: (Day, Int) -> Void) {
    for place in counts.indices where counts[place] != 0 {
      body(day(at: place), Int(counts[place]))
    }
  }

  private func day(at place: Int) -> Day { Day(number: firstDay + Int32(place)) }

  /// The first day with a count; `nil` if there is none.
  package var first: Day? {
    counts.firstIndex { $0 != 0 }.map(day)
  }

  /// The last day with a count; `nil` if there is none.
  package var last: Day? {
    counts.lastIndex { $0 != 0 }.map(day)
  }
}

extension DayCounts {
  /// Writes or reads the days and their counts; each day as its distance from the one before.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    var counted: [(step: Int32, count: Int)] = []
    var last = Int32(0)
    forEach { day, count in
      counted.append((day.number - last, count))
      last = day.number
    }
    coder.list(&counted, blank: (0, 0)) { entry, coder in
      coder.integer(&entry.step)
      coder.count(&entry.count)
    }
    guard coder.isReading else { return }
    self = DayCounts()
    last = 0
    for (step, count) in counted {
      last &+= step
      guard Self.possibleDays.contains(last) else { return coder.fail() }
      add(count, on: Day(number: last))
    }
  }
}
