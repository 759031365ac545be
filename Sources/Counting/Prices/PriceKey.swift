package import Storage
package import SubscriptionModel

/// A product in a storefront, in one of the customer's currencies.
package struct StorefrontKey: Hashable, Sendable {
  /// The product's Apple ID; for receipts, the product id.
  package var product: Symbol
  /// The 2-letter storefront code.
  package var country: Symbol
  /// The customer's currency.
  package var currency: Symbol

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - product: The product's id.
  ///   - country: The storefront's code.
  ///   - currency: The customer's currency.
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

/// A product with its billing plan, storefront and customer currency: each key has its own standard price.
///
/// Example: a one-year product that is sold in Germany upfront at 59.99 EUR and in twelve instalments of 5.99 EUR
/// has two keys there. METRICS.md sections 6 and 10.6.
package struct PriceKey: Hashable, Sendable {
  /// The product, storefront and currency.
  package var storefront: StorefrontKey
  /// The billing plan; `unknown` for SALES, whose rows have no plan.
  package var plan: BillingPlan

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - storefront: The product, storefront and currency.
  ///   - plan: The billing plan.
  package init(_ storefront: StorefrontKey, plan: BillingPlan = .upfront) {
    self.storefront = storefront
    self.plan = plan
  }

  /// Creates the key of a charge.
  ///
  /// - Parameter terms: The charge's terms.
  package init(_ terms: ChargeTerms) {
    self.init(StorefrontKey(terms), plan: terms.plan)
  }

  /// The product's id.
  package var product: Symbol { storefront.product }
  /// The storefront's code.
  package var country: Symbol { storefront.country }
  /// The customer's currency.
  package var currency: Symbol { storefront.currency }

  /// The product and plan; price changes treat each plan as a product: METRICS.md section 10.
  package var productPlan: ProductPlan { ProductPlan(product: product, plan: plan) }

  /// The plan as tables print it; blank if it is unknown.
  package var planName: String { plan == .unknown ? "" : plan.name }
}

/// A product with its billing plan.
package struct ProductPlan: Hashable {
  var product: Symbol
  var plan: BillingPlan
}

extension StorefrontKey {
  static let blank = StorefrontKey(product: .blank, country: .blank, currency: .blank)

  mutating func code(with coder: inout some ValueCoder) {
    coder.symbol(&product)
    coder.symbol(&country)
    coder.symbol(&currency)
  }
}

extension PriceKey {
  package static let blank = PriceKey(.blank)

  package mutating func code(with coder: inout some ValueCoder) {
    storefront.code(with: &coder)
    coder.word(&plan)
  }
}
