package import Storage
package import SubscriptionModel

/// A value of a dimension, not yet formatted as text.
package enum DimensionValue: Hashable, Sendable {
  /// A text from the rows, such as a country.
  case text(Symbol)
  /// A product, by its Apple ID.
  case product(Symbol)
  /// An app, by its Apple ID.
  case app(Symbol)
  /// The kind of a chain's first charge.
  case offer(ChargeKind)
  /// The month in which a chain began.
  case month(Month)
  /// The quarter in which a chain began, by its first month.
  case quarter(Month)
  /// The ISO 8601 week in which a chain began, by its Monday.
  case week(Day)
  /// The start of a chain that may have begun before the first file: that file's month.
  case before(Month)
  /// The start of a chain of a customer who came back under a new id.
  case idReset
  /// The source has no value.
  case unknown

  /// Returns the value as reports print it.
  package func text(_ names: Names) -> String {
    switch self {
    case .text(let symbol): names.text(symbol)
    case .product(let id): names.product(id)
    case .app(let id): names.app(id)
    case .offer(let kind): kind.name
    case .month(let month): month.description
    case .quarter(let month): "\(month.year)-Q\(month.quarter)"
    case .week(let monday): isoWeek(monday)
    case .before(let month): "before \(month)"
    case .idReset: "id reset"
    case .unknown: Names.unknown
    }
  }
}

extension ChargeKind {
  /// The kind's name in reports.
  package var name: String {
    switch self {
    case .standard: "standard"
    case .trial: "trial"
    case .intro: "intro"
    case .offer: "offer"
    }
  }
}

/// Returns an ISO 8601 week as `2026-W05`: the week belongs to the year of its Thursday.
private func isoWeek(_ monday: Day) -> String {
  let thursday = monday + 3
  let year = thursday.month.year
  let week = (thursday - Month(year: year, month: 1).firstDay) / 7 + 1
  return "\(year)-W\(week < 10 ? "0" : "")\(week)"
}

/// The texts that reports print for symbols and ids.
package struct Names: Sendable {
  /// The text of each symbol, by its number.
  package let symbols: [String]
  private let products: [Symbol: String]
  private let apps: [Symbol: String]
  private let appIDOfProduct: [Symbol: Symbol]
  /// The id of each printed name of a product; blank for a name that several have.
  private let idsOfProducts: [ExactText: String]

  /// The printed word where the source has no value.
  static let unknown = "unknown"

  /// Creates the names of a run.
  ///
  /// Where two ids share a name, ` (ID)` is appended to both; an id without a name prints as itself.
  ///
  /// `products` and `apps` have the last name of each id.
  package init(
    symbols: [String], products: [Symbol: Symbol], apps: [Symbol: Symbol],
    appsOfProducts: [Symbol: Symbol] = [:]
  ) {
    self.symbols = symbols
    appIDOfProduct = appsOfProducts
    self.products = Self.distinctNames(products, symbols)
    self.apps = Self.distinctNames(apps, symbols)
    idsOfProducts = Dictionary(
      self.products.map { (ExactText($1), symbols[Int($0)]) }, uniquingKeysWith: { _, _ in "" })
  }

  private static func distinctNames(
    _ names: [Symbol: Symbol], _ symbols: [String]
  ) -> [Symbol: String] {
    let uses = names.values.reduce(into: [Symbol: Int]()) { $0[$1, default: 0] += 1 }
    var printed: [Symbol: String] = [:]
    for (id, name) in names where name != .blank {
      let text = symbols[Int(name)]
      printed[id] = uses[name] == 1 ? text : "\(text) (\(symbols[Int(id)]))"
    }
    return printed
  }

  /// Returns the ids of the products that a text names: an Apple ID, a printed name, or a name that several share.
  package func productIDs(_ text: String) -> [String] { Self.ids(text, products, symbols) }

  /// Returns the printed names of the products that a text names, as in ``productIDs(_:)``.
  package func products(_ text: String) -> [String] {
    let ids = Set<ExactText>(of: productIDs(text))
    return products.filter { ids.contains(symbols[Int($0.key)]) }.map(\.value)
  }

  /// Returns the ids of the apps that a text names, as in ``productIDs(_:)``.
  package func appIDs(_ text: String) -> [String] { Self.ids(text, apps, symbols) }

  private static func ids(
    _ text: String, _ printed: [Symbol: String], _ symbols: [String]
  ) -> [String] {
    printed.compactMap { id, name in
      let ownID = symbols[Int(id)]
      let isNamed = [ownID, name].contains { $0.isSame(as: text) }
      return isNamed || name.isSame(as: "\(text) (\(ownID))") ? ownID : nil
    }
  }

  package func text(_ symbol: Symbol) -> String { symbols[Int(symbol)] }

  /// Returns a product's printed name, with the id if two products share the name.
  package func product(_ id: Symbol) -> String { products[id] ?? symbols[Int(id)] }

  /// Returns the id of a product from its printed name, such as `1450000001` for `Plus Monthly`; blank for an unknown
  /// product.
  package func productID(ofPrinted name: String) -> String {
    idsOfProducts[ExactText(name)] ?? (name.isSame(as: Self.unknown) ? "" : name)
  }

  /// Returns an app's printed name, with the id if two apps share the name.
  package func app(_ id: Symbol) -> String { apps[id] ?? symbols[Int(id)] }

  /// The printed name of the app of each product, by the product's printed name.
  ///
  /// Products without an app in any row are left out, such as those that only receipts have.
  package var appsOfProducts: [ExactText: String] {
    var printed: [ExactText: String] = [:]
    for (productID, appID) in appIDOfProduct {
      let (name, owner) = (product(productID), app(appID))
      // The order of a dictionary must not decide.
      printed[name] = printed[name].map { $0.precedes(owner) ? $0 : owner } ?? owner
    }
    return printed
  }
}

