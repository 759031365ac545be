package import Storage
package import SubscriptionModel

/// A product in a storefront, with the currency in which its customers pay.
package struct StorefrontKey: Hashable, Sendable {
  /// The product's Apple ID; for receipts, the product id.
  package var product: Symbol
  /// The 2-letter storefront code.
  package var country: Symbol
  /// The customer's currency.
  package var currency: Symbol

  package init(product: Symbol, country: Symbol, currency: Symbol) {
    self.product = product
    self.country = country
    self.currency = currency
  }

  /// Creates the key of a charge.
  ///
  /// - Parameter terms: The charge's terms.
  package init(_ terms: ChargeTerms) { self.init(terms.attributes, terms.price) }

  init(_ attributes: Attributes, _ price: Amount) {
    self.init(product: attributes.product, country: attributes.country, currency: price.currency)
  }
}

/// A price of a product in a storefront.
package struct StorefrontPrice: Hashable, Sendable {
  /// The product, storefront and customer currency.
  package var key: StorefrontKey
  /// The price: 9.99 is 9,990.
  package var milliunits: Int64
}

extension StorefrontPrice {
  init(_ attributes: Attributes, _ price: Amount) {
    self.init(key: StorefrontKey(attributes, price), milliunits: price.milliunits)
  }

  init(_ terms: ChargeTerms) { self.init(terms.attributes, terms.price) }
}

extension StorefrontKey {
  static let blank = StorefrontKey(product: .blank, country: .blank, currency: .blank)

  /// Writes or reads the key.
  ///
  /// - Parameter coder: Writes or reads.
  package mutating func code(with coder: inout some ValueCoder) {
    coder.symbol(&product)
    coder.symbol(&country)
    coder.symbol(&currency)
  }
}
