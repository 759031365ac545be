import Scanning
package import SubscriptionModel

/// The format of dates in a report (METRICS.md 2.11).
///
/// `2026-10-31` is read in every report, because it is not ambiguous. A date with slashes is read
/// only in reports in which Apple writes slashes. In other reports a spreadsheet has changed it,
/// and `05/02` may be in May or in February, depending on the spreadsheet's country.
enum DateFormat: Sendable {
  /// `2026-10-31`.
  case dashed
  /// `10/31/2026`: SALES, PRE_ORDER, NEWSSTAND and finance files.
  case slashed
  /// `10/31/2026`, `1/21/10`: SALES before version 1_0.
  case shortSlashed

  init(_ header: ReportHeader) {
    switch header.kind {
    case .sales where header.version == ReportHeader.versionBefore1: self = .shortSlashed
    case .sales, .preOrder, .newsstand, .financial, .financeDetail, .payments: self = .slashed
    default: self = .dashed
    }
  }

  /// What an error message expects in place of a day.
  var expected: String {
    switch self {
    case .dashed: "a date such as 2026-10-31, from 2008 to 2099"
    case .slashed, .shortSlashed: "a date such as 10/31/2026, from 2008 to 2099"
    }
  }
}

extension RowSplitter {
  /// Reads a day; a blank field is an error.
  func day(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Day {
    let range = content(line, field)
    if range.isEmpty { throw FieldFault(field, .missingValue, expected: dateFormat.expected) }
    return try day(line, range, field)
  }

  /// Reads a day; `nil` if the field is blank.
  @inline(__always)
  func dayOrBlank(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Day? {
    if self[field].isEmpty { return nil }
    let range = content(line, field)
    return range.isEmpty ? nil : try day(line, range, field)
  }

  private func day(
    _ line: Span<UInt8>, _ range: Range<Int>, _ field: Int
  ) throws(FieldFault) -> Day {
    if let day = reportDay(line, range, dateFormat) { return day }
    let isRewritten = DateParts(line, range)?.isRewritten(dateFormat) ?? false
    throw FieldFault(
      field, isRewritten ? .rewrittenDate : .notADate, expected: dateFormat.expected)
  }
}

/// The range of days that rows of a file may have, near the day in the file's name.
///
/// A row with a day far from it is rejected, because a spreadsheet has probably exchanged month and
/// day.
package struct AllowedDays: Sendable {
  /// The most days that a row may be outside its report's period (METRICS.md 2.11).
  private static let farthest = 40

  private let named: Day
  private let days: ClosedRange<Day>

  /// Creates the range for a file.
  ///
  /// - Parameters:
  ///   - day: The day in the file's name.
  ///   - frequency: The length of the report's period, which starts or ends on that day.
  package init(_ day: Day, _ frequency: Frequency?) {
    let length =
      switch frequency {
      case .daily, nil: 0
      case .weekly: 6
      case .monthly: 30
      case .yearly: 365
      }
    named = day
    days = (day - Self.farthest - length)...(day + Self.farthest + length)
  }

  /// Returns whether a row may have a day of a period.
  ///
  /// - Parameter period: The days of the period.
  /// - Returns: Whether it may.
  package func overlaps(_ period: ClosedRange<Day>) -> Bool { days.overlaps(period) }

  /// Throws if a row's day is outside the range.
  func check(_ day: Day, _ field: Int) throws(FieldFault) {
    guard !days.contains(day) else { return }
    throw FieldFault(
      field, .rewrittenDate,
      expected: "a day at most \(Self.farthest) days from \(named), the day in the file's name")
  }
}

extension AllowedDays {
  /// Returns whether a day is outside the range, and inside it with its month and day exchanged.
  ///
  /// SALES rows say the days of their report, so the name may be wrong. But a spreadsheet makes 2 May of `02/05/2026`
  /// in a file of 5 February.
  ///
  /// - Parameter day: The Begin Date of a row.
  /// - Returns: Whether a spreadsheet has rewritten it.
  func isExchanged(_ day: Day) -> Bool {
    guard !days.contains(day), day.dayOfMonth <= 12 else { return false }
    let month = Month(year: day.month.year, month: day.dayOfMonth)
    return days.contains(month.firstDay + (day.month.monthOfYear - 1))
  }

  /// Throws if a spreadsheet has exchanged the month and the day of a SALES row.
  func checkExchanged(_ day: Day, _ field: Int) throws(FieldFault) {
    if isExchanged(day) { try check(day, field) }
  }
}

extension ReportPeriod {
  /// Returns whether a spreadsheet has exchanged month and day in rows of the period; `false` for a name without a day.
  ///
  /// - Parameter named: The day in the name of the SALES file.
  /// - Returns: Whether its rows will be rejected.
  package func isExchanged(_ named: Day?) -> Bool {
    named.map { AllowedDays($0, frequency).isExchanged(firstDay) } ?? false
  }
}

/// Caches the last text that was read as a day, because nearly all rows of a daily report have the
/// same day.
struct DayCache {
  /// The range of days for the current file; `nil` for any day.
  private let nearby: AllowedDays?
  private var text: ShortText?
  private var day = Day(number: 0)

  init(_ nearby: AllowedDays? = nil) { self.nearby = nearby }

  /// Reads a day; a blank field is an error.
  @inline(__always)
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter, _ field: Int
  ) throws(FieldFault) -> Day {
    let text = ShortText(line, row[field])
    if let text, text == self.text { return day }
    return try readAnother(line, row, field, text)
  }

  private mutating func readAnother(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter, _ field: Int, _ text: ShortText?
  ) throws(FieldFault) -> Day {
    let day = try row.day(line, field)
    try nearby?.check(day, field)
    self.day = day
    self.text = text
    return day
  }
}

extension Day {
  /// Whether the day is from 2008-01-01, in the year when the App Store opened, to 2100-01-01.
  fileprivate var isInRange: Bool { number >= 13_879 && number <= 47_482 }
}

/// Reads a date, from 2008-01-01 to 2100-01-01.
///
/// - Parameters:
///   - line: The line that holds the date.
///   - range: Where the date is, without blanks at its ends.
///   - format: The format of dates in the report.
/// - Returns: The day; `nil` if there is no such day or the date has another format.
func reportDay(_ line: Span<UInt8>, _ range: Range<Int>, _ format: DateFormat = .dashed) -> Day? {
  if let day = usualDay(line, range) { return day }
  if case .dashed = format { return nil }
  return DateParts(line, range)?.day(format)
}

/// A text of three numbers with two slashes, dashes or dots between them.
private struct DateParts {
  private var numbers = (0, 0, 0)
  private var digits = (0, 0, 0)
  private var separator: UInt8 = 0

