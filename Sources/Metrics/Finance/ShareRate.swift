/// The two rates at which Apple shares a price: 70 %, and 85 % after one year or for small businesses.
enum ShareRate {
  /// Whether every share of a settlement is one of the sales' or differs by the rate alone.
  ///
  /// A share at the other rate is rounded to the currency's decimals, so half a percent is put up with.
  ///
  /// - Parameters:
  ///   - settled: Partner shares in milliunits.
  ///   - sold: Developer proceeds in milliunits.
  /// - Returns: `true` also when nothing was settled.
  static func explains(_ settled: [Int64], by sold: [Int64]) -> Bool {
    settled.allSatisfy { share in
      sold.contains { proceeds in
        share == proceeds || isNear(share, proceeds, 85, 70) || isNear(share, proceeds, 70, 85)
      }
    }
  }

  /// Whether a share is `proceeds * numerator / denominator`, give or take 0.5 % of that.
  private static func isNear(
    _ share: Int64, _ proceeds: Int64, _ numerator: Int128, _ denominator: Int128
  ) -> Bool {
    let expected = Int128(proceeds) * numerator
    let difference = (Int128(share) * denominator - expected).magnitude
    return difference * 200 <= expected.magnitude
  }
}
