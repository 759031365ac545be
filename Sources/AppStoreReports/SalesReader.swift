package import Scanning
package import Storage
package import SubscriptionModel

/// One SALES row.
package struct SalesRow: Equatable, Sendable {
  /// The Begin Date.
  package var beginDay: Day
  /// The End Date, if the row has one.
  package var endDay: Day?
  /// The units, negative for refunds; 0 for a partial refund.
  package var units: Int64
  /// Whether the product is a subscription.
  package var isSubscription: Bool
  /// The index of the row's `SalesTerms`.
  package var terms: UInt32
}

/// Reads the rows for subscriptions in a SALES report (METRICS.md section 5, proceeds).
///
/// Rows of other product types are ignored, and their fields are not read. If finance files are
/// reconciled, all rows with proceeds are used.
package struct SalesReader: ~Copyable {
  private let readsAllTypes: Bool
  private let productType: Int
  private let beginDate: Int
  private let endDate: Int
  private let units: Int
  private var row: RowSplitter
  private var descriptions: DescriptionTable<SalesTermsReader>
  /// The dates of the last row, which nearly all rows of a report share, with the days that they mean.
  private var dates: (begin: ShortText, end: ShortText)?
  private var days = (begin: Day(number: 0), end: Day?.none)
  /// The range of days for the current file; `nil` for any day.
  private var nearbyDays: AllowedDays?
  /// The period of the current file's first row with one.
  private var period: ReportPeriod?
  /// The first two periods of the current file's rows, if there is more than one: then it is no report of Apple.
  package private(set) var severalPeriods: [ReportPeriod] = []
  private let appleIdentifier: Int
  private let registries: Registries
  /// Whether the products of ignored rows are noted.
  package var notesLeftAside = false
  /// The Apple Identifiers of ignored rows in the current file.
  package private(set) var leftAside: Set<Symbol> = []
  /// The bytes of the last of them.
  private var lastLeftAside: [UInt8] = []

  /// The most units in one row; with more, sums could overflow.
  private static let mostUnits = 1_000_000_000

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - header: The header of a SALES report.
  ///   - registries: The symbols and terms of the run.
  ///   - readsAllTypes: Whether rows of other product types are used, too, if they have proceeds.
  package init(header: ReportHeader, registries: Registries, readsAllTypes: Bool = false) {
    precondition(header.kind == .sales, "a reader needs a header of its kind of report")
    self.readsAllTypes = readsAllTypes
    productType = header.fieldOrNone(.productType)
    beginDate = header.fieldOrNone(.beginDate)
    endDate = header.fieldOrNone(.endDate)
    units = header.fieldOrNone(.units)
    appleIdentifier = header.fieldOrNone(.appleIdentifier)
    self.registries = registries
    row = RowSplitter(header)
    descriptions = DescriptionTable(
      header, columns: SalesTermsReader.columns, SalesTermsReader(header, registries))
  }

  /// Begins a file.
  ///
  /// - Parameter days: The range of days that rows may have; `nil` for any day.
  package mutating func beginFile(_ days: AllowedDays?) {
    nearbyDays = days
    dates = nil
    period = nil
    severalPeriods = []
    leftAside.removeAll()
    lastLeftAside.removeAll()
  }

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The sale or refund; other rows are ignored or rejected.
  package mutating func read(_ line: Span<UInt8>, _ place: Line) -> RowOutcome<SalesRow> {
    let reject = row.split(line, place)
    if let reject, reject.code != .invalidUTF8 { return .rejected(reject) }
    if !hasLastDates(line) { readDates(line) }
    let isSubscription = isSubscription(line)
    guard isSubscription || readsAllTypes else {
      // If reports were joined into one file, there are headers among the rows.
      if let header = row.repeatedHeader(line, place, in: productType) { return .rejected(header) }
      if notesLeftAside { noteLeftAside(line) }
      return .ignored(.otherProductTypes)
    }
    if let reject { return .rejected(reject) }
    do throws(FieldFault) {
      let description = try descriptions.description(line, row)
      guard isSubscription || description.hasProceeds else {
        if notesLeftAside { noteLeftAside(line) }
        return .ignored(.otherProductTypes)
      }
      return .row(try sale(line, description.terms, isSubscription: isSubscription))
    } catch {
      return .rejected(row.reject(error, line, place))
    }
  }

  /// Notes the product of a row; those of neighbouring rows are often equal.
  private mutating func noteLeftAside(_ line: Span<UInt8>) {
    let range = row.content(line, appleIdentifier)
    if lastLeftAside.count == range.count,
      range.allSatisfy({ line[$0] == lastLeftAside[$0 - range.lowerBound] })
    {
      return
    }
    lastLeftAside = range.map { line[$0] }
    leftAside.insert(registries.symbol(of: String(decoding: lastLeftAside, as: UTF8.self)))
  }

  private func isSubscription(_ line: Span<UInt8>) -> Bool {
    let type = row.content(line, productType)
    return isAutoRenewable(line, type) || Word.ia9.isEqual(line, type)
      || Word.ia9Mac.isEqual(line, type) || Word.iac.isEqual(line, type)
  }

  /// Returns whether a row has the dates of the row before it.
  @inline(__always)
  private func hasLastDates(_ line: Span<UInt8>) -> Bool {
    guard let dates, let begin = ShortText(line, row[beginDate]), begin == dates.begin,
      let end = ShortText(line, row[endDate])
    else { return false }
    return end == dates.end
  }

  /// Reads the dates of a row, if it has any that can be read, and compares its period with the file's.
  private mutating func readDates(_ line: Span<UInt8>) {
    dates = nil
    guard let found = row.period(line, beginDate, endDate),
      nearbyDays?.isExchanged(found.firstDay) != true
    else { return }
    if let period, found != period, severalPeriods.isEmpty { severalPeriods = [period, found] }
    period = period ?? found
    guard let begin = ShortText(line, row[beginDate]), let end = ShortText(line, row[endDate])
    else {
      return
    }
    dates = (begin, end)
    days = (found.firstDay, found.lastDay)
  }

  private func sale(
    _ line: Span<UInt8>, _ terms: UInt32, isSubscription: Bool
  ) throws(FieldFault) -> SalesRow {
    var (beginDay, endDay) = days
    if dates == nil {
      beginDay = try row.day(line, beginDate)
      endDay = try row.dayOrBlank(line, endDate)
      if let endDay, endDay < beginDay {
        throw FieldFault(endDate, .notADate, expected: "the Begin Date or a later day")
      }
    }
    try nearbyDays?.checkExchanged(beginDay, beginDate)
    guard let count = try row.wholeNumber(line, units) else {
      throw FieldFault(units, .missingValue, expected: "a whole number such as 1")
    }
    guard count.magnitude <= Self.mostUnits else {
      throw FieldFault(units, .unitsOutOfRange, expected: "at most \(Self.mostUnits)")
    }
    return SalesRow(
      beginDay: beginDay, endDay: endDay, units: Int64(count), isSubscription: isSubscription,
      terms: terms)
  }
}

