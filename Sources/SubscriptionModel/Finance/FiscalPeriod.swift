/// A period of Apple's fiscal calendar, in which proceeds are settled: `FY2026-P03` is December 2025.
///
/// A fiscal year ends on the last Saturday of September. The periods of a quarter have 5, 4 and 4
/// weeks; in a year of 53 weeks, the extra week belongs to period 3. Source: FORMATS.md sections
/// 4.3 and 6.
@usableFromInline
package struct FiscalPeriod: NumberedTime {
  /// `fiscalYear * 12 + period - 1`.
  @usableFromInline
  package let number: Int32

  /// Creates a period from its number.
  @inlinable package init(number: Int32) { self.number = number }

  /// Creates a period.
  ///
  /// - Parameters:
  ///   - fiscalYear: The year in which the fiscal year ends, such as 2026.
  ///   - period: 1 to 12.
  package init(fiscalYear: Int, period: Int) {
    number = Int32(fiscalYear * 12 + period - 1)
  }

  /// Creates a period from text such as `FY2026-P03`; `nil` if the text is not a period.
  ///
  /// - Parameter text: The text as users type it.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("FY"), parts[1].hasPrefix("P"),
      let written = Month("\(parts[0].dropFirst(2))-\(parts[1].dropFirst())")
    else { return nil }
    number = written.number
  }

  /// Creates the period to which file names and payments give the name of a calendar month.
  ///
  /// - Parameter month: The month: October 2025 is the first period of fiscal year 2026.
  package init(named month: Month) {
    number = month.number + 3
  }

  /// Creates the period that holds a day.
  ///
  /// - Parameter day: The day.
  package init(containing day: Day) {
    // A period begins and ends at most nine days from the beginning and end of the month of its
    // name.
    var period = FiscalPeriod(named: (day - 15).month)
    while period.lastDay < day { period = period + 1 }
    while period.firstDay > day { period = period - 1 }
    self = period
  }

  /// Creates the period with these first and last days, or returns `nil` if there is none.
  ///
  /// - Parameters:
  ///   - firstDay: The Start Date of a financial report.
  ///   - lastDay: Its End Date.
  package init?(firstDay: Day, lastDay: Day) {
    self.init(containing: firstDay)
    guard self.firstDay == firstDay, self.lastDay == lastDay else { return nil }
  }

  /// The year in which the fiscal year ends.
  package var fiscalYear: Int { Int(number) / 12 }

  /// The period of the fiscal year, 1 to 12.
  package var period: Int { Int(number) % 12 + 1 }

  /// The calendar month that names the period in Apple's file names and payments.
  package var nameMonth: Month { Month(number: number - 3) }

  /// How many weeks the period has, 4 or 5.
  package var weekCount: Int { (lastDay - firstDay + 1) / 7 }

  /// The first day, a Sunday.
  package var firstDay: Day {
    let weeksBefore = (period - 1) / 3 * 13 + [0, 5, 9][(period - 1) % 3]
    let extraWeek = period > 3 && Self.isLong(fiscalYear) ? 1 : 0
    return Self.lastDay(ofYear: fiscalYear - 1) + 1 + (weeksBefore + extraWeek) * 7
  }

  /// The last day, a Saturday.
  package var lastDay: Day { (self + 1).firstDay - 1 }

  /// The day on which Apple is expected to pay: 33 days after the last day, a Thursday.
  ///
  /// A holiday may move it.
  package var expectedPaymentDay: Day { lastDay + 33 }

  /// The last Saturday of September.
  private static func lastDay(ofYear year: Int) -> Day {
    let september = Month(year: year, month: 9).lastDay
    let daysAfterSaturday = (september.weekday + 2) % 7
    return september - daysAfterSaturday
  }

  private static func isLong(_ year: Int) -> Bool {
    lastDay(ofYear: year) - lastDay(ofYear: year - 1) > 52 * 7
  }
}

extension FiscalPeriod: CustomStringConvertible {
  /// The fiscal year and the period's number, such as `FY2026-P03`.
  @usableFromInline
  package var description: String { "FY\(padded(fiscalYear, to: 4))-P\(padded(period, to: 2))" }
}
