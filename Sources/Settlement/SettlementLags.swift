import SubscriptionModel
import Tables

/// The numbers of days from the sale of units to their settlement, measured or usual.
struct SettlementLags {
  /// The number of units by lag in days, ascending.
  let weights: [(days: Int, units: Int)]
  /// Whether the lags were measured in FINANCE_DETAIL rows of the input.
  let isMeasured: Bool
  /// The range from the 5 % to the 95 % nearest-rank lag, in days.
  let usualRange: ClosedRange<Int>
  /// Every lag that ``mean(_:)`` and ``range(_:)`` use.
  let allDays: Set<Int>

  /// Creates the lags of measured rows.
  ///
  /// - Parameter units: The number of units by lag in days; the usual lags are used if there are none.
  init(measured units: [Int: Int]) {
    let known = units.filter { $0.value > 0 }
    isMeasured = !known.isEmpty
    let counts = isMeasured ? known : Self.usual
    weights = counts.map { ($0, $1) }.sorted { $0.0 < $1.0 }
    let lag = { (percent: Int) in Statistics.nearestRank(percent: percent, of: counts) ?? 0 }
    usualRange = lag(5)...lag(95)
    allDays = Set(weights.map(\.days)).union(usualRange)
  }

  /// Per 300 units: 0 days 40 %, 1 day 50 %, 2 to 4 days 7 % evenly, 9 days 3 %.
  private static let usual = [0: 120, 1: 150, 2: 7, 3: 7, 4: 7, 9: 9]

  /// The number of all units.
  var units: Int { weights.map(\.units).reduce(0, +) }

  /// The longest lag in days.
  var longest: Int { weights.last?.days ?? 0 }

  /// Returns the mean of an amount that depends on the lag.
  ///
  /// - Parameter amount: Returns the amount in milliunits if every row settled that many days after its sale.
  /// - Returns: The mean weighted by units, rounded half to even.
  func mean(_ amount: (_ days: Int) -> Int128) -> Int128 {
    let sum = weights.map { Int128($0.units) * amount($0.days) }.reduce(0, +)
    return sum.dividedHalfToEven(by: Int128(units))
  }

  /// Returns the smallest and the largest amount within the usual range of lags.
  ///
  /// - Parameter amount: Returns the amount in milliunits if every row settled that many days after its sale.
  /// - Returns: Both amounts, in milliunits.
  func range(_ amount: (_ days: Int) -> Int128) -> (low: Int128, high: Int128) {
    let amounts = usualRange.map(amount)
    return (amounts.min() ?? 0, amounts.max() ?? 0)
  }
}
