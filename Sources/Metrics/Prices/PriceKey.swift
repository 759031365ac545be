public import SubscriptionModel

/// What has a standard price of its own: METRICS.md section 6.
public struct PriceKey: Hashable, Sendable {
  /// The product's Apple ID; of receipts the product id.
  public var product: Symbol
  /// The 2-letter storefront code.
  public var country: Symbol
  /// The customer's currency.
  public var currency: Symbol

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - product: The product's id.
  ///   - country: The storefront's code.
  ///   - currency: The customer's currency.
  public init(product: Symbol, country: Symbol, currency: Symbol) {
    self.product = product
    self.country = country
    self.currency = currency
  }

  /// Creates the key of a charge.
  ///
  /// - Parameter terms: The charge's terms.
  public init(_ terms: ChargeTerms) {
    self.init(
      product: terms.attributes.product, country: terms.attributes.country,
      currency: terms.price.currency)
  }
}

extension PriceKey {
  static let blank = PriceKey(product: .blank, country: .blank, currency: .blank)

  mutating func code(with coder: inout some ValueCoder) {
    coder.symbol(&product)
    coder.symbol(&country)
    coder.symbol(&currency)
  }
}
