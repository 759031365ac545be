public import Scanning
public import SubscriptionModel

/// One SUBSCRIPTION_EVENT row.
public struct EventRow: Equatable, Sendable {
  /// The Event Date.
  public var day: Day
  /// The Original Start Date, if the row has one.
  public var originalStart: Day?
  /// Consecutive Paid Periods; 0 when blank.
  public var paidPeriods: Int32
  /// How many events the row stands for, at least 1; positive for refunds, too.
  public var quantity: Int64
  /// The index of the row's `EventTerms`.
  public var terms: UInt32
}

/// Reads the rows of a SUBSCRIPTION_EVENT report (METRICS.md section 4).
///
/// A reader can read any file with the same columns (``ReportHeader/hasSameColumns(as:)``); call
/// ``beginFile(_:)`` before each.
public struct SubscriptionEventReader: ~Copyable {
  private let eventDate: Int
  private let originalStartDate: Int
  private let paidPeriods: Int
  private let quantity: Int
  private var row: RowSplitter
  private var descriptions: DescriptionTable<EventTermsReader>
  private var lastEventDate = LastDay()

  /// The largest quantity of one row; with more, sums could overflow.
  private static let mostEvents = 1_000_000_000

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - header: The header of a SUBSCRIPTION_EVENT report.
  ///   - registries: Numbers the texts and terms.
  public init(header: ReportHeader, registries: Registries) {
    precondition(header.kind == .subscriptionEvent, "the header of another kind of report")
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
  /// - Parameter days: The days that its rows may have; `nil` for any.
  public mutating func beginFile(_ days: NearbyDays?) { lastEventDate = LastDay(days) }

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The events; a quantity of 0 is ignored.
  public mutating func read(_ line: Span<UInt8>, _ place: Line) -> RowOutcome<EventRow> {
    let known = descriptions.known(line, place, &row)
    if known == nil, let reject = row.split(line, place) { return .rejected(reject) }
    do throws(FieldFault) {
      let event = try event(line, known)
      return event.quantity == 0 ? .ignored(.zeroQuantity) : .row(event)
    } catch {
      return .rejected(row.reject(error, line, place))
    }
  }

  private mutating func event(
    _ line: Span<UInt8>, _ known: EventTermsReader.Description?
  ) throws(FieldFault) -> EventRow {
    let terms = if let known { known } else { try descriptions.description(line, row) }
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

/// Reads all of a SUBSCRIPTION_EVENT row but its days, its paid periods and its quantity.
struct EventTermsReader: DescriptionReader {
  private let event: Int
  private let previousAppleID: Int
  private let previousName: Int
  private let cancellationReason: Int
  private var attributeReader: AttributeReader
  /// The meaning of each event name; there are dozens of names in tens of thousands of terms.
  private var wordsOfName: [Symbol: EventWords] = [:]

  /// The columns that are read, and the equally repetitive ones between them.
  static let columns: [Column] =
    AttributeReader.subscriptionColumns + ReportLayout.eventBridges + [
      .event, .standardDuration, .previousAppleID, .previousName, .cancellationReason,
    ]

  init(_ header: ReportHeader, _ registries: Registries) {
    event = header.fieldOrNone(.event)
    previousAppleID = header.fieldOrNone(.previousAppleID)
    previousName = header.fieldOrNone(.previousName)
    cancellationReason = header.fieldOrNone(.cancellationReason)
    attributeReader = AttributeReader(header, registries)
  }

  /// Returns the number of a row's terms.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> UInt32 {
    let name = row.content(line, event)
    if name.isEmpty { throw FieldFault(event, .missingValue, expected: "the name of an event") }
    let symbol = attributeReader.symbol(line, name)
    let words = wordsOfName[symbol] ?? EventWords(text(line, name))
    wordsOfName[symbol] = words
    var terms = EventTerms(
      attributes: attributeReader.attributes(line, row), eventClass: words.eventClass, name: symbol)
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
