/// The kind of months in tables: calendar months, or periods of Apple's fiscal calendar.
///
/// Both are stored as ``Month``: fiscal period 3 of 2026 has the same number as March 2026. Only
/// their names differ, `FY2026-P03` and `2026-03`. The start months of cohorts are always calendar
/// months.
package enum MonthSystem: Hashable, Sendable {
  case calendar, fiscal

  /// Returns the month that holds a day.
  ///
  /// - Parameter day: The day.
  /// - Returns: The calendar month, or the fiscal period's.
  package func month(of day: Day) -> Month {
    self == .calendar ? day.month : Month(number: FiscalPeriod(containing: day).number)
  }

  /// Returns a month as tables, pages and file names write it: `2026-10`, or `FY2026-P05`.
  ///
  /// - Parameter month: A month of this system.
  /// - Returns: Its name.
  package func name(_ month: Month) -> String {
    self == .calendar ? month.description : FiscalPeriod(number: month.number).description
  }

  /// Returns the month with a name, the inverse of ``name(_:)``.
  ///
  /// - Parameter text: The name.
  /// - Returns: The month; `nil` if the text is not a name of this system.
  package func month(named text: String) -> Month? {
    self == .calendar ? Month(text) : FiscalPeriod(text).map { Month(number: $0.number) }
  }

  /// Returns the first day of a month.
  ///
  /// - Parameter month: A month of this system.
  /// - Returns: Its first day.
  package func firstDay(of month: Month) -> Day {
    self == .calendar ? month.firstDay : FiscalPeriod(number: month.number).firstDay
  }

  /// Returns the last day of a month.
  ///
  /// - Parameter month: A month of this system.
  /// - Returns: Its last day.
  package func lastDay(of month: Month) -> Day {
    self == .calendar ? month.lastDay : FiscalPeriod(number: month.number).lastDay
  }
}
