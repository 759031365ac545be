public import SubscriptionModel

/// A price that the user means to set: a row of `--plan`, METRICS.md section 6.
public struct PlannedPrice: Equatable, Sendable {
  /// What it is the price of.
  public var key: PriceKey
  /// The day from which renewals are to cost it.
  public var date: Day
  /// The price, in milliunits.
  public var newPrice: Int64

  /// Creates a planned price.
  ///
  /// - Parameters:
  ///   - key: What it is the price of.
  ///   - date: The day from which renewals are to cost it.
  ///   - newPrice: The price, in milliunits.
  public init(key: PriceKey, date: Day, newPrice: Int64) {
    self.key = key
    self.date = date
    self.newPrice = newPrice
  }
}
