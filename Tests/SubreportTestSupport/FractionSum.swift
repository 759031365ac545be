/// A sum of exact fractions, kept part by part: their common denominator would be too large a number.
struct FractionSum {
  private var parts: [(numerator: Int128, denominator: Int128)] = []

  init() {}

  init(_ numerator: Int128, over denominator: Int128 = 1) { parts = [(numerator, denominator)] }

  var value: Double { parts.reduce(0) { $0 + Double($1.numerator) / Double($1.denominator) } }

  /// The sum itself, or the nearest of 0 and 1.
  var clamped: FractionSum {
    value <= 1e-12 ? FractionSum() : value >= 1 - 1e-12 ? FractionSum(1) : self
  }

  /// The nearest whole number, the even one of two that are as near.
  var rounded: Int128 {
    var whole: Int128 = 0
    var rest = 0.0
    for (numerator, denominator) in parts {
      var quotient = numerator / denominator
      if quotient * denominator > numerator { quotient -= 1 }
      whole += quotient
      rest += Double(numerator - quotient * denominator) / Double(denominator)
    }
    let more = (rest + 1e-9).rounded(.down)
    whole += Int128(more)
    rest -= more
    if abs(rest - 0.5) < 1e-9 { return whole.isMultiple(of: 2) ? whole : whole + 1 }
    return rest > 0.5 ? whole + 1 : whole
  }

  static func + (left: FractionSum, right: FractionSum) -> FractionSum {
    var sum = left
    sum.parts += right.parts
    return sum
  }

  static func - (left: FractionSum, right: FractionSum) -> FractionSum { left + right.times(-1) }

  func times(_ factor: Int128) -> FractionSum {
    var product = self
    product.parts = parts.map { ($0.numerator * factor, $0.denominator) }
    return product
  }
}