/// The start of a chain and the kind of its first charge: the chain dimensions of all its charges.
package struct ChainKey: Hashable, Sendable, BitwiseCopyable {
  package var start: ChainStart
  /// The kind of the first charge; `nil` if the start is unknown.
  package var offer: ChargeKind?

  package init(start: ChainStart, offer: ChargeKind?) {
    self.start = start
    self.offer = offer
  }

  /// Creates the key of a chain of `subscribers`; `firstDay` is the report date of the first file.
  init(_ chain: Chain, _ periods: ReusableArray<Period>, _ terms: [ChargeTerms], firstDay: Day) {
    let first = periods[chain.periods.lowerBound]
    switch chain.start {
    case .known: self.init(start: .day(first.start), offer: terms[Int(first.terms)].kind)
    case .before: self.init(start: .before((chain.receivedOn ?? firstDay).month), offer: nil)
    case .idReset: self.init(start: .idReset, offer: nil)
    }
  }

  /// Creates the key of a chain of `receipts`.
  init(_ chain: ReceiptChain, _ periods: [ReceiptPeriod]) {
    let first = periods[chain.periods.lowerBound]
    if chain.isStartKnown {
      self.init(start: .day(first.start.day), offer: first.event.kind)
    } else {
      self.init(start: .before(first.start.month), offer: nil)
    }
  }
}

/// The start of a chain, for the dimensions `start_month`, `start_quarter` and `start_week`.
package enum ChainStart: Hashable, Sendable, BitwiseCopyable {
  /// The chain began on this day.
  case day(Day)
  /// The chain may have begun before the data: before the month of the first file or, for receipts, of the first
  /// purchase in the data.
  case before(Month)
  /// The customer came back under a new id after 180 days or more.
  case idReset
  /// The source has no start.
  case unknown
}

extension ChainKey {
  /// Returns the value of a dimension of chains; `nil` for a dimension of rows.
  package func value(of dimension: Dimension) -> DimensionValue? {
    switch dimension {
    case .offer: offer.map(DimensionValue.offer) ?? .unknown
    case .startMonth: start.value { .month($0.month) }
    case .startQuarter: start.value { .quarter($0.month.firstOfQuarter) }
    case .startWeek: start.value { .week($0 - $0.weekday) }
    default: nil
    }
  }
}

extension ChainStart {
  fileprivate func value(of known: (Day) -> DimensionValue) -> DimensionValue {
    switch self {
    case .day(let day): known(day)
    case .before(let first): .before(first)
    case .idReset: .idReset
    case .unknown: .unknown
    }
  }
}

extension Month {
  fileprivate var firstOfQuarter: Month { Month(year: year, month: (quarter - 1) * 3 + 1) }
}
