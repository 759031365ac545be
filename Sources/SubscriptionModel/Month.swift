/// A month of tables: a calendar month or, with `--fiscal`, a period of Apple's fiscal calendar.
///
/// A value does not store which of the two it is; see ``MonthSystem``, which also returns the days
/// of fiscal months. The properties here, such as ``firstDay``, are those of calendar months.
@usableFromInline
package struct Month: NumberedTime, BitwiseCopyable {
  /// Months since year 0: `year * 12 + month - 1`.
  @usableFromInline
  package let number: Int32

  /// Creates a month from its number.
  @inlinable package init(number: Int32) { self.number = number }

  /// Creates a month.
  ///
  /// - Parameters:
  ///   - year: The year, such as 2026.
  ///   - month: 1 to 12.
  package init(year: Int, month: Int) {
    number = Int32(year * 12 + month - 1)
  }

  /// Creates a month from text such as `2026-10`; `nil` if the text is not a month.
  ///
  /// - Parameter text: The text as users type it.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count == 4, parts[1].count == 2,
      let year = Int(parts[0]), let month = Int(parts[1]), (1...12).contains(month), year > 0
    else { return nil }
    self.init(year: year, month: month)
  }

  /// The year, such as 2026.
  package var year: Int { Int(number) / 12 }

  /// The month of the year, 1 to 12.
  package var monthOfYear: Int { Int(number) % 12 + 1 }

  /// The quarter of the year, 1 to 4.
  package var quarter: Int { (monthOfYear - 1) / 3 + 1 }

  /// How many days the month has, 28 to 31.
  package var dayCount: Int { (self + 1).firstDay - firstDay }

  /// The first day of the month.
  ///
  /// The inverse of ``Day/civil``, with the same arithmetic.
  package var firstDay: Day {
    // The year begins in March, so that a leap day is the last day of its year.
    let isBeforeMarch = monthOfYear <= 2
    let year = isBeforeMarch ? self.year &- 1 : self.year
    let month = isBeforeMarch ? monthOfYear &+ 12 : monthOfYear
    let century = year / 100
    let yearStart = 1_461 &* year / 4 &- century &+ century / 4
    let dayOfYear = (979 &* month &- 2_919) / 32
    return Day(number: Int32(truncatingIfNeeded: yearStart &+ dayOfYear &- 719_468))
  }

  /// The last day of the month.
  package var lastDay: Day { (self + 1).firstDay - 1 }
}

extension Month: CustomStringConvertible {
  /// The month as `2026-10`.
  @usableFromInline
  package var description: String {
    dateText(year, monthOfYear)
  }
}
