package import Storage
package import SubscriptionModel

/// Numbers the distinct terms of receipt charges from 0.
package struct ReceiptTerms {
  private struct Key: Hashable {
    var app: Symbol
    var group: Symbol
    var product: Symbol
    var country: Symbol
    var kind: ChargeKind
    var price: Int64?
    package var currency: Symbol
    var plan: BillingPlan
    var span: Term?
    var hasUsualTerm: Bool
  }

  package private(set) var all: [ChargeTerms] = []

  private let symbols: [String]
  private let symbol: (String) -> Symbol
  /// Prices that the run's reports mark as contingent; receipts have no such mark: METRICS.md 10.7.
  private let contingent: MarkedPrices
  private var numbers: [Key: Int] = [:]

  /// Creates an empty list; `symbol` returns the symbol of a text, and adds it if it is new, for the dimension `price`.
  package init(
    symbols: [String], contingent: MarkedPrices = .none, symbol: @escaping (String) -> Symbol
  ) {
    self.symbols = symbols
    self.contingent = contingent
    self.symbol = symbol
  }

  /// Numbers the charges of a chain: `numbers` receives the number of the terms of each of its periods.
  package mutating func number(
    _ chain: ReceiptChain, _ periods: [ReceiptPeriod], into numbers: inout [Int]
  ) {
    numbers.removeAll(keepingCapacity: true)
    for period in periods[chain.periods] { numbers.append(number(of: period, chain)) }
  }

  private mutating func number(of period: ReceiptPeriod, _ chain: ReceiptChain) -> Int {
    let event = period.event
    let key = Key(
      app: event.app == .blank ? chain.app : event.app, group: event.group,
      product: event.product, country: event.country, kind: event.kind, price: event.price,
      currency: event.currency, plan: period.plan, span: period.paidSpan,
      hasUsualTerm: period.hasUsualTerm)
    if let number = numbers[key] { return number }
    var attributes = Attributes()
    attributes.app = key.app
    attributes.group = key.group
    attributes.product = key.product
    attributes.productName = key.product
    attributes.country = key.country
    attributes.plan = symbol(key.plan.name)
    if let price = key.price {
      attributes.price = symbol(priceText(price, currency: symbols[Int(key.currency)]))
    }
    let price = Amount(milliunits: key.price ?? 0, currency: key.currency)
    let proceeds = Amount(milliunits: 0, currency: key.currency)
    numbers[key] = all.count
    var terms = ChargeTerms(
      attributes: attributes, kind: key.kind, offerMode: .none, standardTerm: Term(days: 0),
      offerTerm: nil, optInTerm: nil, price: price, proceeds: proceeds)
    terms.plan = key.plan
    (terms.span, terms.hasUsualTerm) = (key.span, key.hasUsualTerm)
    terms.isContingent = contingent.contains(StorefrontKey(terms), terms.price.milliunits)
    all.append(terms)
    return all.count - 1
  }
}

extension ReceiptPeriod {
  /// The amount paid, and the term that it pays for: METRICS.md 11.1; receipts have no proceeds.
  package var value: ChargeValue {
    ChargeValue(
      price: Amount(milliunits: event.price ?? 0, currency: event.currency),
      proceeds: Amount(milliunits: 0, currency: event.currency),
      term: paidSpan ?? Term(days: 0), product: hasUsualTerm ? event.product : .blank,
      kind: event.kind)
  }

  /// The term that its charge pays for, if the product's usual term does not count; `nil` for a free one.
  fileprivate var paidSpan: Term? {
    if !event.isPaid { return nil }
    return isInstalment ? Term(months: 1) : event.span
  }

  /// Whether its charge pays for the usual term of the product: METRICS.md 11.1.
  fileprivate var hasUsualTerm: Bool {
    event.isPaid && !isInstalment
      && (event.kind == .standard || event.flags.contains(.payAsYouGo))
  }
}
