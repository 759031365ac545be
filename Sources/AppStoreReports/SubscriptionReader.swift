public import Scanning
import SubscriptionModel

/// One SUBSCRIPTION row: how many subscriptions of one description were active at a day's end.
public struct SnapshotRow: Equatable, Sendable {
  /// Paid subscriptions: at the standard price, paid up front, or paid as you go.
  public var active: Int64
  /// The index of the row's `Attributes` in ``RegistrySnapshot/snapshotTerms``.
  public var terms: UInt32
}

/// Reads the rows of a SUBSCRIPTION report, the snapshot at the end of a day.
///
/// Active is what METRICS.md section 5 counts: Active Standard Price and every Pay Up Front and
/// Pay As You Go column, of introductory, promotional, offer-code and win-back offers, also of
/// kinds that come later. Free trials, opt-ins, billing retry, grace and Subscribers are not in
/// it. Before version 1_1, Active Subscriptions alone is the count.
public struct SubscriptionReader: ~Copyable {
  private let counts: [Int]
  private var row: RowSplitter
  private var descriptions: DescriptionTable<SnapshotTermsReader>

  /// The largest count of one column: beyond it sums could overflow.
  private static let mostSubscriptions = 1_000_000_000

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - header: The header of a SUBSCRIPTION report.
  ///   - registries: Where texts and terms are numbered.
  public init(header: ReportHeader, registries: Registries) {
    precondition(header.kind == .subscription, "the header of another kind of report")
    counts =
      [header.fieldOrNone(.activeStandard)] + header.fields(containing: "pay up front")
      + header.fields(containing: "pay as you go")
    row = RowSplitter(header)
    descriptions = DescriptionTable(
      header, columns: SnapshotTermsReader.columns, SnapshotTermsReader(header, registries))
  }

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The number of active subscriptions, which may be 0.
  public mutating func read(_ line: Span<UInt8>, _ place: Line) -> RowOutcome<SnapshotRow> {
    let known = descriptions.known(line, place, &row)
    if known == nil, let reject = row.split(line, place) { return .rejected(reject) }
    do throws(FieldFault) {
      let terms = if let known { known } else { try descriptions.description(line, row) }
      var active: Int64 = 0
      for field in counts {
        active += Int64(try row.count(line, field, atMost: Self.mostSubscriptions) ?? 0)
      }
      return .row(SnapshotRow(active: active, terms: terms))
    } catch {
      return .rejected(row.reject(error, line, place))
    }
  }
}

/// Reads what a SUBSCRIPTION row says beside its counts.
struct SnapshotTermsReader: DescriptionReader {
  private let standardDuration: Int
  private let customerPrice: Int
  private let customerCurrency: Int
  private let registries: Registries
  private var attributeReader: AttributeReader

  /// The columns that this is read from, and those between them that repeat as much.
  static let columns: [Column] =
    AttributeReader.subscriptionColumns + ReportLayout.snapshotBridges + [
      .standardDuration, .customerPrice, .customerCurrency,
    ]

  init(_ header: ReportHeader, _ registries: Registries) {
    standardDuration = header.fieldOrNone(.standardDuration)
    customerPrice = header.fieldOrNone(.customerPrice)
    customerCurrency = header.fieldOrNone(.customerCurrency)
    self.registries = registries
    attributeReader = AttributeReader(header, registries)
  }

  /// Returns the number of a row's attributes.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> UInt32 {
    var attributes = attributeReader.attributes(line, row)
    attributes.duration = attributeReader.durationSymbol(
      line, row.content(line, standardDuration))
    if !row.content(line, customerPrice).isEmpty {
      attributes.price = attributeReader.priceSymbol(
        try row.amount(line, customerPrice), line, currency: row.content(line, customerCurrency))
    }
    return registries.number(of: attributes)
  }
}
