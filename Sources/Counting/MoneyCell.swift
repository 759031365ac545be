import Storage
import SubscriptionModel

/// Money of one cohort, currency and month.
package struct MoneyCell: Sendable, Equatable {
  /// The paid charges of the month.
  package var charges = ChargeMoney()
  /// Refunds by their own day.
  package var byRefund = RefundMoney()
  /// The same refunds by the day of the refunded charge.
  package var bySale = RefundMoney()

  /// A cell without money.
  package static let zero = MoneyCell()

  mutating func code(with coder: inout some ValueCoder) {
    charges.code(with: &coder)
    byRefund.code(with: &coder)
    bySale.code(with: &coder)
  }
}

/// Paid charges and their money.
package struct ChargeMoney: Sendable, Equatable {
  /// The amounts charged; declared before `count`, so that both take 48 bytes.
  package private(set) var sum = PricedSum()
  /// The number of charges.
  package private(set) var count = 0

  @inline(__always)
  mutating func add(price: Amount, proceeds: Amount, count: Int) {
    self.count += count
    sum.add(price: price, proceeds: proceeds, count: count)
  }

  mutating func merge(_ other: ChargeMoney, _ sign: MergeSign) {
    count += sign.factor * other.count
    sum.merge(other.sum, sign)
  }

  mutating func code(with coder: inout some ValueCoder) {
    coder.count(&count)
    sum.code(with: &coder)
  }
}

/// Refunds and the money given back.
package struct RefundMoney: Sendable, Equatable {
  /// The amounts given back.
  package private(set) var sum = PricedSum()
  /// The number of refunds of a whole price.
  package private(set) var full = 0
  /// The number of refunds of a part of a price.
  package private(set) var partial = 0

  package init() {
  }

  mutating func add(price: Amount, proceeds: Amount, isFull: Bool, count: Int) {
    if isFull { full += count } else { partial += count }
    sum.add(price: price, proceeds: proceeds, count: count)
  }

  mutating func merge(_ other: RefundMoney, _ sign: MergeSign) {
    full += sign.factor * other.full
    partial += sign.factor * other.partial
    sum.merge(other.sum, sign)
  }

  mutating func code(with coder: inout some ValueCoder) {
    coder.count(&full)
    coder.count(&partial)
    sum.code(with: &coder)
  }
}

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
