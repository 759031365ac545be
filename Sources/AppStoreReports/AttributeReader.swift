import Scanning
import Storage
import SubscriptionModel

/// Reads the attributes that views group by, which all reports have under similar names.
struct AttributeReader {
  private let app: Int
  private let appName: Int
  let group: Int
  private let product: Int
  private let productName: Int
  private let country: Int
  private let device: Int
  private let client: Int
  private let proceedsReason: Int
  let preservedPricing: Int
  private let contingentApp: Int
  /// The column of the subscription's duration; in SALES, Period.
  let duration: Int
  let customerPrice: Int
  private let customerCurrency: Int
  private let developerProceeds: Int
  private let proceedsCurrency: Int
  /// Whether prices of this kind of report are compared, so that contingent prices must be
  /// distinguished.
  private let hasContingentPrices: Bool
  /// Numbers the texts and terms.
  let registries: Registries
  private var symbols: LocalSymbols
  private var terms = ParsedTexts { Term($0) }

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
    duration = header.fieldOrNone(isSales ? .period : .standardDuration)
    customerPrice = header.fieldOrNone(.customerPrice)
    customerCurrency = header.fieldOrNone(.customerCurrency)
    developerProceeds = header.fieldOrNone(.developerProceeds)
    proceedsCurrency = header.fieldOrNone(.proceedsCurrency)
    hasContingentPrices = isSales || header.kind == .subscriber
    self.registries = registries
    symbols = LocalSymbols(registries.symbols)
  }

  /// Returns the attributes of a row, except its price.
  mutating func attributes(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> Attributes {
    let countryText = text(line, row.content(line, country))
    // A lost line end joins a country and the date of the next row: US2026-01-05. Other unknown words are kept.
    if countryText.utf8.contains(UInt8(ascii: "-")),
      countryText.utf8.contains(where: { 0x30...0x39 ~= $0 })
    {
      throw FieldFault(country, .notACode, expected: "a country such as US")
    }
    // An SKU, which names the app in SALES, may be any text.
    for field in group < 0 ? [product] : [app, group, product] { try checkID(line, row, field) }
    var attributes = Attributes()
    attributes.app = symbols.symbol(line, row[app])
    attributes.appName = symbols.symbol(line, row[appName])
    attributes.group = symbols.symbol(line, row[group])
    attributes.product = symbols.symbol(line, row[product])
    attributes.productName = symbols.symbol(line, row[productName])
    attributes.country = symbols.symbol(countryCode(countryText))
    attributes.device = symbols.symbol(line, row[device])
    attributes.client = symbols.symbol(line, row[client])
    let isAfterOneYear = Word.rateAfterOneYear.isEqual(line, row.content(line, proceedsReason))
    attributes.proceedsRate = symbols.symbol(isAfterOneYear ? "after_one_year" : "standard")
    attributes.preserved = symbols.symbol(row.isYes(line, preservedPricing) ? "yes" : "no")
    if hasContingentPrices { attributes.contingent = contingent(line, row) }
    attributes.duration = durationSymbol(line, row.content(line, duration))
    return attributes
  }

  /// Checks that an id is not a number that a spreadsheet has rewritten: two ids may have become one.
  private func checkID(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter, _ field: Int
  ) throws(FieldFault) {
    let range = row.content(line, field)
    guard !range.isEmpty, ByteNumber.id(line, range) == nil,
      RewrittenNumber.isOne(text(line, range))
    else { return }
    throw FieldFault(
      field, .rewrittenID, found: RewrittenNumber.foundID, expected: RewrittenNumber.expectedID)
  }

  /// Returns whether the price is contingent: the row has a Contingent App Name.
  func isContingent(_ line: Span<UInt8>, _ row: borrowing RowSplitter) -> Bool {
    contingentApp >= 0 && !row.content(line, contingentApp).isEmpty
  }

  /// Returns `yes`, `no` or `unknown`; Apple writes one space for no (FORMATS.md 2.8).
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

  /// Returns the symbol of a duration, such as `7 Days` for `1 Week`; other text is not changed.
  private mutating func durationSymbol(_ line: Span<UInt8>, _ range: Range<Int>) -> Symbol {
    guard let term = term(line, range) else { return symbols.symbol(line, range) }
    return symbols.symbol(term.name)
  }

  /// Returns the length of a duration; `nil` if the text is not one.
  mutating func term(_ line: Span<UInt8>, _ range: Range<Int>) -> Term? {
    terms.parsed(line, range)
  }

  /// Returns the symbol of a price with its currency, such as `9.99 USD`.
  mutating func priceSymbol(
    _ milliunits: Int64, _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) -> Symbol {
    let currency = text(line, row.content(line, customerCurrency))
    return symbols.symbol(priceText(milliunits, currency: currency))
  }

  /// Reads the price, with and without sign, and the proceeds, which have the price's currency by
  /// default.
  mutating func money(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> (signedPrice: Int64, price: Amount, proceeds: Amount) {
    let signedPrice = try row.amount(line, customerPrice)
    let milliunits = try row.amount(line, developerProceeds)
    let price = Amount(milliunits: abs(signedPrice), currency: symbol(line, row[customerCurrency]))
    var proceeds = Amount(
      milliunits: abs(milliunits), currency: symbol(line, row[proceedsCurrency]))
    if proceeds.currency == .blank { proceeds.currency = price.currency }
    return (signedPrice, price, proceeds)
  }
}
