public import SubscriptionModel

/// A price that the user means to set: a row of `--plan`, METRICS.md section 6.
public struct PlannedPrice: Equatable, Sendable {
  /// What it is the price of.
  public var key: StorefrontKey
  /// The plan that it is the price of; `nil` for every plan of the product.
  public var plan: BillingPlan?
  /// The day from which renewals are to cost it.
  public var date: Day
  /// The price, in milliunits.
  public var newPrice: Int64

  /// Creates a planned price.
  ///
  /// - Parameters:
  ///   - key: What it is the price of.
  ///   - plan: The plan that it is the price of; `nil` for every plan of the product.
  ///   - date: The day from which renewals are to cost it.
  ///   - newPrice: The price, in milliunits.
  public init(key: StorefrontKey, plan: BillingPlan? = nil, date: Day, newPrice: Int64) {
    self.key = key
    self.plan = plan
    self.date = date
    self.newPrice = newPrice
  }
}
