import Storage
import SubscriptionModel

/// The sums of the prices and proceeds of charges or refunds, exact in milliunits.
package struct PricedSum: Sendable, Equatable {
  /// The sum of the customer prices; meaningless if ``hasForeignPrice``.
  package private(set) var price: Int128 = 0
  /// The sum of the proceeds, all in one currency.
  package private(set) var proceeds: Int128 = 0
  /// The number of units whose customer currency differs from the currency of the proceeds.
  private var foreignPrices = 0

  /// Whether any customer currency differs from the currency of the proceeds.
  package var hasForeignPrice: Bool { foreignPrices != 0 }

  @inline(__always)
  mutating func add(price: Amount, proceeds: Amount, count: Int) {
    // The count is nearly always 1; skip the 128-bit product then, which takes several multiplications.
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
    coder.count(&foreignPrices)
  }
}