/// Returns whether a Product Type Identifier is one of auto-renewable subscriptions.
private func isAutoRenewable(_ line: Span<UInt8>, _ type: Range<Int>) -> Bool {
  Word.iay.isEqual(line, type) || Word.iayMac.isEqual(line, type)
}

extension Word {
  fileprivate static let iay = Word("iay")
  fileprivate static let iayMac = Word("iay-m")
  fileprivate static let ia9 = Word("ia9")
  fileprivate static let ia9Mac = Word("ia9-m")
  fileprivate static let iac = Word("iac")
  fileprivate static let new = Word("new")
  fileprivate static let renewal = Word("renewal")
  fileprivate static let bundleCredit = Word("cmb-c")
}

/// Reads all fields of a SALES row except its days and units.
struct SalesTermsReader: DescriptionReader {
  /// The values that rows need from their description.
  struct Description: BitwiseCopyable {
    let terms: UInt32
    let hasProceeds: Bool
  }

  private let productType: Int
  private let subscription: Int
  /// The columns that are blank for a charge at the standard price.
  private let offers: [Int]
  private let bundle: Int
  private let sku: Int
  private var attributeReader: AttributeReader

  /// The columns of the description, read and unread.
  static let columns: [Column] =
    AttributeReader.salesColumns + ReportLayout.unreadSalesColumns + [
      .sku, .productType, .customerPrice, .customerCurrency, .developerProceeds, .proceedsCurrency,
      .period,
    ]

  init(_ header: ReportHeader, _ registries: Registries) {
    productType = header.fieldOrNone(.productType)
    subscription = header.fieldOrNone(.subscription)
    offers = header.fields(.orderType) + header.fields(.promoCode)
    bundle = header.fieldOrNone(.bundle)
    sku = header.fieldOrNone(.sku)
    attributeReader = AttributeReader(header, registries)
  }

  /// Reads the description of a row, and adds its terms to the registries.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> Description {
    let (signedPrice, price, proceeds) = try attributeReader.money(line, row)
    var attributes = try attributeReader.attributes(line, row)
    attributes.price = attributeReader.priceSymbol(signedPrice, line, row)
    var terms = SalesTerms(
      attributes: attributes, price: price, isPriceNegative: signedPrice < 0, proceeds: proceeds,
      isBundleCredit: Word.bundleCredit.isEqual(line, row.content(line, bundle)))
    var hasOffer = false
    for field in offers where !row.content(line, field).isEmpty { hasOffer = true }
    terms.isStandard = !hasOffer && isAutoRenewable(line, row.content(line, productType))
    terms.isPreserved = row.isYes(line, attributeReader.preservedPricing)
    terms.isContingent = attributeReader.isContingent(line, row)
    terms.purchase = purchase(line, row.content(line, subscription))
    terms.standardTerm = attributeReader.term(line, row.content(line, attributeReader.duration))
    terms.productID = attributeReader.symbol(line, row.content(line, sku))
    let number = attributeReader.registries.number(of: terms)
    return Description(terms: number, hasProceeds: proceeds.milliunits != 0)
  }

  private func purchase(_ line: Span<UInt8>, _ range: Range<Int>) -> SalesPurchase {
    if Word.new.isEqual(line, range) { return .new }
    return Word.renewal.isEqual(line, range) ? .renewal : .unknown
  }
}
