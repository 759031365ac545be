/// A moment in milliseconds since 1970, as in receipts.
typealias Instant = Int

extension Timeline {
  /// Returns the moment at a time of a day, in UTC.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - milliseconds: The milliseconds since the day began.
  /// - Returns: The moment.
  func instant(_ day: Int, _ milliseconds: Int) -> Instant {
    (base + day) * Self.dayLength + milliseconds
  }

  /// Returns the month of a moment, counted from the window's first; negative before it.
  func month(at instant: Instant) -> Int {
    month(of: day(of: instant))
  }

  /// Returns the day of a moment, in UTC.
  func day(of instant: Instant) -> Int {
    instant / Self.dayLength - base
  }

  /// Returns the first moment of a month, counted from the window's first.
  func begin(ofMonth month: Int) -> Instant {
    let first = base + firstDay - CalendarDay.parts(base + firstDay).day + 1
    return CalendarDay.adding(months: month, to: first) * Self.dayLength
  }

  /// The number of milliseconds in a day.
  static let dayLength = 86_400_000
  /// The time of day by which all purchases are made; receipts are captured in the hour after it.
  static let closingTime = 23 * 3_600_000
}

/// Writes moments in the formats of receipts.
enum InstantText {
  /// Appends `2026-01-31 08:00:00`.
  static func append(_ instant: Instant, to text: inout ByteText) {
    let seconds = instant / 1_000
    let day = CalendarDay.parts(seconds / 86_400)
    text.append(number: day.year)
    append(separator: "-", day.month, to: &text)
    append(separator: "-", day.day, to: &text)
    append(separator: " ", seconds / 3_600 % 24, to: &text)
    append(separator: ":", seconds / 60 % 60, to: &text)
    append(separator: ":", seconds % 60, to: &text)
  }

  private static func append(separator: String, _ number: Int, to text: inout ByteText) {
    text.append(separator)
    if number < 10 { text.append("0") }
    text.append(number: number)
  }

  /// Returns the moment shifted to Los Angeles time.
  ///
  /// Summer time lasts from the second Sunday of March, 10:00 UTC, to the first Sunday of November,
  /// 9:00 UTC.
  static func pacific(_ instant: Instant) -> Instant {
    let year = CalendarDay.parts(instant / Timeline.dayLength).year
    let begins = sunday(onOrAfter: CalendarDay.number(year: year, month: 3, day: 8))
    let ends = sunday(onOrAfter: CalendarDay.number(year: year, month: 11, day: 1))
    let isSummer =
      begins * Timeline.dayLength + 36_000_000 <= instant
      && instant < ends * Timeline.dayLength + 32_400_000
    return instant - (isSummer ? 7 : 8) * 3_600_000
  }

  private static func sunday(onOrAfter day: Int) -> Int {
    // Day 0, 1970-01-01, was a Thursday.
    day + (10 - day % 7) % 7
  }
}
