package import Counting
package import SubscriptionModel

/// A change of a standard price and its class: a row of `price_changes.csv`, METRICS.md section 6.
package struct PriceChange: Equatable, Sendable {
  /// The class of a change.
  package enum Kind: String, Sendable, CaseIterable {
    /// Existing subscribers pay a higher price from a day on.
    case increase
    case decrease
    /// Too few charges or days to count as a price.
    case glitch
    case currencyChange = "currency_change"
    case newStorefront = "new_storefront"
    /// The first price of a billing plan, after charges for another plan of the product.
    case newPlan = "new_plan"
    /// So close to the start of the data that the earlier price is unknown.
    case atDataEdge = "at_data_edge"
    /// New customers pay both prices.
    case overlap
    /// Existing subscribers keep the old price.
    case newCustomersOnly = "new_customers_only"
    /// Too few charges, or too close to the end of the data.
    case unconfirmed
    /// A price that a minority pays beside other prices for four weeks or more: not a change.
    case parallel
  }

  /// The origin of a change.
  package enum Origin: String, Sendable {
    /// Found in the charges.
    case found
    /// A row of the user's `--price-changes`.
    case file
  }

  /// The product, plan, storefront and currency whose price changed.
  package var key: PriceKey
  /// E: the first day on which the new price was charged, also where it replaced no other price.
  package var date: Day
  /// The price before, in milliunits; `nil` if there was none or it is unknown.
  package var oldPrice: Int64?
  /// The price from that day on, in milliunits; `nil` if it is unknown.
  package var newPrice: Int64?
  /// The class of the change.
  package var kind: Kind
  /// The origin of the change.
  package var origin = Origin.found
  /// The charges at the new price that are a chain's first paid charge.
  package var newCharges = 0
  /// The charges at the new price that continue a standard paid period of the product.
  package var continuingCharges = 0
  /// A remark for the `note` column; often empty.
  package var note = ""
  /// E_x: the first day on which existing subscribers meet the price; only for increases, otherwise `nil`.
  package var effectiveExisting: Day?
  /// Whether the run's filters admit the price; if not, the change is not printed, but excludes the price as a control.
  package var isAdmitted = true

  /// Creates a change, with no charges counted yet.
  ///
  /// - Parameters:
  ///   - kind: The class of the change.
  ///   - key: The product, plan, storefront and currency whose price changed.
  ///   - date: The day of the change.
  ///   - oldPrice: The price before, in milliunits.
  ///   - newPrice: The price from that day on, in milliunits.
  package init(_ kind: Kind, _ key: PriceKey, date: Day, oldPrice: Int64?, newPrice: Int64?) {
    self.kind = kind
    self.key = key
    self.date = date
    self.oldPrice = oldPrice
    self.newPrice = newPrice
  }
}
