package import Files
package import PriceImpact
package import SubscriptionModel

/// The price analyses that a run should make: METRICS.md section 6.
package struct PricePlan: Sendable {
  /// A row of a user's file, still as text: products and days are known only after reading.
  package struct Row: Equatable, Sendable {
    /// The place of each cell as `FILE:LINE:FIELD`, by column.
    var places: [String: String]
    /// The product's id or name.
    package var product: String
    /// The 2-letter storefront code.
    package var country: String
    /// The customer's currency.
    package var currency: String
    /// The billing plan; `nil` when the row states none.
    package var plan: BillingPlan?
    /// The first day of the new price.
    package var date: Day
    /// The price before, in milliunits; `nil` in a plan.
    package var oldPrice: Int64?
    /// The price from the day on, in milliunits.
    package var newPrice: Int64

    /// Returns the error of a cell.
    package func error(_ column: String, found: String, expected: String) -> InputError {
      InputError(
        path: places[column] ?? "", code: "bad-table",
        message: "column \"\(column)\": found \"\(found)\", expected \(expected)")
    }
  }

  /// The increases that the user states; others are detected.
  package var increases: [Row] = []
  /// The prices that the user plans to set.
  package var planned: [Row] = []

  /// When customers must agree to a planned price.
  package var consent = ConsentRules.shipped

  /// Creates a plan that detects changes, without stated or planned ones.
  package init() {}
}
