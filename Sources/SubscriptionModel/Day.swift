/// A calendar day of a report, without time of day or time zone.
///
/// Stored as the number of days since 1970-01-01, so that differences of days are subtractions.
public struct Day: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let number: Int32

  /// Creates a day from its number.
  ///
  /// - Parameter number: Days since 1970-01-01.
  public init(number: Int32) {
    self.number = number
  }

  /// Creates a day from a calendar date, or returns `nil` when there is no such date.
  ///
  /// - Parameters:
  ///   - year: The year, such as 2026.
  ///   - month: The month, 1 to 12.
  ///   - day: The day of the month, from 1.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let month = Month(year: year, month: month)
    guard day <= month.dayCount else { return nil }
    self = month.firstDay + (day - 1)
  }

  /// Creates a day from `2026-10-01`, or returns `nil` when the text is none.
  ///
  /// - Parameter text: The text as users type it.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The month that holds the day.
  ///
  /// Days of reports are looked up: every fact asks for its month.
  public var month: Month {
    let offset = Int(number - Self.firstTabulated)
    if offset >= 0, offset < Self.months.count { return Self.months[offset] }
    let (year, month, _) = civil
    return Month(year: year, month: month)
  }

  /// 2008-01-01, the first day that a report can be about.
  private static let firstTabulated = Month(year: 2008, month: 1).firstDay.number

  /// The months of all days from 2008 to 2039.
  private static let months: [Month] = (0..<(32 * 12)).flatMap { offset in
    let month = Month(year: 2008, month: 1) + offset
    return [Month](repeating: month, count: month.dayCount)
  }

  /// The day of the month, from 1.
  public var dayOfMonth: Int { civil.day }

  /// The day of the week, 0 for Monday to 6 for Sunday.
  public var weekday: Int {
    let shifted = (Int(number) + 3) % 7  // 1970-01-01 was a Thursday.
    return shifted < 0 ? shifted + 7 : shifted
  }

  /// Year, month and day in the proleptic Gregorian calendar.
  ///
  /// The eras-of-400-years method: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
  public var civil: (year: Int, month: Int, day: Int) {
    let shifted = Int(number) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The day that lies a number of days later.
  public static func + (day: Day, days: Int) -> Day {
    Day(number: day.number + Int32(days))
  }

  /// The day that lies a number of days earlier.
  public static func - (day: Day, days: Int) -> Day {
    Day(number: day.number - Int32(days))
  }

  /// The number of days from the right day to the left one.
  public static func - (later: Day, earlier: Day) -> Int {
    Int(later.number) - Int(earlier.number)
  }

  /// Orders days by time.
  public static func < (earlier: Day, later: Day) -> Bool {
    earlier.number < later.number
  }
}

extension Day: CustomStringConvertible {
  /// The day as `2026-10-01`.
  public var description: String {
    let (year, month, day) = civil
    return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }
}

/// Returns a number with leading zeros.
func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
