/// A row that cannot be used: its place, what was found there and what was expected.
///
/// Rejects are collected and counted, and the run continues.
package struct Reject: Equatable, Sendable {
  /// The fault of a row; codes never change.
  package enum Code: String, CaseIterable, Sendable {
    /// An amount column holds something other than a decimal.
    case notADecimal = "not-a-decimal"
    /// An amount has more than three decimals.
    case tooManyDecimals = "too-many-decimals"
    /// An amount is outside ±9.2 quadrillion.
    case amountOutOfRange = "amount-out-of-range"
    /// A date column holds something other than a calendar day, or a last day before the first; in receipts, a date is
    /// neither a number nor a date and time.
    case notADate = "not-a-date"
    /// A date has the format of a spreadsheet, or is far from the day in the file's name.
    ///
    /// A spreadsheet may have exchanged month and day.
    case rewrittenDate = "rewritten-date"
    /// An id has the format of a spreadsheet, which may have lost digits.
    case rewrittenID = "rewritten-id"
    /// A header occurs among the rows: several reports were joined into one file.
    case repeatedHeader = "repeated-header"
    /// A count column holds something other than a whole number.
    case notAWholeNumber = "not-a-whole-number"
    /// A count of units is below 0 in a row that is not a refund.
    case negativeUnits = "negative-units"
    /// A count of units is above the limit.
    case unitsOutOfRange = "units-out-of-range"
    /// A price is below 0.
    case negativePrice = "negative-price"
    /// A subscription has a duration that Apple does not sell.
    case unknownDuration = "unknown-duration"
    /// An offer is of a kind that Apple does not have.
    case unknownOfferType = "unknown-offer-type"
    /// A row has an offer without the offer's duration.
    case missingOfferDuration = "missing-offer-duration"
    /// A row of a financial report is neither a sale nor a return.
    case notASaleOrReturn = "not-a-sale-or-return"
    /// A cell says neither yes nor no: the column Refund, or one of a table of receipts.
    case notABoolean = "not-a-boolean"
    /// A payments CSV names an unknown region.
    case unknownRegion = "unknown-region"
    /// A country has a date, or a bank's currency is no code: two damaged rows may have become one.
    case notACode = "not-a-code"
    /// A required field is blank.
    case missingValue = "missing-value"
    /// The row is not valid UTF-8.
    case invalidUTF8 = "invalid-utf8"
    /// The row is longer than 1 MiB.
    case lineTooLong = "line-too-long"
    /// The row has fewer fields than the header.
    case tooFewFields = "too-few-fields"
    /// The row has more fields than the header.
    case tooManyFields = "too-many-fields"
    /// A line holds several rows: all but the last end in CR alone.
    case lineEnds = "line-ends"
    /// A row of a receipt dump is not JSON.
    case notJSON = "not-json"
    /// A row of a receipt dump is truncated.
    case truncatedRecord = "truncated-record"
    /// A JSON object has a key twice.
    case duplicateKey = "duplicate-key"
    /// A receipt is not base64.
    case notBase64 = "not-base64"
    /// Signed data is not a JWS with a JSON payload.
    case notAJWS = "not-a-jws"
    /// A receipt is not an app receipt: a PKCS#7 container of ASN.1 attributes.
    case notAnAppReceipt = "not-an-app-receipt"
    /// A receipt of iOS 6 is not a property list.
    case notAPropertyList = "not-a-property-list"
    /// A JWS is longer than 64 KiB, or a receipt longer than 16 MiB.
    case recordTooLong = "record-too-long"
    /// JSON is not a response, a transaction or a renewal info.
    case unknownShape = "unknown-shape"
    /// A transaction has no purchase time, or one outside the years 2008 to 2099.
    case noPurchaseDate = "no-purchase-date"
    /// A renewal info is part of a response without a date.
    case noRecordDate = "no-record-date"
    /// A table of receipts lacks columns that decide whose, what and when a purchase was.
    case missingColumn = "missing-column"
    /// A signature does not lead to one of the user's root certificates.
    case notVerified = "not-verified"
  }

  /// Creates the reject for a line that ends in CR alone, among lines that end otherwise.
  package init(lineEndsIn line: Line) {
    self.init(
      line: line.number, byteOffset: line.byteOffset, field: 0, column: "", code: .lineEnds,
      found: .words("lines that end in CR alone among others"),
      expected:
        "lines that all end in LF or CRLF; download the file again, or save it with line feeds")
  }

  /// Whether the reason is that a spreadsheet has changed the value.
  package var isRewritten: Bool { code == .rewrittenDate || code == .rewrittenID }

  /// What was found in place of the expected text.
  package enum Finding: Equatable, Sendable {
    /// Text of the file, cut by ``Reject/excerpt(_:_:)``.
    case text(String)
    /// Text of the file that identifies a person; no output may show it.
    case personal(String)
    /// A description, such as `25 fields`.
    case words(String)

    /// Returns the description of a row by its number of fields.
    ///
    /// - Parameter count: The number of fields.
    /// - Returns: The description, such as `1 field`.
    package static func fields(_ count: Int) -> Finding {
      .words("\(count) field\(count == 1 ? "" : "s")")
    }
  }

  /// The number of the line, from 1.
  package let line: Int
  /// The offset in the text of the byte that the message is about.
  package let byteOffset: Int
  /// The column, from 1; 0 in JSON and for a whole line.
  package let field: Int
  /// The column's name as in the header, or the key in JSON.
  ///
  /// Empty for a whole row.
  package let column: String
  /// The kind of error.
  package let code: Code
  /// What was found.
  package var found: Finding
  /// What was expected, such as `a decimal such as 9.99`.
  package let expected: String

  /// Creates a reject.
  package init(
    line: Int, byteOffset: Int, field: Int, column: String, code: Code, found: Finding,
    expected: String
  ) {
    self.line = line
    self.byteOffset = byteOffset
    self.field = field
    self.column = column
    self.code = code
    self.found = found
    self.expected = expected
  }

  /// Returns the text of a field for a message: at most 80 bytes, cut between characters.
  ///
  /// - Parameters:
  ///   - line: The line that holds the field.
  ///   - range: Where the field is.
  /// - Returns: The text; bytes that are not UTF-8 are shown as U+FFFD.
  package static func excerpt(_ line: Span<UInt8>, _ range: Range<Int>) -> String {
    var end = range.upperBound
    if range.count > 80 {
      end = range.lowerBound + 80
      while end > range.lowerBound + 76, line[end] & 0xC0 == 0x80 { end -= 1 }
    }
    var bytes: [UInt8] = []
    for offset in range.lowerBound..<end { bytes.append(line[offset]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
