package import Counting
package import SubscriptionModel

/// A price that the user plans to set: a row of `--plan`, METRICS.md section 6.
package struct PlannedPrice: Equatable, Sendable {
  /// The product, storefront and currency.
  package var key: StorefrontKey
  /// The billing plan; `nil` for every plan of the product.
  package var plan: BillingPlan?
  /// The first day on which renewals are to cost the new price.
  package var date: Day
  /// The price, in milliunits.
  package var newPrice: Int64

  package init(key: StorefrontKey, plan: BillingPlan? = nil, date: Day, newPrice: Int64) {
    self.key = key
    self.plan = plan
    self.date = date
    self.newPrice = newPrice
  }
}
