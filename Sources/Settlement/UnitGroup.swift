import Storage
import SubscriptionModel

/// The key of interchangeable units: METRICS.md section 7, "Counting".
struct UnitKey: Hashable {
  var product: Symbol
  var country: Symbol
  var currency: Symbol
  var customerPrice: Int64
  /// Whether the units have negative money: in SALES refunds, and credits for completing a bundle.
  var isReturn: Bool

  /// Where units count that are settled in another period than that of their sale: there, and in their own.
  var timing: (into: BridgeSums.Part, out: BridgeSums.Part) {
    isReturn ? (.refundTiming, .refundTiming) : (.cutoffIn, .cutoffOut)
  }

  /// Returns the money of a number of units at a share, with its sign.
  func value(_ share: Int64, _ units: Int) -> CountedMoney {
    let sign = isReturn ? -1 : 1
    return CountedMoney(Int128(share) * Int128(sign * units), units: sign * units)
  }
}

/// The units of one key that count in one bridge, from SALES and from FINANCE_DETAIL.
struct UnitGroup {
  /// The units in SALES with one day and share.
  struct SoldUnits {
    let day: Day
    let share: Int64
    /// Whether they are credits for completing a bundle.
    var isCredit = false
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
    /// The paired units by their proceeds in SALES, in milliunits without a sign.
    var paired: [(share: Int64, units: Int)] = []
  }

  /// Sorted by day and share.
  var sold: [SoldUnits] = []
  /// Sorted by settlement date, transaction date, share and line.
  var settled: [SettledUnits] = []

  /// The settled share of one row minus the sold shares of its paired units, as far as one pair of rates explains it.
  struct Difference {
    let settled: SettledUnits
    /// The pair of rates that explains it; `nil` if none does.
    let pair: Commissions.Pair?
    var money = CountedMoney.zero
    /// The proceeds in SALES of the units.
    var proceeds: Set<Int64> = []
  }

  /// Returns the settled shares minus the sold shares of paired units, by the pair of rates that explains them; if any
  /// share is unexplained, their total as `other`.
  ///
  /// `unit` is the currency's smallest unit in milliunits; `pairs` returns the rates at which a unit of a day may have
  /// been sold and settled; `each` receives the differences of each row.
  func shareDifferences(
    _ key: UnitKey, unit: Int64, each: (Difference) -> Void,
    pairs: (Day) -> [Commissions.Pair]
  ) -> (byPair: [Commissions.Pair: CountedMoney], other: CountedMoney?) {
    let shares = sold.map(\.share)
    var byPair: [Commissions.Pair: CountedMoney] = [.usual: .zero]
    var (sum, isExplained) = (CountedMoney.zero, true)
    for own in settled {
      for part in differences(own, key, unit, shares, pairs(own.row.transactionDay)) {
        sum += part.money
        if let pair = part.pair {
          byPair[pair, default: .zero] += part.money
        } else {
          isExplained = false
        }
        each(part)
      }
    }
    return isExplained ? (byPair, nil) : ([:], sum)
  }

  /// Returns the differences of one row.
  ///
  /// The pair of rates is that of the units of SALES with which the row's are paired. If none explains these, another
  /// sale of the key may: its units cannot be told apart.
  private func differences(
    _ own: SettledUnits, _ key: UnitKey, _ unit: Int64, _ shares: [Int64],
    _ pairs: [Commissions.Pair]
  ) -> [Difference] {
    let explain = { (sold: [Int64]) in
      ShareRate.pair(explaining: own.row.share, by: sold, among: pairs, unit: unit)
    }
    let other = own.value.units == 0 ? .usual : explain(shares)
    var parts: [Difference] = []
    func add(_ money: Int128, _ pair: Commissions.Pair?, _ proceeds: Int64?) {
      let index = parts.firstIndex { $0.pair == pair } ?? parts.count
      if index == parts.count { parts.append(Difference(settled: own, pair: pair)) }
      parts[index].money += CountedMoney(money, units: 0)
      if let proceeds { parts[index].proceeds.insert(proceeds) }
    }
    var rest = own.value.milliunits - key.value(own.row.share, own.open).milliunits
    for (share, units) in own.paired {
      let settled = key.value(own.row.share, units).milliunits
      rest -= settled
      add(settled - key.value(share, units).milliunits, explain([share]) ?? other, share)
    }
    if rest != 0 || parts.isEmpty { add(rest, parts.first?.pair ?? other, nil) }
    return parts
  }
}

/// The fields of a FINANCE_DETAIL row that unit counting needs.
///
/// Millions of these are in memory at once, so most values that can be computed are not stored.
struct SettledRow {
  /// The period of the settlement, which is that of the file.
  let period: FiscalPeriod
  /// The period of the Transaction Date.
  let transactionPeriod: FiscalPeriod
  let transactionDay: Day
  let settlementDay: Day
  let share: Int64
  private let extendedShare: Int64
  private let quantity: Int64
  private let fileIndex: Int32
  private let line: Int32

  /// Creates the fields of a FINANCE_DETAIL row; `nil` for a row without dates, as in FINANCIAL.
  init?(_ row: FinanceRow, of statement: FinanceStatement) {
    guard let transactionDay = row.transactionDay, let settlementDay = row.settlementDay else {
      return nil
    }
    period = statement.period
    transactionPeriod = FiscalPeriod(containing: transactionDay)
    self.transactionDay = transactionDay
    self.settlementDay = settlementDay
    share = row.partnerShare
    extendedShare = row.extendedShare
    quantity = row.quantity
    fileIndex = Int32(clamping: statement.fileIndex)
    line = row.line
  }

  var count: Int { Int(quantity.magnitude) }

  /// The row's file and line.
  var place: BridgeContribution.Place {
    BridgeContribution.Place(fileIndex: Int(fileIndex), line: Int(line))
  }

  /// The money and units of the whole row, with their sign.
  var value: CountedMoney { CountedMoney(Int128(extendedShare), units: Int(quantity)) }

  static func precedes(_ left: SettledRow, _ right: SettledRow) -> Bool {
    (left.settlementDay, left.transactionDay, left.share, left.fileIndex, left.line)
      < (right.settlementDay, right.transactionDay, right.share, right.fileIndex, right.line)
  }
}
