package import Scanning
import Storage
package import SubscriptionModel

/// One SUBSCRIPTION_EVENT row.
package struct EventRow: Equatable, Sendable {
  /// The Event Date.
  package var day: Day
  /// The Original Start Date, if the row has one.
  package var originalStart: Day?
  /// Consecutive Paid Periods; 0 if blank.
  package var paidPeriods: Int32
  /// How many events the row counts, at least 1; positive for refunds, too.
  package var quantity: Int64
  /// The index of the row's `EventTerms`.
  package var terms: UInt32
}

/// Reads the rows of a SUBSCRIPTION_EVENT report (METRICS.md section 4).
///
/// A reader can read any file with the same columns (``ReportHeader/hasSameColumns(as:)``). Call
/// ``beginFile(_:)`` before each file.
package struct SubscriptionEventReader: ~Copyable {
  private let eventDate: Int
  private let originalStartDate: Int
  private let paidPeriods: Int
  private let quantity: Int
  private var row: RowSplitter
  private var descriptions: DescriptionTable<EventTermsReader>
  private var lastEventDate = DayCache()

  /// The largest quantity in one row; with more, sums could overflow.
  private static let mostEvents = 1_000_000_000

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - header: The header of a SUBSCRIPTION_EVENT report.
  ///   - registries: The symbols and terms of the run.
  package init(header: ReportHeader, registries: Registries) {
    precondition(header.kind == .subscriptionEvent, "a reader needs a header of its kind of report")
    eventDate = header.fieldOrNone(.eventDate)
    originalStartDate = header.fieldOrNone(.originalStartDate)
    paidPeriods = header.fieldOrNone(.paidPeriods)
    quantity = header.fieldOrNone(.quantity)
    row = RowSplitter(header)
    descriptions = DescriptionTable(
      header, columns: EventTermsReader.columns, EventTermsReader(header, registries))
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
  /// - Returns: The events; a row with the quantity 0 is ignored.
  package mutating func read(_ line: Span<UInt8>, _ place: Line) -> RowOutcome<EventRow> {
    let cached = descriptions.cached(line, place, &row)
    if cached == nil, let reject = row.split(line, place) { return .rejected(reject) }
    do throws(FieldFault) {
      let event = try event(line, cached)
      return event.quantity == 0 ? .ignored(.zeroQuantity) : .row(event)
    } catch {
      return .rejected(row.reject(error, line, place))
    }
  }

  private mutating func event(
    _ line: Span<UInt8>, _ cached: EventTermsReader.Description?
  ) throws(FieldFault) -> EventRow {
    let terms = if let cached { cached } else { try descriptions.description(line, row) }
    let day = try lastEventDate.read(line, row, eventDate)
    let originalStart = try row.dayOrBlank(line, originalStartDate)
    let periods = try row.count(line, paidPeriods, atMost: 100_000) ?? 0
    guard let count = try row.wholeNumber(line, quantity) else {
      throw FieldFault(quantity, .missingValue, expected: "a whole number such as 1")
    }
    if count < 0 { throw FieldFault(quantity, .negativeUnits, expected: "a positive number") }
    guard count <= Self.mostEvents else {
      throw FieldFault(quantity, .unitsOutOfRange, expected: "at most \(Self.mostEvents)")
    }
    return EventRow(
      day: day, originalStart: originalStart, paidPeriods: Int32(periods), quantity: Int64(count),
      terms: terms)
  }
}

/// Reads all fields of a SUBSCRIPTION_EVENT row except its days, paid periods and quantity.
struct EventTermsReader: DescriptionReader {
  private let event: Int
  private let previousAppleID: Int
  private let previousName: Int
  private let cancellationReason: Int
  private var attributeReader: AttributeReader
  /// A cache of classified names: tens of thousands of terms share dozens of names.
  private var wordsOfName: [Symbol: EventWords] = [:]

  /// The columns of the description, read and unread.
  static let columns: [Column] =
    AttributeReader.subscriptionColumns + ReportLayout.unreadEventColumns + [
      .event, .standardDuration, .previousAppleID, .previousName, .cancellationReason,
    ]

  init(_ header: ReportHeader, _ registries: Registries) {
    event = header.fieldOrNone(.event)
    previousAppleID = header.fieldOrNone(.previousAppleID)
    previousName = header.fieldOrNone(.previousName)
    cancellationReason = header.fieldOrNone(.cancellationReason)
    attributeReader = AttributeReader(header, registries)
  }

  /// Reads the description of a row, and returns the index of its terms.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> UInt32 {
    let name = row.content(line, event)
    if name.isEmpty { throw FieldFault(event, .missingValue, expected: "the name of an event") }
    let symbol = attributeReader.symbol(line, name)
    let words = wordsOfName[symbol] ?? EventWords(text(line, name))
    wordsOfName[symbol] = words
    var terms = EventTerms(
      attributes: try attributeReader.attributes(line, row), eventClass: words.eventClass,
      name: symbol)
    terms.isDowngrade = words.isDowngrade
    terms.isPlainRenewal = words.isPlainRenewal
    terms.isFromRetryOrGrace = words.isFromRetryOrGrace
    if words.eventClass == .lapse {
      terms.reason = LapseReason(text(line, row.content(line, cancellationReason)))
    }
    terms.previousProduct = attributeReader.symbol(line, row[previousAppleID])
    terms.previousProductName = attributeReader.symbol(line, row[previousName])
    return attributeReader.registries.number(of: terms)
  }
}
