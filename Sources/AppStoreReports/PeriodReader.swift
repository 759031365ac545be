package import Scanning
package import SubscriptionModel

/// The days that a row covers.
package struct ReportPeriod: Hashable, Sendable {
  /// The first day.
  package var firstDay = Day(number: 0)
  /// The last day, which is the day of the report; in daily reports equal to the first.
  package var lastDay = Day(number: 0)

  /// Creates a placeholder, from 1970-01-01 to 1970-01-01.
  package init() {}

  package init(firstDay: Day, lastDay: Day) {
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  /// The days in words, such as `2026-01-05` or `2026-01-05 to 2026-01-11`.
  package var text: String {
    firstDay == lastDay ? firstDay.description : "\(firstDay) to \(lastDay)"
  }

  /// The frequency of a report of these days; `nil` if they are no day, week from Monday to Sunday, month or year.
  package var frequency: Frequency? {
    let month = firstDay.month
    if firstDay == lastDay { return .daily }
    if lastDay - firstDay == 6, firstDay.weekday == 0 { return .weekly }
    guard firstDay == month.firstDay else { return nil }
    if lastDay == month.lastDay { return .monthly }
    return month.monthOfYear == 1 && lastDay == (month + 11).lastDay ? .yearly : nil
  }
}

/// Reads only the periods of rows.
///
/// A SALES report is of the period of its first row. If the name of another report has no date, the period of most of
/// its rows is used.
package struct PeriodReader: ~Copyable {
  private let first: Int
  private let last: Int
  private var row: RowSplitter

  /// Creates a reader, or returns `nil` for reports without a date column.
  ///
  /// - Parameter header: The header of a report; SUBSCRIPTION has no date column.
  package init?(header: ReportHeader) {
    let columns: (first: Column, last: Column)
    switch header.kind {
    case .subscriber, .subscriptionEvent: columns = (.eventDate, .eventDate)
    case .sales: columns = (.beginDate, .endDate)
    case .offerRedemption: columns = (Column("Date"), Column("Date"))
    case .preOrder, .financial: columns = (Column("Start Date"), .endDate)
    default: return nil
    }
    guard let first = header.field(columns.first) else { return nil }
    self.first = first
    last = header.field(columns.last) ?? first
    row = RowSplitter(header)
  }

  /// Reads the period of a row.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The period; `nil` if it cannot be read.
  package mutating func period(of line: Span<UInt8>, _ place: Line) -> ReportPeriod? {
    if let reject = row.split(line, place), reject.code != .invalidUTF8 { return nil }
    guard let firstDay = reportDay(line, row.content(line, first), row.dateFormat) else {
      return nil
    }
    let lastDay = reportDay(line, row.content(line, last), row.dateFormat) ?? firstDay
    return ReportPeriod(firstDay: firstDay, lastDay: max(firstDay, lastDay))
  }

  /// Reads the period of a SALES row, of which it tells what its report is.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The period; `nil` if a day cannot be read.
  package mutating func wholePeriod(of line: Span<UInt8>, _ place: Line) -> ReportPeriod? {
    if let reject = row.split(line, place), reject.code != .invalidUTF8 { return nil }
    return row.period(line, first, last)
  }
}

extension RowSplitter {
  /// Returns the days from one date of a SALES row to another; `nil` if one cannot be read, or the last is before the first.
  ///
  /// A blank last day is the first one.
  func period(_ line: Span<UInt8>, _ first: Int, _ last: Int) -> ReportPeriod? {
    guard let firstDay = reportDay(line, content(line, first), dateFormat) else { return nil }
    let range = content(line, last)
    guard let lastDay = range.isEmpty ? firstDay : reportDay(line, range, dateFormat) else {
      return nil
    }
    return lastDay < firstDay ? nil : ReportPeriod(firstDay: firstDay, lastDay: lastDay)
  }
}

extension [ReportPeriod: Int] {
  /// The period with the highest count, the latest of several; `nil` without any.
  package var mostFrequent: ReportPeriod? {
    self.max { ($0.value, $1.key.lastDay) < ($1.value, $0.key.lastDay) }?.key
  }
}
