import SubscriptionModel

/// The days from the sale of a unit to its settlement, measured or usual.
struct SettlementLags {
  /// The number of units by lag in days, ascending.
  let weights: [(days: Int, units: Int)]
  /// Whether the lags were measured in FINANCE_DETAIL rows of the input.
  let isMeasured: Bool
  /// Every lag that ``mean(_:)`` and ``range(_:)`` use.
  private(set) var allDays: Set<Int> = []

  /// Creates the lags of measured rows.
  ///
  /// - Parameter units: The number of units by lag in days; the usual lags are used if there are none.
  init(measured units: [Int: Int]) {
    let known = units.filter { $0.value > 0 }
    isMeasured = !known.isEmpty
    weights = (isMeasured ? known : Self.usual).map { ($0, $1) }.sorted { $0.0 < $1.0 }
    allDays = Set(weights.map(\.days)).union(usualRange)
  }

  /// Per 300 units: 0 days 40 %, 1 day 50 %, 2 to 4 days 7 % evenly, 9 days 3 %.
  private static let usual = [0: 120, 1: 150, 2: 7, 3: 7, 4: 7, 9: 9]

  /// The number of all units.
  var units: Int { weights.map(\.units).reduce(0, +) }

  /// The longest lag in days.
  var longest: Int { weights.last?.days ?? 0 }

  /// The range from the 5 % to the 95 % nearest-rank lag, in days.
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

  /// Returns the mean of an amount that depends on the lag.
  ///
  /// - Parameter amount: Returns the amount in milliunits if every row settled so many days late.
  /// - Returns: The mean weighted by units, rounded half to even.
  func mean(_ amount: (_ days: Int) -> Int128) -> Int128 {
    let sum = weights.map { Int128($0.units) * amount($0.days) }.reduce(0, +)
    return roundedHalfToEven(sum, over: Int128(units))
  }

  /// Returns the smallest and the largest amount within the usual range of lags.
  ///
  /// - Parameter amount: Returns the amount in milliunits if every row settled so many days late.
  /// - Returns: Both amounts, in milliunits.
  func range(_ amount: (_ days: Int) -> Int128) -> (low: Int128, high: Int128) {
    let amounts = usualRange.map(amount)
    return (amounts.min() ?? 0, amounts.max() ?? 0)
  }
}

/// Returns a quotient rounded to the nearest whole number, half to even.
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
