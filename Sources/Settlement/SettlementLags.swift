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

  /// Creates the lags of measured rows, given the number of units by days; the usual lags without any.
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

  var units: Int { weights.map(\.units).reduce(0, +) }

  /// The longest lag in days.
  var longest: Int { weights.last?.days ?? 0 }

  /// Returns the mean of the amounts in milliunits at each lag, weighted by units and rounded half to even.
  func mean(_ amount: (_ days: Int) -> Int128) -> Int128 {
    let sum = weights.map { Int128($0.units) * amount($0.days) }.reduce(0, +)
    return sum.dividedHalfToEven(by: Int128(units))
  }

  /// Returns the smallest and the largest of the amounts in milliunits within the usual range of lags.
  func range(_ amount: (_ days: Int) -> Int128) -> (low: Int128, high: Int128) {
    let amounts = usualRange.map(amount)
    return (amounts.min() ?? 0, amounts.max() ?? 0)
  }
}

/// Finds the commissions that explain why a settled share differs from the proceeds in SALES.
enum ShareRate {
  /// Returns the pair of rates that explains a settled share.
  ///
  /// Both shares are rounded to the currency's smallest unit. The tolerance is half a percent, or for small amounts
  /// half a unit of each share. Example: 0.58 and 0.70 are 70 and 85 % of 0.825, rounded.
  ///
  /// It is the first of the storefront's pairs for which the share is at one rate and different proceeds are at the
  /// other; else ``Commissions/Pair/usual`` if SALES has the same share; else `nil`. All amounts, and the currency's
  /// smallest unit, are in milliunits.
  static func pair(
    explaining share: Int64, by sold: [Int64], among pairs: [Commissions.Pair], unit: Int64
  ) -> Commissions.Pair? {
    for pair in pairs {
      let (low, high) = (Int128(pair.standard), Int128(pair.reduced))
      let isExplained = sold.contains { proceeds in
        share != proceeds
          && (isNear(share, proceeds, high, low, unit) || isNear(share, proceeds, low, high, unit))
      }
      if isExplained { return pair }
    }
    return sold.contains(share) ? .usual : nil
  }

  /// Returns the smallest unit in milliunits of a currency that Apple settles in, by ISO 4217: 10, or 1,000 without
  /// decimals.
  static func smallestUnit(of currency: String) -> Int64 {
    ["CLP", "JPY", "KRW", "VND"].contains(currency) ? 1_000 : 10
  }

  /// Returns whether a share is `proceeds * numerator / denominator`, within 0.5 % or the rounding.
  private static func isNear(
    _ share: Int64, _ proceeds: Int64, _ numerator: Int128, _ denominator: Int128, _ unit: Int64
  ) -> Bool {
    let expected = Int128(proceeds) * numerator
    let difference = (Int128(share) * denominator - expected).magnitude
    return difference * 200 <= expected.magnitude
      || difference * 2 <= ((numerator + denominator) * Int128(unit)).magnitude
  }
}
