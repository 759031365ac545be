import SubscriptionModel

/// How many days after its sale a unit is settled: measured, or what is usual.
struct SettlementLags {
  /// The units settled after so many days; the days ascending.
  let weights: [(days: Int, units: Int)]
  /// Whether FINANCE_DETAIL rows of the input were measured.
  let isMeasured: Bool
  /// Every lag that ``mean(_:)`` and ``range(_:)`` ask for.
  private(set) var allDays: Set<Int> = []

  /// Measures rows.
  ///
  /// - Parameter units: For each lag in days its units; without any, the usual lags are taken.
  init(measured units: [Int: Int]) {
    let known = units.filter { $0.value > 0 }
    isMeasured = !known.isEmpty
    weights = (isMeasured ? known : Self.usual).map { ($0, $1) }.sorted { $0.0 < $1.0 }
    allDays = Set(weights.map(\.days)).union(usualRange)
  }

  /// Per 300 units: 0 days 40 %, 1 day 50 %, 2 to 4 days 7 % evenly, 9 days 3 %.
  private static let usual = [0: 120, 1: 150, 2: 7, 3: 7, 4: 7, 9: 9]

  /// All units that were measured.
  var units: Int { weights.map(\.units).reduce(0, +) }

  /// The longest lag in days.
  var longest: Int { weights.last?.days ?? 0 }

  /// From the 5 % to the 95 % nearest-rank lag, in days.
  var usualRange: ClosedRange<Int> { percentile(5)...percentile(95) }

  private func percentile(_ percent: Int) -> Int {
    let rank = max(1, (units * percent + 99) / 100)
    var seen = 0
    for (days, units) in weights {
      seen += units
      if seen >= rank { return days }
    }
    return longest
  }

  /// Returns what is expected of an amount that depends on the lag.
  ///
  /// - Parameter amount: The amount in milliunits if every row settled so many days late.
  /// - Returns: The mean by units, half to even.
  func mean(_ amount: (_ days: Int) -> Int128) -> Int128 {
    let sum = weights.map { Int128($0.units) * amount($0.days) }.reduce(0, +)
    return roundedHalfToEven(sum, over: Int128(units))
  }

  /// Returns the smallest and the largest amount of the usual range of lags.
  ///
  /// - Parameter amount: The amount in milliunits if every row settled so many days late.
  /// - Returns: 0 and 0 without a lag.
  func range(_ amount: (_ days: Int) -> Int128) -> (low: Int128, high: Int128) {
    let amounts = usualRange.map(amount)
    return (amounts.min() ?? 0, amounts.max() ?? 0)
  }
}

/// Returns a quotient as the nearest whole number, the even one of two that are as near.
func roundedHalfToEven(_ numerator: Int128, over denominator: Int128) -> Int128 {
  var (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
  if remainder < 0 {
    quotient -= 1
    remainder += denominator
  }
  let missing = denominator - remainder
  let isUp = remainder > missing || (remainder == missing && !quotient.isMultiple(of: 2))
  return isUp ? quotient + 1 : quotient
}
