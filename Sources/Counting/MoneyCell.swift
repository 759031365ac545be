import Storage
import SubscriptionModel

/// Money of one cohort, currency and month.
public struct MoneyCell: Sendable, Equatable {
  /// The paid charges of the month.
  public var charges = ChargeMoney()
  /// Refunds by their own day.
  public var byRefund = RefundMoney()
  /// The same refunds by the day of the refunded charge.
  public var bySale = RefundMoney()

  mutating func code(with coder: inout some ValueCoder) {
    charges.code(with: &coder)
    byRefund.code(with: &coder)
    bySale.code(with: &coder)
  }
}

/// Paid charges and their money.
public struct ChargeMoney: Sendable, Equatable {
  /// The amounts charged; declared before `count`, so that both take 48 bytes.
  public private(set) var sum = PricedSum()
  /// The number of charges.
  public private(set) var count = 0

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
    coder.integer(&count)
    sum.code(with: &coder)
  }
}

/// Refunds and the money given back.
public struct RefundMoney: Sendable, Equatable {
  /// The amounts given back.
  public private(set) var sum = PricedSum()
  /// The number of refunds of a whole price.
  public private(set) var full = 0
  /// The number of refunds of a part of a price.
  public private(set) var partial = 0

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
    coder.integer(&full)
    coder.integer(&partial)
    sum.code(with: &coder)
  }
}
