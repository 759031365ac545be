import SubscriptionModel

/// Finds the commissions that explain why a settled share differs from the proceeds in SALES.
enum ShareRate {
  /// Returns the pair of rates that explains a settled share.
  ///
  /// Both shares are rounded to the currency's smallest unit. The tolerance is half a percent, or for small amounts
  /// half a unit of each share. Example: 0.58 and 0.70 are 70 and 85 % of 0.825, rounded.
  ///
  /// - Parameters:
  ///   - share: A partner share in milliunits.
  ///   - sold: The developer proceeds in SALES, in milliunits.
  ///   - pairs: The storefront's pairs of rates.
  ///   - unit: The currency's smallest unit in milliunits.
  /// - Returns: The first pair for which the share is at one rate and different proceeds are at the other; else
  ///   ``Commissions/Pair/usual`` if SALES has the same share; else `nil`.
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

  /// Returns a currency's smallest unit in milliunits, by ISO 4217: 10, or 1,000 without decimals.
  ///
  /// - Parameter currency: The code of a currency that Apple settles in.
  /// - Returns: 1,000 for `CLP`, `JPY`, `KRW` and `VND`; 10 for every other text.
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
