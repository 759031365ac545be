/// What a month of a table is: a calendar month, or a period of Apple's fiscal calendar.
///
/// Both are counted by ``Month``: the fiscal period `2026-03` is the month of that number, and prints the
/// same. What a cohort's start is called stays calendar.
public enum MonthSystem: Hashable, Sendable {
  case calendar, fiscal

  /// Returns the month that holds a day.
  ///
  /// - Parameter day: The day.
  /// - Returns: The calendar month, or the fiscal period's.
  public func month(of day: Day) -> Month {
    self == .calendar ? day.month : Month(number: FiscalPeriod(containing: day).number)
  }

  /// Returns the first day of a month.
  ///
  /// - Parameter month: A month of this system.
  /// - Returns: Its first day.
  public func firstDay(of month: Month) -> Day {
    self == .calendar ? month.firstDay : FiscalPeriod(number: month.number).firstDay
  }

  /// Returns the last day of a month.
  ///
  /// - Parameter month: A month of this system.
  /// - Returns: Its last day.
  public func lastDay(of month: Month) -> Day {
    self == .calendar ? month.lastDay : FiscalPeriod(number: month.number).lastDay
  }
}
