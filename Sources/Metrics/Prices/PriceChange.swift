public import SubscriptionModel

/// A change of a standard price, and what it is: a row of `price_changes.csv`, METRICS.md section 6.
public struct PriceChange: Equatable, Sendable {
  /// What a change is.
  public enum Kind: String, Sendable, CaseIterable {
    /// Existing subscribers pay more from a day on.
    case increase
    case decrease
    /// A price of too few charges or days to be one.
    case glitch
    case currencyChange = "currency_change"
    case newStorefront = "new_storefront"
    /// The first price of a billing plan, where another plan of the product was charged before.
    case newPlan = "new_plan"
    /// Too close to the beginning of the data to know what was before.
    case atDataEdge = "at_data_edge"
    /// New customers pay both prices.
    case overlap
    /// Existing subscribers keep the old price.
    case newCustomersOnly = "new_customers_only"
    /// Too few charges, or too close to the end of the data.
    case unconfirmed
    /// A price that a minority pays beside others for weeks: it is no change.
    case parallel
  }

  /// Who says so.
  public enum Origin: String, Sendable {
    /// The charges.
    case found
    /// The user's `--price-changes`.
    case file
  }

  /// What the price is of.
  public var key: PriceKey
  /// E, the first day on which the new price was charged; the first day of a price that replaced none.
  public var date: Day
  /// The price before, in milliunits; `nil` when there was none or it is not known.
  public var oldPrice: Int64?
  /// The price from the day on, in milliunits; `nil` when it is not known.
  public var newPrice: Int64?
  /// What it is.
  public var kind: Kind
  /// Who says so.
  public var origin: Origin
  /// Charges of the new price that are a chain's first paid charge.
  public var newCharges: Int
  /// Charges of the new price that continue a standard paid period of the product.
  public var continuingCharges: Int
  /// What else there is to say.
  public var note: String
  /// E_x, the first day on which existing subscribers meet the price; `nil` but for increases.
  public var effectiveExisting: Day?
  /// Whether the run's filters admit the product and storefront: others are controls, and not printed.
  public var isAdmitted = true

  /// Creates a change that was found and has no charges yet.
  ///
  /// - Parameters:
  ///   - kind: What it is.
  ///   - key: What the price is of.
  ///   - date: The day of the change.
  ///   - oldPrice: The price before, in milliunits.
  ///   - newPrice: The price from the day on, in milliunits.
  public init(_ kind: Kind, _ key: PriceKey, date: Day, oldPrice: Int64?, newPrice: Int64?) {
    self.kind = kind
    self.key = key
    self.date = date
    self.oldPrice = oldPrice
    self.newPrice = newPrice
    origin = .found
    newCharges = 0
    continuingCharges = 0
    note = ""
  }
}
