/// The report files that are still open, one a day.
///
/// A day's transactions are mostly in that day's file, but some in the one before and a few in the
/// one three days later: five files are open at a time, and a row is in one of them.
struct DayRing<Content> {
  private var contents: [Content]
  private let empty: Content

  init(_ empty: Content) {
    self.empty = empty
    contents = Array(repeating: empty, count: 8)
  }

  subscript(day: Int) -> Content {
    get { contents[day & 7] }
    _modify { yield &contents[day & 7] }
  }

  /// Returns a day's content and makes the place free.
  mutating func take(_ day: Int) -> Content {
    let content = contents[day & 7]
    contents[day & 7] = empty
    return content
  }
}

/// Decides in which day's file a row is.
struct FilePlacement {
  private var random: SeededRandom
  private let firstDay: Int
  private let lastDay: Int

  init(seed: UInt64, stream: UInt64, timeline: Timeline) {
    random = SeededRandom(seed: seed, stream: stream)
    firstDay = timeline.firstDay
    lastDay = timeline.lastDay
  }

  /// Returns the day of the file for a row dated `day`.
  mutating func file(for day: Int) -> Int {
    let chance = random.below(1_000)
    if chance < 54 { return max(day - 1, firstDay) }
    if chance < 57 { return day + 3 <= lastDay ? day + 3 : day }
    return day
  }
}
