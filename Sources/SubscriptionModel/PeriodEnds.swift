/// A lookup table of period ends by first day, which is faster than calendar arithmetic for every charge.
struct PeriodEnds {
  /// How long a period is bought for.
  struct Duration: Hashable, Sendable {
    private let term: Term
    /// The extra time of a marketing opt-in.
    private let optInTerm: Term?

    init(_ terms: ChargeTerms) {
      term = terms.term
      optInTerm = terms.optInTerm
    }

    /// Returns the first day after a period, with a marketing opt-in's extra time: METRICS.md 2.2.
    func end(from start: Day) -> Day {
      let end = start.adding(term)
      return optInTerm.map(end.adding) ?? end
    }
  }

  private let durations: [Duration]
  private let firstDay: Day
  private let dayCount: Int
  /// The ends for all days of the first duration, then of the second.
  private let ends: [Day]

  /// The most ends in the table, 1 MiB; ten durations over ten years need about a seventh of that.
  private static let longestList = 1 << 18

  /// Fills the table for periods that begin on these days, or leaves it empty if it gets too large.
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
  }

  /// Returns the end of a period that begins on any day.
  ///
  /// - Parameters:
  ///   - start: The day.
  ///   - duration: The index of the duration.
  /// - Returns: The first day after it.
  func end(from start: Day, _ duration: Int) -> Day {
    let offset = start - firstDay
    guard offset >= 0, offset < dayCount else { return durations[duration].end(from: start) }
    return ends[duration &* dayCount &+ offset]
  }
}
