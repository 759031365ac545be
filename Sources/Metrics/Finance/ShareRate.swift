/// The two rates at which Apple shares a price: 70 %, and 85 % after one year or for small businesses.
enum ShareRate {
  /// Whether every share of a settlement is one of the sales' or differs by the rate alone.
  ///
  /// Both shares are rounded to the currency's smallest unit. Half a percent is put up with; for small
  /// amounts half a unit of either share, because 0.58 and 0.70 are 70 and 85 % of the same 0.825.
  ///
  /// - Parameters:
  ///   - settled: Partner shares in milliunits.
  ///   - sold: Developer proceeds in milliunits.
  ///   - unit: The currency's smallest unit in milliunits.
  /// - Returns: `true` also when nothing was settled.
  static func explains(_ settled: [Int64], by sold: [Int64], unit: Int64) -> Bool {
    settled.allSatisfy { share in
      sold.contains { proceeds in
        share == proceeds || isNear(share, proceeds, 85, 70, unit)
          || isNear(share, proceeds, 70, 85, unit)
      }
    }
  }

  /// Returns a currency's smallest unit in milliunits, by ISO 4217: 10, or 1,000 without decimals.
  ///
  /// - Parameter currency: The code of a currency that Apple settles in.
  /// - Returns: 10 for every other text.
  static func smallestUnit(of currency: String) -> Int64 {
    ["CLP", "JPY", "KRW", "VND"].contains(currency) ? 1_000 : 10
  }

  /// Whether a share is `proceeds * numerator / denominator`, give or take 0.5 % of that or the rounding.
  private static func isNear(
    _ share: Int64, _ proceeds: Int64, _ numerator: Int128, _ denominator: Int128, _ unit: Int64
  ) -> Bool {
    let expected = Int128(proceeds) * numerator
    let difference = (Int128(share) * denominator - expected).magnitude
    return difference * 200 <= expected.magnitude
      || difference * 2 <= ((numerator + denominator) * Int128(unit)).magnitude
  }
}
