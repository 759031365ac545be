package import SubscriptionModel

/// The obvious calendar, to compare with: every day from 1970-01-01 to 2110-12-31 in a list, found by
/// turning one page after another.
package enum ReferenceCalendar {
  /// A date as people write it.
  package struct Date: Hashable, Sendable {
    /// The year.
    package let year: Int
    /// The month, 1 to 12.
    package let month: Int
    /// The day of the month, from 1.
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
      self.year = year
      self.month = month
      self.day = day
    }
  }

  /// Every date; the index is the number of days since 1970-01-01.
  package static let dates: [Date] = (1970...2110).flatMap { year in
    (1...12).flatMap { month in
      (1...dayCount(year: year, month: month)).map { Date(year: year, month: month, day: $0) }
    }
  }

  private static let numbers = Dictionary(
    uniqueKeysWithValues: dates.enumerated().map { ($1, $0) })

  /// Returns how many days a month has; months count from 1.
  package static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    default: 31
    }
  }

  /// Returns the day of a date of the calendar.
  package static func day(_ date: Date) -> Day {
    guard let number = numbers[date] else { preconditionFailure("\(date) is in no calendar") }
    return Day(number: Int32(number))
  }

  /// Returns the day on which a term that starts on a day ends: the same day of the month, months
  /// later, or the month's last.
  package static func end(of term: Term, from start: Day) -> Day {
    guard term.months > 0 else { return Day(number: start.number + Int32(term.days)) }
    let date = dates[Int(start.number)]
    var year = date.year
    var month = date.month
    for _ in 0..<term.months {
      month += 1
      if month == 13 {
        year += 1
        month = 1
      }
    }
    let last = dayCount(year: year, month: month)
    return day(Date(year: year, month: month, day: min(date.day, last)))
  }

  /// Returns a day of the same month: the one with a number, or the month's last.
  package static func billingDay(_ number: Int, inMonthOf day: Day) -> Day {
    let date = dates[Int(day.number)]
    let last = dayCount(year: date.year, month: date.month)
    return self.day(Date(year: date.year, month: date.month, day: min(number, last)))
  }
}

/// Returns the day written as `2026-10-01`.
package func day(_ text: String) -> Day {
  let parts = text.split(separator: "-").compactMap { Int($0) }
  precondition(parts.count == 3, "\(text) is no date")
  return ReferenceCalendar.day(.init(year: parts[0], month: parts[1], day: parts[2]))
}
