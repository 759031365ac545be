import Scanning
public import SubscriptionModel

/// The way Apple writes dates in a report (METRICS.md 2.11).
///
/// `2026-10-31` is read in every report, since it has one meaning only. A date with slashes is read only in
/// reports where Apple writes slashes; in others a spreadsheet has written it, and whether `05/02` is in May
/// or in February depends on the spreadsheet's country.
enum DateForm: Sendable {
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
  /// Reads a required day.
  func day(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Day {
    let range = content(line, field)
    if range.isEmpty { throw FieldFault(field, .missingValue, expected: dateForm.expected) }
    return try day(line, range, field)
  }

  /// Reads an optional day; `nil` if the field is blank.
  @inline(__always)
  func dayOrBlank(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Day? {
    if self[field].isEmpty { return nil }
    let range = content(line, field)
    return range.isEmpty ? nil : try day(line, range, field)
  }

  private func day(
    _ line: Span<UInt8>, _ range: Range<Int>, _ field: Int
  ) throws(FieldFault) -> Day {
    if let day = reportDay(line, range, dateForm) { return day }
    let isRewritten = DateParts(line, range)?.isRewritten(dateForm) ?? false
    throw FieldFault(
      field, isRewritten ? .rewrittenDate : .notADate, expected: dateForm.expected)
  }
}

/// The days that rows of a file may have: those near the day in the file's name.
///
/// A row far from it has a wrong day: a spreadsheet swapped month and day.
public struct NearbyDays: Sendable {
  /// How many days a row may be outside its report's period (METRICS.md 2.11).
  private static let farthest = 40

  private let named: Day
  private let days: ClosedRange<Day>

  /// Creates the days of a file.
  ///
  /// - Parameters:
  ///   - day: The day in the file's name.
  ///   - frequency: The length of the report's period, which starts or ends on that day.
  public init(_ day: Day, _ frequency: Frequency?) {
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

  /// Throws if a row's day is not one of them.
  func check(_ day: Day, _ field: Int) throws(FieldFault) {
    guard !days.contains(day) else { return }
    throw FieldFault(
      field, .rewrittenDate,
      expected: "a day at most \(Self.farthest) days from \(named), the day in the file's name")
  }
}

/// Caches the day that was read last: nearly all rows of a daily report have the same Event Date.
struct LastDay {
  /// The days that rows of the current file may have; `nil` for any.
  private let nearby: NearbyDays?
  private var text: ShortText?
  private var day = Day(number: 0)

  init(_ nearby: NearbyDays? = nil) { self.nearby = nearby }

  /// Reads a required day.
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
  /// Whether a report can have the day: from 2008-01-01, the year the App Store opened, to 2100-01-01.
  fileprivate var isReportable: Bool { number >= 13_879 && number <= 47_482 }
}

/// Reads a date, from 2008-01-01 to 2100-01-01.
///
/// - Parameters:
///   - line: The line that holds the date.
///   - range: Where it is, without blanks at its ends.
///   - form: The way Apple writes dates in this place.
/// - Returns: The day, or `nil` if there is no such day or it is written in another way.
func reportDay(_ line: Span<UInt8>, _ range: Range<Int>, _ form: DateForm = .dashed) -> Day? {
  if let day = usualDay(line, range) { return day }
  if case .dashed = form { return nil }
  return DateParts(line, range)?.day(form)
}

/// Three numbers, separated by two slashes, two dashes or two dots.
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

  /// Returns the day of a date with slashes, in Apple's form only.
  func day(_ form: DateForm) -> Day? {
    guard isApples(form) else { return nil }
    let year = digits.2 == 2 ? 2000 + numbers.2 : numbers.2
    return Day(year: year, month: numbers.0, day: numbers.1).flatMap { $0.isReportable ? $0 : nil }
  }

  /// Returns whether the text has the form of Apple's dates with slashes, even if there is no such day.
  private func isApples(_ form: DateForm) -> Bool {
    guard separator == UInt8(ascii: "/") else { return false }
    return switch form {
    case .dashed: false
    case .slashed: digits == (2, 2, 4)
    case .shortSlashed: digits.0 <= 2 && digits.1 <= 2 && (digits.2 == 2 || digits.2 == 4)
    }
  }

  /// Returns whether the text has the form of a spreadsheet's date and not of Apple's.
  func isRewritten(_ form: DateForm) -> Bool {
    guard digits.1 <= 2 else { return false }
    let endsWithYear = digits.0 <= 2 && (digits.2 == 2 || digits.2 == 4)
    // With dashes and the year first it is Apple's own form, for a day that does not exist.
    let beginsWithYear = separator != UInt8(ascii: "-") && digits.0 == 4 && digits.2 <= 2
    return (endsWithYear || beginsWithYear) && !isApples(form)
  }
}

/// Reads a day in the usual form, `2026-10-31`, in one step; `nil` for other forms or if there is no such day.
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
  return Day(year: year, month: month, day: day).flatMap { $0.isReportable ? $0 : nil }
}
