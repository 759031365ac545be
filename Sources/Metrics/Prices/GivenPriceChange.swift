public import SubscriptionModel

/// A price increase that the user supplies: a row of `--price-changes`, METRICS.md section 6, step 8.
public struct GivenPriceChange: Equatable, Sendable {
  /// The product, plan, storefront and currency whose price changed.
  public var key: PriceKey
  /// E: the first day of the new price.
  public var date: Day
  /// The price before, in milliunits.
  public var oldPrice: Int64
  /// The price from that day on, in milliunits.
  public var newPrice: Int64

  /// Creates an increase.
  ///
  /// - Parameters:
  ///   - key: The product, plan, storefront and currency whose price changed.
  ///   - date: The first day of the new price.
  ///   - oldPrice: The price before, in milliunits.
  ///   - newPrice: The price from that day on, in milliunits.
  public init(key: PriceKey, date: Day, oldPrice: Int64, newPrice: Int64) {
    self.key = key
    self.date = date
    self.oldPrice = oldPrice
    self.newPrice = newPrice
  }
}