  init?(_ line: Span<UInt8>, _ range: Range<Int>) {
    var part = 0
    for offset in range {
      let byte = line[offset]
      let digit = byte &- UInt8(ascii: "0")
      if digit <= 9 {
        switch part {
        case 0: (numbers.0, digits.0) = (numbers.0 &* 10 &+ Int(digit), digits.0 &+ 1)
        case 1: (numbers.1, digits.1) = (numbers.1 &* 10 &+ Int(digit), digits.1 &+ 1)
        default: (numbers.2, digits.2) = (numbers.2 &* 10 &+ Int(digit), digits.2 &+ 1)
        }
      } else {
        guard part < 2, part == 0 || byte == separator else { return nil }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."): break
        default: return nil
        }
        separator = byte
        part &+= 1
      }
    }
    guard part == 2, digits.0 > 0, digits.1 > 0, digits.2 > 0 else { return nil }
  }

  /// Returns the day of a date with slashes; `nil` if it does not have Apple's format.
  func day(_ format: DateFormat) -> Day? {
    guard isInAppleFormat(format) else { return nil }
    let year = digits.2 == 2 ? 2000 + numbers.2 : numbers.2
    return Day(year: year, month: numbers.0, day: numbers.1).flatMap { $0.isInRange ? $0 : nil }
  }

  /// Returns whether the text has Apple's format of dates with slashes, even if there is no such
  /// day.
  private func isInAppleFormat(_ format: DateFormat) -> Bool {
    guard separator == UInt8(ascii: "/") else { return false }
    return switch format {
    case .dashed: false
    case .slashed: digits == (2, 2, 4)
    case .shortSlashed: digits.0 <= 2 && digits.1 <= 2 && (digits.2 == 2 || digits.2 == 4)
    }
  }

  /// Returns whether the text has the format of a spreadsheet's date, and not Apple's.
  func isRewritten(_ format: DateFormat) -> Bool {
    guard digits.1 <= 2 else { return false }
    let endsWithYear = digits.0 <= 2 && (digits.2 == 2 || digits.2 == 4)
    // With dashes and the year first, the text has Apple's format, but there is no such day.
    let beginsWithYear = separator != UInt8(ascii: "-") && digits.0 == 4 && digits.2 <= 2
    return (endsWithYear || beginsWithYear) && !isInAppleFormat(format)
  }
}

/// Reads a day in the format `2026-10-31`, fast; `nil` for other formats or if there is no such
/// day.
private func usualDay(_ line: Span<UInt8>, _ range: Range<Int>) -> Day? {
  let start = range.lowerBound
  guard range.count == 10, line[start + 4] == UInt8(ascii: "-"),
    line[start + 7] == UInt8(ascii: "-")
  else { return nil }
  var worst: UInt8 = 0
  func digit(_ offset: Int) -> Int {
    let digit = line[start + offset] &- UInt8(ascii: "0")
    worst = max(worst, digit)
    return Int(digit)
  }
  let year = digit(0) * 1_000 + digit(1) * 100 + digit(2) * 10 + digit(3)
  let month = digit(5) * 10 + digit(6)
  let day = digit(8) * 10 + digit(9)
  guard worst <= 9 else { return nil }
  return Day(year: year, month: month, day: day).flatMap { $0.isInRange ? $0 : nil }
}
