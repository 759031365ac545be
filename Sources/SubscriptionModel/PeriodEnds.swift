/// The ends of periods, looked up by their first day: calendar arithmetic for every charge took longer.
struct PeriodEnds {
  /// How long a period is bought for.
  struct Duration: Hashable, Sendable {
    private let term: Term
    /// What a marketing opt-in adds.
    private let optInTerm: Term?

    init(_ terms: ChargeTerms) {
      term = terms.term
      optInTerm = terms.optInTerm
    }

    /// The first day after a period; a marketing opt-in adds to it: METRICS.md 2.2.
    func end(from start: Day) -> Day {
      let end = start.adding(term)
      return optInTerm.map(end.adding) ?? end
    }
  }

  private let durations: [Duration]
  private let firstDay: Day
  private let dayCount: Int
  /// Duration after duration, and day after day from the first.
  private let ends: [Day]

  /// The longest list: 1 MiB, of which ten durations over ten years need an eighth.
  private static let longestList = 1 << 18

  /// Looks up the ends of periods that begin on one of some days, if they are not too many.
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
  ///   - duration: The duration's place among all.
  /// - Returns: The first day after it.
  func end(from start: Day, _ duration: Int) -> Day {
    let offset = start - firstDay
    guard offset >= 0, offset < dayCount else { return durations[duration].end(from: start) }
    return ends[duration &* dayCount &+ offset]
  }
}
