import Storage
import SubscriptionModel

/// The key of interchangeable units: METRICS.md section 7, "Counting".
struct UnitKey: Hashable {
  var product: Symbol
  var country: Symbol
  var currency: Symbol
  var customerPrice: Int64
  /// Whether the FINANCE_DETAIL row is marked `R` or, in SALES, the row is a refund.
  var isReturn: Bool
  /// Whether the units have negative money: returns, and credits for completing a bundle.
  var isNegative: Bool

  /// Returns the money of a number of units at a share, with its sign.
  func value(_ share: Int64, _ units: Int) -> CountedMoney {
    let sign = isNegative ? -1 : 1
    return CountedMoney(Int128(share) * Int128(sign * units), units: sign * units)
  }
}

/// The units of one key that count in one fiscal period, from SALES and from FINANCE_DETAIL.
struct UnitGroup {
  /// The units in SALES with one day and share.
  struct SoldUnits {
    let day: Day
    let share: Int64
    /// The units that are not paired.
    var open: Int
  }

  /// The units of a FINANCE_DETAIL row.
  struct SettledUnits {
    let row: SettledRow
    /// The money and number of the units.
    var value: CountedMoney
    /// The units that are not paired.
    let open: Int
    /// The sum of the proceeds in SALES of the paired units, in milliunits without a sign.
    var soldShares: Int128 = 0
  }

  /// Sorted by day and share.
  var sold: [SoldUnits] = []
  /// Sorted by settlement date, transaction date, share and line.
  var settled: [SettledUnits] = []

  /// The settled share of one row minus the sold shares of its paired units.
  struct Difference {
    let settled: SettledUnits
    /// The pair of rates that explains it; `nil` if none does.
    let pair: Commissions.Pair?
    let money: CountedMoney
  }

  /// Returns the settled shares minus the sold shares of paired units, by the pair of rates that explains them.
  ///
  /// - Parameters:
  ///   - key: The key of the units.
  ///   - unit: The currency's smallest unit in milliunits.
  ///   - each: Receives the difference of each row.
  ///   - pairs: Returns the pairs of rates at which a unit of a day may have been sold and settled.
  /// - Returns: The differences by pair of rates; or, if any share is unexplained, their total as `other`.
  func shareDifferences(
    _ key: UnitKey, unit: Int64, each: (Difference) -> Void,
    pairs: (Day) -> [Commissions.Pair]
  ) -> (byPair: [Commissions.Pair: CountedMoney], other: CountedMoney?) {
    let sign: Int128 = key.isNegative ? -1 : 1
    let shares = sold.map(\.share)
    var byPair: [Commissions.Pair: CountedMoney] = [.usual: .zero]
    var (sum, isExplained) = (CountedMoney.zero, true)
    for own in settled {
      let paired = (own.value - key.value(own.row.share, own.open)).milliunits
      let difference = CountedMoney(paired - sign * own.soldShares, units: 0)
      sum += difference
      let pair: Commissions.Pair? =
        own.value.units == 0
        ? .usual
        : ShareRate.pair(
          explaining: own.row.share, by: shares, among: pairs(own.row.transactionDay), unit: unit)
      if let pair { byPair[pair, default: .zero] += difference } else { isExplained = false }
      each(Difference(settled: own, pair: pair, money: difference))
    }
    return isExplained ? (byPair, nil) : ([:], sum)
  }
}
