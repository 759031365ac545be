package import Scanning
package import SubscriptionModel

/// One SUBSCRIPTION row: the number of subscriptions with one description that are active at a
/// day's end.
package struct SnapshotRow: Equatable, Sendable {
  /// The number of paid subscriptions: at the standard price, paid up front, or paid as you go.
  package var active: Int64
  /// The index of the row's terms in ``Registries/snapshotTerms``.
  package var terms: UInt32
}

/// Reads the rows of a SUBSCRIPTION report, the snapshot at the end of a day.
///
/// Active is defined in METRICS.md section 5: Active Standard Price plus every column with Pay Up
/// Front or Pay As You Go in its name, for introductory, promotional, offer-code, win-back and
/// future kinds of offers. Free trials, opt-ins, billing retry, grace and Subscribers are not
/// included. Before version 1_1, the column Active Subscriptions is the count.
package struct SubscriptionReader: ~Copyable {
  /// The number of the field and the column of each count.
  private let counts: [(field: Int, column: SnapshotColumn)]
  /// The counts of the last row, by the raw values of their columns.
  package private(set) var columnCounts = [Int](repeating: 0, count: Self.columns.count)
  /// Whether a count of the last row is not 0.
  package private(set) var hasCounts = false

  /// All columns, in the order of their raw values.
  package static let columns = SnapshotColumn.allCases
  /// The numbers of the new columns that look like counts.
  private let unknownFields: [Int]
  private var unknownSums: [UnknownCount]
  private var row: RowSplitter
  private var descriptions: DescriptionTable<SnapshotTermsReader>

  /// The largest count in one column; with more, sums could overflow.
  private static let mostSubscriptions = 1_000_000_000

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - header: The header of a SUBSCRIPTION report.
  ///   - registries: The symbols and terms of the run.
  package init(header: ReportHeader, registries: Registries) {
    precondition(header.kind == .subscription, "a reader needs a header of its kind of report")
    counts =
      [(header.fieldOrNone(.activeStandard), .standard)]
      + Self.fields(header, "pay up front", "introductory", .introUpFront, .offerUpFront)
      + Self.fields(header, "pay as you go", "introductory", .introAsYouGo, .offerAsYouGo)
      // Before version 1_2 all trials were introductory.
      + Self.fields(header, "free trials", "free trials", .freeTrials, .freeOffers)
      + Self.fields(header, "free trial ", "introductory", .freeTrials, .freeOffers)
      + Self.fields(header, "marketing opt-ins", "", .freeOffers, .freeOffers)
      + Self.fields(header, "grace period", "", .grace, .grace)
      + Self.fields(header, "billing retry", "", .billingRetry, .billingRetry)
    unknownFields = header.unknownCounts.map(\.field)
    unknownSums = header.unknownCounts.map { UnknownCount(column: $0.name, sum: 0) }
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
  package mutating func read(_ line: Span<UInt8>, _ place: Line) -> RowOutcome<SnapshotRow> {
    let cached = descriptions.cached(line, place, &row)
    if cached == nil, let reject = row.split(line, place) { return .rejected(reject) }
    do throws(FieldFault) {
      let terms = if let cached { cached } else { try descriptions.description(line, row) }
      var active: Int64 = 0
      if hasCounts { for place in columnCounts.indices { columnCounts[place] = 0 } }
      hasCounts = false
      for (field, column) in counts {
        // Most counts are 0.
        let range = row[field]
        if range.count == 1, line[range.lowerBound] == UInt8(ascii: "0") { continue }
        guard let count = try row.count(line, field, atMost: Self.mostSubscriptions), count != 0
        else { continue }
        if column.isPaid { active += Int64(count) }
        columnCounts[Int(column.rawValue)] += count
        hasCounts = true
      }
      for (index, field) in unknownFields.enumerated() {
        // The row is not rejected for a value that is not a count.
        let count = try? row.count(line, field, atMost: Self.mostSubscriptions)
        unknownSums[index].sum += count ?? 0
      }
      return .row(SnapshotRow(active: active, terms: terms))
    } catch {
      return .rejected(row.reject(error, line, place))
    }
  }

  /// Returns the fields whose names contain a text, each with one column if they contain another one too, else with
  /// the other.
  private static func fields(
    _ header: ReportHeader, _ text: String, _ word: String, _ column: SnapshotColumn,
    _ other: SnapshotColumn
  ) -> [(field: Int, column: SnapshotColumn)] {
    let those = Set(word.isEmpty ? [] : header.fields(containing: word))
    return header.fields(containing: text).map { ($0, those.contains($0) ? column : other) }
  }

  /// Begins a file.
  package mutating func beginFile() {
    for index in unknownSums.indices { unknownSums[index].sum = 0 }
  }

  /// The new columns that look like counts, with their sums in the current file so far.
  package var unknownCounts: [UnknownCount] { unknownSums }
}

/// A new column of a SUBSCRIPTION report that looks like a count, and the sum of its rows.
package struct UnknownCount: Equatable, Sendable {
  /// The column's name as the header spells it.
  package var column: String
  /// The sum of its rows.
  package var sum: Int
  /// Whether ``SubscriptionReader`` includes the column in active subscriptions.
  package var isActive: Bool { hasName(of: ["pay up front", "pay as you go"]) }
  /// Whether it includes the column in another number of the table `status`.
  package var isOfStatus: Bool {
    hasName(of: ["free trial", "marketing opt-ins", "grace period", "billing retry"])
  }

  private func hasName(of words: [String]) -> Bool {
    words.contains(where: comparableName(column).contains)
  }

  package init(column: String, sum: Int) {
    self.column = column
    self.sum = sum
  }
}

/// Reads all fields of a SUBSCRIPTION row except its counts.
struct SnapshotTermsReader: DescriptionReader {
  private var attributeReader: AttributeReader

  /// The columns of the description, read and unread.
  static let columns: [Column] =
    AttributeReader.subscriptionColumns + ReportLayout.unreadSnapshotColumns + [
      .standardDuration, .customerPrice, .customerCurrency,
    ]

  init(_ header: ReportHeader, _ registries: Registries) {
    attributeReader = AttributeReader(header, registries)
  }

  /// Reads the description of a row, and returns the index of its attributes.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> UInt32 {
    var attributes = try attributeReader.attributes(line, row)
    let money = try? attributeReader.money(line, row)
    let term = attributeReader.term(line, row.content(line, attributeReader.duration))
    if !row.content(line, attributeReader.customerPrice).isEmpty {
      let price = try row.amount(line, attributeReader.customerPrice)
      attributes.price = attributeReader.priceSymbol(price, line, row)
    }
    return attributeReader.registries.number(
      of: SnapshotTerms(
        attributes: attributes, price: money?.price, proceeds: money?.proceeds, standardTerm: term))
  }
}
