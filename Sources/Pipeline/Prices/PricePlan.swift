public import SubscriptionModel

/// What a run is to find out about changes of prices: METRICS.md section 6.
public struct PricePlan: Sendable {
  /// An increase as the user states it in `--price-changes`, in texts.
  public struct Increase: Equatable, Sendable {
    /// The line of the file, from 1.
    public var line: Int
    /// The product's id or name.
    public var product: String
    /// The 2-letter storefront code.
    public var country: String
    /// The customer's currency.
    public var currency: String
    /// The first day of the new price.
    public var effective: Day
    /// The price before, in milliunits.
    public var oldPrice: Int64
    /// The price from the day on, in milliunits.
    public var newPrice: Int64
  }

  /// The increases that the user states.
  public var increases: [Increase]
  /// The name of the file that states them, for messages.
  public var path: String

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - increases: The increases that the user states; all others are looked for.
  ///   - path: The name of the file that states them.
  public init(increases: [Increase] = [], path: String = "") {
    self.increases = increases
    self.path = path
  }
}
