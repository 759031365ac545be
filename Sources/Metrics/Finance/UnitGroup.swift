import SubscriptionModel

/// What units must share to be interchangeable: METRICS.md section 7, "Counting".
struct UnitKey: Hashable {
  var product: Symbol
  var country: Symbol
  var currency: Symbol
  var customerPrice: Int64
  /// Whether the report says `R` or, in SALES, whether the row is a refund.
  var isReturn: Bool
  /// Whether the units take money away: returns, and the credit that completes a bundle.
  var isNegative: Bool

  /// What units of a share add to a sum.
  func value(_ share: Int64, _ units: Int) -> CountedMoney {
    let sign = isNegative ? -1 : 1
    return CountedMoney(Int128(share) * Int128(sign * units), units: sign * units)
  }
}

/// The units of one key that count in one fiscal period: those that SALES has, and those that FINANCE_DETAIL
/// has.
struct UnitGroup {
  /// Units of SALES of one day and share.
  struct Sold {
    let day: Day
    let share: Int64
    /// Those that are not paired.
    var open: Int
  }

  /// Units of a FINANCE_DETAIL row.
  struct Settled {
    let row: SettledRow
    /// What they add.
    var value: CountedMoney
    /// Those that are not paired.
    let open: Int
    /// What SALES has for those that are paired: the sum of proceeds in milliunits, without a sign.
    var soldShares: Int128 = 0
  }

  /// By day and share.
  var sold: [Sold] = []
  /// By settlement, transaction, share and line.
  var settled: [Settled] = []

  /// Returns the shares of the units settled less those of the units sold, over equal counts, by what explains them.
  ///
  /// - Parameters:
  ///   - key: What the units share.
  ///   - unit: The currency's smallest unit in milliunits.
  ///   - pairs: Returns the pairs of rates that a unit of a day can have been sold and settled at.
  /// - Returns: The differences by pair of rates, and what no pair explains: a key with one such share is wholly that.
  func shareDifferences(
    _ key: UnitKey, unit: Int64, pairs: (Day) -> [Commissions.Pair]
  ) -> (byPair: [Commissions.Pair: CountedMoney], other: CountedMoney?) {
    let sign: Int128 = key.isNegative ? -1 : 1
    let shares = sold.map(\.share)
    var byPair: [Commissions.Pair: CountedMoney] = [.usual: .zero]
    var (sum, isExplained) = (CountedMoney.zero, true)
    for own in settled {
      let paired = (own.value - key.value(own.row.share, own.open)).milliunits
      let difference = CountedMoney(paired - sign * own.soldShares, units: 0)
      sum += difference
      guard own.value.units != 0 else {
        byPair[.usual, default: .zero] += difference
        continue
      }
      let pair = ShareRate.pair(
        explaining: own.row.share, by: shares, among: pairs(own.row.transactionDay), unit: unit)
      if let pair { byPair[pair, default: .zero] += difference } else { isExplained = false }
    }
    return isExplained ? (byPair, nil) : ([:], sum)
  }
}
