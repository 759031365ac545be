import SubscriptionModel

/// Σ price and Σ proceeds of charges or refunds, exact in milliunits.
public struct PricedSum: Sendable, Equatable {
  /// Σ price, meaningless when there is a foreign one.
  public private(set) var price: Int128 = 0
  /// Σ proceeds, all of one currency.
  public private(set) var proceeds: Int128 = 0
  /// How many have a customer currency that is not the currency of the proceeds.
  private var foreignPrices = 0

  /// Whether a customer currency is not the currency of the proceeds.
  public var hasForeignPrice: Bool { foreignPrices != 0 }

  @inline(__always)
  mutating func add(price: Amount, proceeds: Amount, count: Int) {
    // Nearly always one, and a product of two 128-bit numbers is several multiplications.
    self.price += count == 1 ? Int128(price.milliunits) : Int128(price.milliunits) * Int128(count)
    self.proceeds +=
      count == 1 ? Int128(proceeds.milliunits) : Int128(proceeds.milliunits) * Int128(count)
    if price.currency != proceeds.currency { foreignPrices += count }
  }

  mutating func merge(_ other: PricedSum, _ sign: MergeSign) {
    price += sign.wideFactor * other.price
    proceeds += sign.wideFactor * other.proceeds
    foreignPrices += sign.factor * other.foreignPrices
  }

  mutating func code(with coder: inout some ValueCoder) {
    coder.wideInteger(&price)
    coder.wideInteger(&proceeds)
    coder.integer(&foreignPrices)
  }
}
