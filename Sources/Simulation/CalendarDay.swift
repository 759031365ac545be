/// Days of the Gregorian calendar as numbers: 0 is 1970-01-01.
///
/// Independent of the tool's calendar, so that tests find mistakes in it.
enum CalendarDay {
  /// Returns the number of a day.
  ///
  /// - Parameters:
  ///   - year: The year.
  ///   - month: The month, 1 to 12.
  ///   - day: The day, 1 to 31.
  /// - Returns: The number, negative before 1970.
  static func number(year: Int, month: Int, day: Int) -> Int {
    var days = 0
    let before = year - 1
    days += before * 365 + before / 4 - before / 100 + before / 400
    for earlier in 1..<month {
      days += length(ofMonth: earlier, year: year)
    }
    return days + day - 1 - 719_162
  }

  /// Returns the year, month and day of a number.
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

  /// Returns the number of days of a month.
  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the same day some months later, or that month's last day if it is shorter.
  static func adding(months: Int, to number: Int) -> Int {
    let start = parts(number)
    let monthsFromZero = start.year * 12 + start.month - 1 + months
    let year = monthsFromZero / 12
    let month = monthsFromZero % 12 + 1
    let day = min(start.day, length(ofMonth: month, year: year))
    return Self.number(year: year, month: month, day: day)
  }

  /// Returns a day as `2026-01-31`.
  static func text(_ number: Int) -> String {
    let day = parts(number)
    return "\(day.year)-\(twoDigits(day.month))-\(twoDigits(day.day))"
  }

  /// Returns a day as `20260131`, the form in Apple's file names.
  static func compactText(_ number: Int) -> String {
    let day = parts(number)
    return "\(day.year)\(twoDigits(day.month))\(twoDigits(day.day))"
  }

  /// Returns a day as `01/31/2026`, the form in sales reports.
  static func slashedText(_ number: Int) -> String {
    let day = parts(number)
    return "\(twoDigits(day.month))/\(twoDigits(day.day))/\(day.year)"
  }

  /// Reads a day such as `2026-01-31`; returns nil for any other form.
  static func parsed(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else {
      return nil
    }
    guard let year = digits(bytes[0..<4]), let month = digits(bytes[5..<7]),
      let day = digits(bytes[8..<10])
    else { return nil }
    guard (1990...2199).contains(year), (1...12).contains(month),
      (1...length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    return number(year: year, month: month, day: day)
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  private static func twoDigits(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
