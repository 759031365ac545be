public import Metrics
import SubscriptionModel

/// What a run is to find out about prices: METRICS.md section 6.
public struct PricePlan: Sendable {
  /// A row of a user's file, in texts: which products and days there are is known when all is read.
  public struct Row: Equatable, Sendable {
    /// Where a cell is, as `FILE:LINE:FIELD`, by the cell's column.
    var places: [String: String]
    /// The product's id or name.
    var product: String
    /// The 2-letter storefront code.
    var country: String
    /// The customer's currency.
    var currency: String
    /// How the product is paid; `nil` where the row does not say it.
    var plan: BillingPlan?
    /// The first day of the new price.
    var date: Day
    /// The price before, in milliunits; `nil` in a plan.
    var oldPrice: Int64?
    /// The price from the day on, in milliunits.
    var newPrice: Int64
  }

  /// The increases that the user states; all others are looked for.
  public var increases: [Row] = []
  /// The prices that the user means to set.
  public var planned: [Row] = []

  /// When customers must agree to a planned price.
  public var consent = ConsentRules.shipped

  /// Creates a plan that looks for changes and knows of none.
  public init() {}
}
