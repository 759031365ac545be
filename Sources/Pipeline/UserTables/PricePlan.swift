package import Files
package import PriceImpact
package import SubscriptionModel

/// The price changes that a run analyses, from `--price-changes` and `--plan`: METRICS.md section
/// 6.
package struct PricePlan: Sendable {
  /// A row of one of the two files.
  ///
  /// Product, country and currency are still text: they are compared with the reports after these
  /// are read.
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
    /// The price before, in milliunits; `nil` in a row of `--plan`.
    package var oldPrice: Int64?
    /// The price from the day on, in milliunits.
    package var newPrice: Int64

    /// Returns the error of a cell, with its place.
    package func error(_ column: String, found: String, expected: String) -> InputError {
      InputError(
        path: places[column] ?? "", code: "bad-table",
        message: "column \"\(column)\": found \"\(found)\", expected \(expected)")
    }
  }

  /// The rows of `--price-changes`; other increases are detected.
  package var increases: [Row] = []
  /// The rows of `--plan`: prices that the user intends to set.
  package var planned: [Row] = []

  /// Apple's rules for when customers must agree to an increase, applied to planned prices.
  package var consent = ConsentRules.shipped

  /// Creates a plan without rows: all changes are detected.
  package init() {}
}
