package import Storage
package import SubscriptionModel

/// A product with its billing plan, storefront and customer currency: each key has its own standard price.
///
/// Example: a one-year product that is sold in Germany upfront at 59.99 EUR and in twelve instalments of 5.99 EUR
/// has two keys there. METRICS.md sections 6 and 10.6.
package struct PriceKey: Hashable, Sendable {
  /// The product, storefront and currency.
  package var storefront: StorefrontKey
  /// The billing plan; `unknown` for SALES, whose rows have no plan.
  package var plan: BillingPlan

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

extension PriceKey {
  package static let blank = PriceKey(.blank)

  package mutating func code(with coder: inout some ValueCoder) {
    storefront.code(with: &coder)
    coder.word(&plan)
  }
}
