import Scanning
import SubscriptionModel

// The readings of single fields that all kinds of report share.
extension RowSplitter {
  /// Reads a day that must be there.
  func day(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Day {
    let range = content(line, field)
    if range.isEmpty { throw FieldFault(field, .missingValue, expected: expectedDay) }
    guard let day = reportDay(line, range) else {
      throw FieldFault(field, .notADate, expected: expectedDay)
    }
    return day
  }

  /// Reads a day that may be blank.
  func dayOrBlank(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Day? {
    if self[field].isEmpty { return nil }
    let range = content(line, field)
    if range.isEmpty { return nil }
    guard let day = reportDay(line, range) else {
      throw FieldFault(field, .notADate, expected: expectedDay)
    }
    return day
  }

  /// Reads a whole number, such as `3`, `-1` or `2.00`; `nil` when the field is blank.
  func wholeNumber(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Int? {
    let whole = self[field]
    if whole.count == 1 {
      // As most counts are.
      let digit = line[whole.lowerBound] &- UInt8(ascii: "0")
      if digit <= 9 { return Int(digit) }
    }
    let range = trimmed(line, whole)
    if range.isEmpty { return nil }
    if let number = ByteNumber.integer(line, range) { return number }
    if case .value(let milliunits) = ByteNumber.milliunits(line, range), milliunits % 1_000 == 0 {
      return Int(milliunits / 1_000)
    }
    throw FieldFault(field, .notAWholeNumber, expected: "a whole number such as 1")
  }

  /// Reads a count of 0 or more; `nil` when the field is blank.
  func count(_ line: Span<UInt8>, _ field: Int, atMost limit: Int) throws(FieldFault) -> Int? {
    guard let count = try wholeNumber(line, field) else { return nil }
    if count < 0 {
      throw FieldFault(field, .notAWholeNumber, expected: "a whole number, 0 or more")
    }
    if count > limit { throw FieldFault(field, .unitsOutOfRange, expected: "at most \(limit)") }
    return count
  }

  /// Reads an amount that must be there, in milliunits, with its sign.
  func amount(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Int64 {
    let range = content(line, field)
    let expected = "a decimal such as 9.99"
    if range.isEmpty { throw FieldFault(field, .missingValue, expected: expected) }
    switch ByteNumber.milliunits(line, range) {
    case .value(.min), .outOfRange:
      throw FieldFault(field, .amountOutOfRange, expected: "an amount within ±9.2 quadrillion")
    case .value(let milliunits): return milliunits
    case .notADecimal: throw FieldFault(field, .notADecimal, expected: expected)
    case .tooManyDecimals:
      throw FieldFault(field, .tooManyDecimals, expected: "at most three decimals")
    }
  }

  /// Reads a text that must be there, without the blanks at its ends.
  func requiredText(
    _ line: Span<UInt8>, _ field: Int, expected: String
  ) throws(FieldFault) -> String {
    let range = content(line, field)
    if range.isEmpty { throw FieldFault(field, .missingValue, expected: expected) }
    return text(line, range)
  }
}

/// The day that was read last: nearly all rows of a daily report have the same Event Date.
struct LastDay {
  private var text: ShortText?
  private var day = Day(number: 0)

  /// Reads a day that must be there.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter, _ field: Int
  ) throws(FieldFault) -> Day {
    let text = ShortText(line, row[field])
    if let text, text == self.text { return day }
    day = try row.day(line, field)
    self.text = text
    return day
  }
}

/// What a message says where a day is expected.
private let expectedDay = "a date such as 2026-10-31, from 2008 to 2099"

/// What a message says where a duration is expected.
let expectedTerm = "a duration such as 7 Days, 1 Month or 1 Year"

extension Day {
  /// Whether a report can be about the day, from 2008-01-01 to 2100-01-01: before the App Store opened
  /// there are none.
  fileprivate var isReportable: Bool { number >= 13_879 && number <= 47_482 }
}

/// Reads `2026-10-31`, `10/31/2026` or `10/31/26`, from 2008-01-01 to 2100-01-01.
///
/// - Parameters:
///   - line: The line that holds the date.
///   - range: Where it is, without blanks at its ends.
/// - Returns: The day, or `nil` when there is no such day.
func reportDay(_ line: Span<UInt8>, _ range: Range<Int>) -> Day? {
  if let day = usualDay(line, range) { return day }
  var numbers = (0, 0, 0)
  var digits = (0, 0, 0)
  var part = 0
  var separator: UInt8 = 0
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
      guard byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/"), part < 2,
        part == 0 || byte == separator
      else { return nil }
      separator = byte
      part &+= 1
    }
  }
  guard part == 2 else { return nil }
  let day: Day?
  if separator == UInt8(ascii: "-") {
    guard digits == (4, 2, 2) else { return nil }
    day = Day(year: numbers.0, month: numbers.1, day: numbers.2)
  } else {
    guard 1...2 ~= digits.0, 1...2 ~= digits.1, digits.2 == 4 || digits.2 == 2 else { return nil }
    let year = digits.2 == 2 ? 2000 + numbers.2 : numbers.2
    day = Day(year: year, month: numbers.0, day: numbers.1)
  }
  return day.flatMap { $0.isReportable ? $0 : nil }
}

/// Reads a day of the usual shape, `2026-10-31`, without looking for the shape first; `nil` for any
/// other shape and for what is no day.
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
