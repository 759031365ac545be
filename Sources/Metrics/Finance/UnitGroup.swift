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

/// The units of one key and fiscal period: those that SALES has, and those that FINANCE_DETAIL has.
///
/// Reports aggregate, so no unit is known by itself: only counts are compared. Which units are surplus
/// matters for their value alone, and is found by passes from the best pairs to the worst.
struct UnitGroup {
  /// Units of SALES of one day and share.
  struct Sold {
    let day: Day
    let share: Int64
    var open: Int
  }

  /// Units of a FINANCE_DETAIL row that count in this period.
  struct Settled {
    let row: SettledRow
    /// What they add: the row's printed amount, less what counts in the neighbouring period.
    private(set) var value: CountedMoney
    var open: Int
    /// What SALES has for those that are paired: the sum of proceeds in milliunits, without a sign.
    var soldShares: Int128 = 0

    init(_ row: SettledRow) {
      self.row = row
      value = row.value
      open = row.count
    }

    /// The row's Transaction Date.
    var day: Day { row.transactionDay }

    /// Takes units away, which then count elsewhere.
    mutating func split(_ count: Int, _ key: UnitKey) -> Settled {
      var part = self
      part.value = key.value(row.share, count)
      part.open = count
      value -= part.value
      open -= count
      return part
    }
  }

  /// By day and share.
  private(set) var sold: [Sold]
  /// By settlement, transaction, share and line.
  private(set) var settled: [Settled]

  init(sold: [Sold], settled: [SettledRow]) {
    self.sold = sold.sorted { ($0.day, $0.share) < ($1.day, $1.share) }
    self.settled = settled.sorted(by: SettledRow.precedes).map { Settled($0) }
  }

  /// How many units SALES has more than FINANCE_DETAIL.
  private var surplus: Int {
    sold.map(\.open).reduce(0, +) - settled.map(\.open).reduce(0, +)
  }

  /// Pairs as many units as both sides have; what stays open is the surplus of one of them.
  mutating func pair() {
    pass { $0.day == $1.day && $0.share == $1.row.share }
    pass { abs($0.day - $1.day) <= 1 && $0.share == $1.row.share }
    pass { $0.day == $1.day }
    pass { abs($0.day - $1.day) <= 1 }
    pass { _, _ in true }
  }

  private mutating func pass(_ fits: (Sold, Settled) -> Bool) {
    for detail in settled.indices where settled[detail].open > 0 {
      for sale in sold.indices where sold[sale].open > 0 && fits(sold[sale], settled[detail]) {
        let count = min(sold[sale].open, settled[detail].open)
        sold[sale].open -= count
        settled[detail].open -= count
        settled[detail].soldShares += Int128(sold[sale].share) * Int128(count)
        if settled[detail].open == 0 { break }
      }
    }
  }

  /// Takes settled units from the other side of the period's end, before anything is paired.
  ///
  /// The two reports may cut the day at different hours. No more units are taken than each period lacks: a
  /// period whose counts agree gains nothing by giving units away.
  ///
  /// - Parameters:
  ///   - key: What the units share.
  ///   - neighbour: The group of the period before or after.
  ///   - day: The day of this group's sales that touches the neighbour.
  ///   - neighbourDay: The neighbour's day that touches this group.
  mutating func takeUnits(
    _ key: UnitKey, of neighbour: inout UnitGroup, on day: Day, _ neighbourDay: Day
  ) {
    guard surplus > 0, neighbour.surplus < 0 else { return }
    let sales = leftOver(day).sold.filter { $0.day == day }
    var shares = Dictionary(sales.map { ($0.share, $0.open) }, uniquingKeysWith: +)
    var details = neighbour.leftOver(neighbourDay).settled
    var limit = min(surplus, -neighbour.surplus, shares.values.reduce(0, +))
    for needsSameShare in [true, false] {
      for index in details.indices where details[index].day == neighbourDay {
        let share = details[index].row.share
        let most = needsSameShare ? shares[share, default: 0] : limit
        let count = min(limit, details[index].open, most)
        guard count > 0 else { continue }
        limit -= count
        shares[share, default: 0] -= count
        details[index].open -= count
        settled.append(neighbour.settled[index].split(count, key))
      }
    }
    settled.sort { SettledRow.precedes($0.row, $1.row) }
  }

  /// The group when the units of one day are paired with each other.
  private func leftOver(_ day: Day) -> UnitGroup {
    var group = self
    group.pass { $0.day == day && $1.day == day && $0.share == $1.row.share }
    group.pass { $0.day == day && $1.day == day }
    return group
  }
}

extension UnitGroup {
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
