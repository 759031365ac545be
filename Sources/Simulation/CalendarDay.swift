/// Days of the Gregorian calendar as numbers: 0 is 1970-01-01.
///
/// Independent of the tool's calendar, so that tests find mistakes in it.
enum CalendarDay {
  /// Returns the number of a day, negative before 1970; months and days count from 1.
  static func number(year: Int, month: Int, day: Int) -> Int {
    let before = year - 1
    var days = before * 365 + before / 4 - before / 100 + before / 400
    for earlier in 1..<month {
      days += length(ofMonth: earlier, year: year)
    }
    return days + day - 1 - 719_162
  }

  static func parts(_ number: Int) -> (year: Int, month: Int, day: Int) {
    // The algorithm counts years from March, so that the leap day is a year's last.
    let shifted = number + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the same day some months later, or the month's last day if it is shorter; `billingDay` takes the place
  /// of the day of the month.
  static func adding(months: Int, to number: Int, billingDay: Int? = nil) -> Int {
    let start = parts(number)
    let monthsFromZero = start.year * 12 + start.month - 1 + months
    let (year, month) = (monthsFromZero / 12, monthsFromZero % 12 + 1)
    let day = min(billingDay ?? start.day, length(ofMonth: month, year: year))
    return Self.number(year: year, month: month, day: day)
  }

  /// Returns a day as `2026-01-31`.
  static func text(_ number: Int) -> String {
    let day = parts(number)
    return "\(day.year)-\(day.month, digits: 2)-\(day.day, digits: 2)"
  }

  /// Returns a day as `20260131`, the form in Apple's file names.
  static func compactText(_ number: Int) -> String {
    let day = parts(number)
    return "\(day.year)\(day.month, digits: 2)\(day.day, digits: 2)"
  }

  /// Returns a day as `01/31/2026`, the form in sales reports.
  static func slashedText(_ number: Int) -> String {
    let day = parts(number)
    return "\(day.month, digits: 2)/\(day.day, digits: 2)/\(day.year)"
  }

  /// Reads a day such as `2026-01-31`; returns nil for any other form.
  static func parsed(_ text: String) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard parts.count == 3, (1990...2199).contains(parts[0]), (1...12).contains(parts[1]),
      (1...length(ofMonth: parts[1], year: parts[0])).contains(parts[2])
    else { return nil }
    let number = number(year: parts[0], month: parts[1], day: parts[2])
    // Only the usual form of a day: no missing zeros, signs or other characters.
    return Self.text(number) == text ? number : nil
  }
}
