import Scanning
import SubscriptionModel

/// Reads the attributes that views group by; all reports have them under similar names.
struct AttributeReader {
  private let app: Int
  private let appName: Int
  private let group: Int
  private let product: Int
  private let productName: Int
  private let country: Int
  private let device: Int
  private let client: Int
  private let proceedsReason: Int
  private let preservedPricing: Int
  private let contingentApp: Int
  /// Whether prices of this kind of report are compared, so that contingent prices must be kept apart.
  private let hasContingentPrices: Bool
  private var symbols: LocalSymbols
  private var terms = TextMeanings { Term($0) }

  /// The columns that are read in the three subscription reports.
  static let subscriptionColumns: [Column] = [
    .appAppleID, .appName, .groupID, .subscriptionAppleID, .subscriptionName, .country, .device,
    .client, .proceedsReason, .preservedPricing,
  ]

  /// The columns that are read in SALES.
  ///
  /// SALES rows have no group, and name the app by its SKU.
  static let salesColumns: [Column] = [
    .parentIdentifier, .appleIdentifier, .title, .countryCode, .device, .client, .proceedsReason,
    .preservedPricing, .contingentApp,
  ]

  init(_ header: ReportHeader, _ registries: Registries) {
    let isSales = header.kind == .sales
    app = header.fieldOrNone(isSales ? .parentIdentifier : .appAppleID)
    appName = header.fieldOrNone(isSales ? .parentIdentifier : .appName)
    group = isSales ? -1 : header.fieldOrNone(.groupID)
    product = header.fieldOrNone(isSales ? .appleIdentifier : .subscriptionAppleID)
    productName = header.fieldOrNone(isSales ? .title : .subscriptionName)
    country = header.fieldOrNone(isSales ? .countryCode : .country)
    device = header.fieldOrNone(.device)
    client = header.fieldOrNone(.client)
    proceedsReason = header.fieldOrNone(.proceedsReason)
    preservedPricing = header.fieldOrNone(.preservedPricing)
    contingentApp = header.fieldOrNone(.contingentApp)
    hasContingentPrices = isSales || header.kind == .subscriber
    symbols = LocalSymbols(registries.symbols)
  }

  /// Returns the attributes of a row, except its duration and its price.
  mutating func attributes(_ line: Span<UInt8>, _ row: borrowing RowSplitter) -> Attributes {
    var attributes = Attributes()
    attributes.app = symbols.symbol(line, row[app])
    attributes.appName = symbols.symbol(line, row[appName])
    attributes.group = symbols.symbol(line, row[group])
    attributes.product = symbols.symbol(line, row[product])
    attributes.productName = symbols.symbol(line, row[productName])
    attributes.country = symbols.symbol(countryCode(text(line, row.content(line, country))))
    attributes.device = symbols.symbol(line, row[device])
    attributes.client = symbols.symbol(line, row[client])
    let isAfterOneYear = Word.rateAfterOneYear.isEqual(line, row.content(line, proceedsReason))
    attributes.proceedsRate = symbols.symbol(isAfterOneYear ? "after_one_year" : "standard")
    attributes.preserved = symbols.symbol(row.isYes(line, preservedPricing) ? "yes" : "no")
    if hasContingentPrices { attributes.contingent = contingent(line, row) }
    return attributes
  }

  /// Returns whether the price is contingent: the row names the app whose subscription made it cheaper.
  func isContingent(_ line: Span<UInt8>, _ row: borrowing RowSplitter) -> Bool {
    contingentApp >= 0 && !row.content(line, contingentApp).isEmpty
  }

  /// Returns `yes`, `no` or `unknown`; Apple writes one space for "not contingent" (FORMATS.md 2.8).
  private mutating func contingent(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) -> Symbol {
    guard contingentApp >= 0 else { return symbols.symbol("unknown") }
    return symbols.symbol(row.content(line, contingentApp).isEmpty ? "no" : "yes")
  }

  /// Returns the symbol of a field.
  mutating func symbol(_ line: Span<UInt8>, _ field: Range<Int>) -> Symbol {
    symbols.symbol(line, field)
  }

  /// Returns the symbol of a text.
  mutating func symbol(_ text: String) -> Symbol { symbols.symbol(text) }

  /// Returns the symbol of a duration, such as `7 Days` for `1 Week`; other text stays as it is.
  mutating func durationSymbol(_ line: Span<UInt8>, _ range: Range<Int>) -> Symbol {
    guard let term = term(line, range) else { return symbols.symbol(line, range) }
    return symbols.symbol(term.name)
  }

  /// Returns the length of a duration; `nil` if the text is not one.
  mutating func term(_ line: Span<UInt8>, _ range: Range<Int>) -> Term? {
    terms.meaning(line, range)
  }

  /// Returns the symbol of a price with its currency, such as `9.99 USD`.
  mutating func priceSymbol(
    _ milliunits: Int64, _ line: Span<UInt8>, currency range: Range<Int>
  ) -> Symbol {
    symbols.symbol(priceText(milliunits, currency: text(line, range)))
  }
}
