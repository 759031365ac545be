/// An exact amount of one currency and its number of units, both with their sign.
struct CountedMoney: Equatable, Sendable {
  /// The amount in thousandths: 9.99 is 9,990.
  var milliunits: Int128
  /// The number of units; negative for returns.
  var units: Int

  static let zero = CountedMoney(0, units: 0)

  init(_ milliunits: Int128, units: Int) {
    self.milliunits = milliunits
    self.units = units
  }

  static func + (left: CountedMoney, right: CountedMoney) -> CountedMoney {
    CountedMoney(left.milliunits + right.milliunits, units: left.units + right.units)
  }

  static func - (left: CountedMoney, right: CountedMoney) -> CountedMoney { left + -right }

  static prefix func - (money: CountedMoney) -> CountedMoney {
    CountedMoney(-money.milliunits, units: -money.units)
  }

  static func += (left: inout CountedMoney, right: CountedMoney) { left = left + right }
  static func -= (left: inout CountedMoney, right: CountedMoney) { left = left + -right }
}
