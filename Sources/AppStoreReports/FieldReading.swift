import Scanning
import SubscriptionModel

// Reads single fields, for all kinds of reports.
extension RowSplitter {
  /// Reads a whole number, such as `3`, `-1` or `2.00`; `nil` if the field is blank.
  @inline(__always)
  func wholeNumber(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Int? {
    let whole = self[field]
    if whole.count == 1 {
      // Most counts have one digit.
      let digit = line[whole.lowerBound] &- UInt8(ascii: "0")
      if digit <= 9 { return Int(digit) }
    }
    return try longNumber(line, whole, field)
  }

  private func longNumber(
    _ line: Span<UInt8>, _ whole: Range<Int>, _ field: Int
  ) throws(FieldFault) -> Int? {
    let range = trimmed(line, whole)
    if range.isEmpty { return nil }
    if let number = ByteNumber.integer(line, range) { return number }
    if case .value(let milliunits) = ByteNumber.milliunits(line, range), milliunits % 1_000 == 0 {
      return Int(milliunits / 1_000)
    }
    throw FieldFault(field, .notAWholeNumber, expected: "a whole number such as 1")
  }

  /// Reads a count of 0 or more; `nil` if the field is blank.
  @inline(__always)
  func count(_ line: Span<UInt8>, _ field: Int, atMost limit: Int) throws(FieldFault) -> Int? {
    guard let count = try wholeNumber(line, field) else { return nil }
    if count < 0 {
      throw FieldFault(field, .notAWholeNumber, expected: "a whole number, 0 or more")
    }
    if count > limit { throw FieldFault(field, .unitsOutOfRange, expected: "at most \(limit)") }
    return count
  }

  /// Reads an amount in milliunits, with its sign; a blank field is an error.
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

  /// Reads a text without the blanks at its ends; a blank field is an error.
  func requiredText(
    _ line: Span<UInt8>, _ field: Int, expected: String
  ) throws(FieldFault) -> String {
    let range = content(line, field)
    if range.isEmpty { throw FieldFault(field, .missingValue, expected: expected) }
    return text(line, range)
  }
}

/// The expected text for a duration, in messages.
let expectedTerm = "a duration such as 7 Days, 1 Month or 1 Year"

/// A fault in one field of a row, without the row's place in the file.
struct FieldFault: Error {
  /// The column, from 0.
  let field: Int
  /// The code of the fault.
  let code: Reject.Code
  /// A description of what was found; `nil` to quote the field's text.
  let found: String?
  /// What was expected.
  let expected: String

  init(_ field: Int, _ code: Reject.Code, found: String? = nil, expected: String) {
    self.field = field
    self.code = code
    self.found = found
    self.expected = expected
  }
}
