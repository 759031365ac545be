package import Scanning
package import SubscriptionModel

/// Reads the rows of a SUBSCRIBER report (METRICS.md sections 1 and 2).
///
/// The description of a good row is usually cached: its bytes are looked up, and only the six other
/// columns are split and read. A row with several faults is rejected for the first in this order:
/// the row as a whole, description, Event Date, missing id, Purchase Date, units, negative price,
/// rewritten id.
///
/// A reader can read any file with the same columns (``ReportHeader/hasSameColumns(as:)``), and its
/// cache makes later files faster. Call ``beginFile(_:)`` before each file.
package struct SubscriberReader: ~Copyable {
  private let eventDate: Int
  private let subscriberID: Int
  private let subscriberIDReset: Int
  private let refund: Int
  private let purchaseDate: Int
  private let units: Int
  private let customerPrice: Int
  private var row: RowSplitter
  private var descriptions: DescriptionTable<ChargeTermsReader>
  private var keys: SubscriberKeys
  private var lastEventDate = DayCache()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - header: The header of a SUBSCRIBER report.
  ///   - registries: The symbols and terms of the run.
  package init(header: ReportHeader, registries: Registries) {
    precondition(header.kind == .subscriber, "a reader needs a header of its kind of report")
    eventDate = header.fieldOrNone(.eventDate)
    subscriberID = header.fieldOrNone(.subscriberID)
    subscriberIDReset = header.fieldOrNone(.subscriberIDReset)
    refund = header.fieldOrNone(.refund)
    purchaseDate = header.fieldOrNone(.purchaseDate)
    units = header.fieldOrNone(.units)
    customerPrice = header.fieldOrNone(.customerPrice)
    row = RowSplitter(header, hiding: .subscriberID)
    descriptions = DescriptionTable(
      header, columns: ChargeTermsReader.columns, ChargeTermsReader(header, registries))
    keys = SubscriberKeys(registries)
  }

  /// Begins a file.
  ///
  /// - Parameter days: The range of days that rows may have; `nil` for any day.
  package mutating func beginFile(_ days: AllowedDays?) { lastEventDate = DayCache(days) }

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  ///   - fileIndex: The file's index among all files of the run.
  ///   - rowIndex: The row's index in the file.
  /// - Returns: The charge or refund; a charge with 0 units is ignored.
  package mutating func read(
    _ line: Span<UInt8>, _ place: Line, fileIndex: UInt32, row rowIndex: UInt32
  ) -> RowOutcome<ChargeRecord> {
    let cached = descriptions.cached(line, place, &row)
    if cached == nil, let reject = row.split(line, place) { return .rejected(reject) }
    do throws(FieldFault) {
      var record = try record(line, cached)
      if record.units == 0, !record.isRefund { return .ignored(.zeroQuantity) }
      record.order = UInt64(fileIndex) << 32 | UInt64(rowIndex)
      return .row(record)
    } catch {
      return .rejected(row.reject(error, line, place))
    }
  }

  /// Returns the key of a row's subscriber, also of a row that does not count.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The key, see ``SubscriberKey``; `nil` if the row has no id that can be read.
  package mutating func subscriber(_ line: Span<UInt8>, _ place: Line) -> UInt64? {
    guard row.split(line, place) == nil else { return nil }
    let id = row.content(line, subscriberID)
    return id.isEmpty ? nil : keys.key(line, id)
  }

  private mutating func record(
    _ line: Span<UInt8>, _ cached: ChargeTermsReader.Description?
  ) throws(FieldFault) -> ChargeRecord {
    let description = if let cached { cached } else { try descriptions.description(line, row) }
    let isRefund = try row.flag(line, refund)
    if description.lacksOfferTerm, !isRefund {
      throw descriptions.reader.missingTerm(description)
    }
    let day = try lastEventDate.read(line, row, eventDate)
    let id = row.content(line, subscriberID)
    if id.isEmpty {
      throw FieldFault(subscriberID, .missingValue, expected: "the id of a subscriber")
    }
    let purchaseDay = try row.dayOrBlank(line, purchaseDate)
    let units = try row.unitCount(line, units, isRefund: isRefund)
    if description.isPriceNegative, !isRefund, units != 0 {
      throw FieldFault(customerPrice, .negativePrice, expected: "0 or more where Refund is not Yes")
    }
    guard let key = keys.key(line, id) else {
      throw FieldFault(
        subscriberID, .rewrittenID, found: RewrittenNumber.foundID,
        expected: RewrittenNumber.expectedID)
    }
    return ChargeRecord(
      subscriber: key, order: 0, day: day.number,
      purchaseDay: isRefund ? purchaseDay?.number ?? ChargeRecord.noDay : ChargeRecord.noDay,
      terms: description.terms, units: units, isRefund: isRefund,
      isIDReset: row.isYes(line, subscriberIDReset))
  }
}

extension RowSplitter {
  /// The most units in one row.
  private static let mostUnits = 10_000

  /// Reads Units without sign; 1 if blank.
  @inline(__always)
  fileprivate func unitCount(
    _ line: Span<UInt8>, _ units: Int, isRefund: Bool
  ) throws(FieldFault) -> Int16 {
    let field = self[units]
    if field.count == 1, line[field.lowerBound] == UInt8(ascii: "1") { return 1 }
    return try unusualUnitCount(line, units, isRefund: isRefund)
  }

  /// Reads Units other than `1`.
  private func unusualUnitCount(
    _ line: Span<UInt8>, _ units: Int, isRefund: Bool
  ) throws(FieldFault) -> Int16 {
    guard let count = try wholeNumber(line, units) else { return 1 }
    if count < 0, !isRefund {
      throw FieldFault(units, .negativeUnits, expected: "0 or more where Refund is not Yes")
    }
    guard count.magnitude <= Self.mostUnits else {
      throw FieldFault(units, .unitsOutOfRange, expected: "at most \(Self.mostUnits)")
    }
    return Int16(count.magnitude)
  }
}
