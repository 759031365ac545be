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

  /// The shares of the units settled less those of the units sold, over equal counts.
  func shareDifference(_ key: UnitKey) -> CountedMoney {
    let sign: Int128 = key.isNegative ? -1 : 1
    let differences = settled.map {
      ($0.value - key.value($0.row.share, $0.open)).milliunits - sign * $0.soldShares
    }
    return CountedMoney(differences.reduce(0, +), units: 0)
  }

  /// Returns which of the two share differences the key's is.
  ///
  /// - Parameter unit: The currency's smallest unit in milliunits.
  /// - Returns: A difference of rates, or another one.
  func differencePart(unit: Int64) -> BridgeSums.Part {
    let shares = settled.filter { $0.value.units != 0 }.map(\.row.share)
    let isExplained = ShareRate.explains(shares, by: sold.map(\.share), unit: unit)
    return isExplained ? .rateDifference : .otherDifference
  }
}
