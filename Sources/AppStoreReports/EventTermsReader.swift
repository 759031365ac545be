import Scanning
import SubscriptionModel

/// Reads all of a SUBSCRIPTION_EVENT row but its days, its paid periods and its quantity.
struct EventTermsReader: DescriptionReader {
  private let event: Int
  private let standardDuration: Int
  private let previousAppleID: Int
  private let previousName: Int
  private let cancellationReason: Int
  private let registries: Registries
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
    standardDuration = header.fieldOrNone(.standardDuration)
    previousAppleID = header.fieldOrNone(.previousAppleID)
    previousName = header.fieldOrNone(.previousName)
    cancellationReason = header.fieldOrNone(.cancellationReason)
    self.registries = registries
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
    var attributes = attributeReader.attributes(line, row)
    attributes.duration = attributeReader.durationSymbol(
      line, row.content(line, standardDuration))
    var terms = EventTerms(attributes: attributes, eventClass: words.eventClass, name: symbol)
    terms.isDowngrade = words.isDowngrade
    terms.isPlainRenewal = words.isPlainRenewal
    terms.isFromRetryOrGrace = words.isFromRetryOrGrace
    if words.eventClass == .lapse {
      terms.reason = LapseReason(text(line, row.content(line, cancellationReason)))
    }
    terms.previousProduct = attributeReader.symbol(line, row[previousAppleID])
    terms.previousProductName = attributeReader.symbol(line, row[previousName])
    return registries.number(of: terms)
  }
}
