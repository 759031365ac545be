/// An instant of a receipt, in whole seconds of UTC: METRICS.md 3.6.
///
/// Stored in four bytes, because a transaction has five instants; the range is 1970 to 2106.
package struct Instant: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package let seconds: UInt32

  /// Creates an instant from its number of seconds.
  package init(seconds: UInt32) { self.seconds = seconds }

  /// Creates an instant from milliseconds, floored; `nil` outside 2008-01-01 to 2100-01-01.
  ///
  /// - Parameter milliseconds: Milliseconds since 1970-01-01T00:00:00Z.
  package init?(milliseconds: Int64) {
    guard Self.validSeconds.contains(milliseconds / 1_000), milliseconds >= 0 else { return nil }
    seconds = UInt32(milliseconds / 1_000)
  }

  /// Creates the first instant of a day; `nil` outside 2008-01-01 to 2100-01-01.
  package init?(startOf day: Day) {
    self.init(milliseconds: Int64(day.number) * 86_400_000)
  }

  /// Creates the last instant of a day, 23:59:59; `nil` outside 2008-01-01 to 2100-01-01.
  package init?(endOf day: Day) {
    guard let start = Instant(startOf: day) else { return nil }
    self = start + 86_399
  }

  /// Creates an instant from text such as `2026-09-30T12:00:00Z`; `nil` if the text is not an
  /// instant.
  ///
  /// - Parameter text: The text as users type it.
  package init?(_ text: String) {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasSuffix("Z"), let day = Day(String(parts[0])) else {
      return nil
    }
    let numbers = parts[1].dropLast().split(separator: ":", omittingEmptySubsequences: false)
    let time = numbers.compactMap { $0.utf8.count == 2 ? Int($0) : nil }
    guard numbers.count == 3, time.count == 3, 0..<24 ~= time[0], 0..<60 ~= time[1],
      0..<60 ~= time[2], let start = Instant(startOf: day)
    else { return nil }
    self = start + (time[0] * 3_600 + time[1] * 60 + time[2])
  }

  /// The valid range in seconds since 1970, 2008-01-01 to 2100-01-01: the App Store opened in 2008.
  private static let validSeconds: ClosedRange<Int64> = 1_199_145_600...4_102_444_800

  /// The UTC day that holds the instant.
  package var day: Day { Day(number: Int32(seconds / 86_400)) }

  /// The UTC month that holds the instant.
  package var month: Month { day.month }

  /// Returns the instant a number of seconds later.
  package static func + (instant: Instant, seconds: Int) -> Instant {
    Instant(seconds: UInt32(Int(instant.seconds) + seconds))
  }

  /// Returns the number of seconds from the right instant to the left one.
  package static func - (later: Instant, earlier: Instant) -> Int {
    Int(later.seconds) - Int(earlier.seconds)
  }

  /// Orders instants by time.
  package static func < (earlier: Instant, later: Instant) -> Bool {
    earlier.seconds < later.seconds
  }
}

extension Instant: CustomStringConvertible {
  /// The instant as `2020-07-14T19:36:40Z`.
  package var description: String {
    let second = Int(seconds % 86_400)
    let parts = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, to: 2) }
    return "\(day)T\(parts.joined(separator: ":"))Z"
  }
}

extension Instant {
  /// The day in Pacific Time, by the rule of 2007.
  ///
  /// Summer time begins on the second Sunday of March at 10:00 UTC and ends on the first Sunday of November at 9:00 UTC.
  package var pacificDay: Day { pacificClock.day }

  /// The day in Pacific Time and the full hours since its midnight.
  package var pacificClock: (day: Day, hour: Int) {
    let year = day.civil.year
    let begin = Self.sunday(onOrAfter: Month(year: year, month: 3).firstDay + 7)
    let end = Self.sunday(onOrAfter: Month(year: year, month: 11).firstDay)
    let hours = Int(seconds / 3_600)
    let isSummer = 24 * Int(begin.number) + 10..<24 * Int(end.number) + 9 ~= hours
    let local = hours - (isSummer ? 7 : 8)
    return (Day(number: Int32(local / 24)), local % 24)
  }

  private static func sunday(onOrAfter day: Day) -> Day { day + (6 - day.weekday) }
}
