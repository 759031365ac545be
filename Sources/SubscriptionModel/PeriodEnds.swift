/// A table of period ends by first day, because calendar arithmetic for every charge would be
/// slower.
struct PeriodEnds {
  /// The duration of a period.
  struct Duration: Hashable, Sendable {
    private let term: Term
    /// The extra time for a marketing opt-in.
    private let optInTerm: Term?

    init(_ terms: ChargeTerms) {
      term = terms.term
      optInTerm = terms.optInTerm
    }

    /// Returns the first day after a period, with the extra time for a marketing opt-in: METRICS.md
    /// 2.2.
    func end(from start: Day) -> Day {
      let end = start.adding(term)
      return optInTerm.map(end.adding) ?? end
    }
  }

  private let durations: [Duration]
  private let firstDay: Day
  private let dayCount: Int
  /// The ends of the first duration for all first days, then of the second, and so on.
  private let ends: [Day]
  /// For each first day, whether it is late in its month.
  private let lateDays: [Bool]

  /// The most ends in the table, 1 MiB; ten durations and ten years need about a seventh.
  private static let longestList = 1 << 18

  /// Creates a table of periods that begin on these days; an empty one if it would be too large.
  init(_ durations: [Duration], from firstDay: Day, to lastDay: Day) {
    self.durations = durations
    self.firstDay = firstDay
    let days = max(0, lastDay - firstDay + 1)
    dayCount = days * durations.count <= Self.longestList ? days : 0
    var ends: [Day] = []
    ends.reserveCapacity(dayCount * durations.count)
    for duration in durations {
      for offset in 0..<dayCount { ends.append(duration.end(from: firstDay + offset)) }
    }
    self.ends = ends
    lateDays = (0..<dayCount).map { (firstDay + $0).isLateInMonth }
  }

  /// Returns ``Day/isLateInMonth`` of a day.
  func isLateInMonth(_ day: Day) -> Bool {
    let offset = day - firstDay
    return offset >= 0 && offset < dayCount ? lateDays[offset] : day.isLateInMonth
  }

  /// Returns the end of a period, which may begin on any day.
  ///
  /// - Parameters:
  ///   - start: The first day of the period.
  ///   - duration: The index of the duration.
  /// - Returns: The first day after the period.
  func end(from start: Day, _ duration: Int) -> Day {
    let offset = start - firstDay
    guard offset >= 0, offset < dayCount else { return durations[duration].end(from: start) }
    return ends[duration &* dayCount &+ offset]
  }
}
