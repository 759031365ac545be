public import Scanning
public import SubscriptionModel

/// The days that a row covers.
public struct ReportPeriod: Hashable, Sendable {
  /// The first day.
  public var firstDay = Day(number: 0)
  /// The last day, which dates the report; in daily reports the same as the first.
  public var lastDay = Day(number: 0)

  /// Creates a placeholder, the one day 1970-01-01.
  public init() {}

  init(firstDay: Day, lastDay: Day) {
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  /// The frequency that matches the length of the period, or `nil` if none does.
  public var frequency: Frequency? {
    let month = firstDay.month
    if firstDay == lastDay { return .daily }
    if lastDay - firstDay == 6 { return .weekly }
    guard firstDay == month.firstDay else { return nil }
    if lastDay == month.lastDay { return .monthly }
    return month.monthOfYear == 1 && lastDay == (month + 11).lastDay ? .yearly : nil
  }
}

/// Reads only the days of rows.
///
/// If a file's name has no date, the file is dated by the period that most of its rows have.
public struct PeriodColumns: ~Copyable {
  private let first: Int
  private let last: Int
  private var row: RowSplitter

  /// Creates a reader, or returns `nil` for reports whose rows state no day.
  ///
  /// - Parameter header: The header of a report; a SUBSCRIPTION report has no date in it.
  public init?(header: ReportHeader) {
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

  /// Reads the days of a row.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The days, or `nil` if they cannot be read.
  public mutating func period(of line: Span<UInt8>, _ place: Line) -> ReportPeriod? {
    if let reject = row.split(line, place), reject.code != .invalidUTF8 { return nil }
    guard let firstDay = reportDay(line, row.content(line, first), row.dateForm) else { return nil }
    let lastDay = reportDay(line, row.content(line, last), row.dateForm) ?? firstDay
    return ReportPeriod(firstDay: firstDay, lastDay: max(firstDay, lastDay))
  }
}
