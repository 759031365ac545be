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
    /// How many were paired with units of the same period; the rest are open or with the neighbour.
    var paired = 0

    init(day: Day, share: Int64, count: Int) {
      self.day = day
      self.share = share
      open = count
    }
  }

  /// Units of a FINANCE_DETAIL row.
  struct Settled {
    let row: SettledRow
    var open: Int
    /// How many of the row's units count in the neighbouring period.
    var moved = 0

    /// The row's Transaction Date.
    var day: Day { row.transactionDay }

    /// What counts of the row in the period of its Transaction Date.
    func keptValue(_ key: UnitKey) -> CountedMoney { row.value - key.value(row.share, moved) }
  }

  /// Units of a row of the neighbouring period that count in this one.
  struct Arrival {
    let row: SettledRow
    let count: Int
    /// The share of the sale that they were paired with.
    let soldShare: Int64
  }

  /// By day and share.
  private(set) var sold: [Sold]
  /// By settlement, transaction, share and line.
  private(set) var settled: [Settled]
  private(set) var arrivals: [Arrival] = []

  init(sold: [Sold], settled: [SettledRow]) {
    self.sold = sold.sorted { ($0.day, $0.share) < ($1.day, $1.share) }
    self.settled = settled.sorted(by: SettledRow.precedes).map { Settled(row: $0, open: $0.count) }
  }

  private var soldSurplus: Int { max(0, openSold - openSettled) }
  private var settledSurplus: Int { max(0, openSettled - openSold) }
  private var openSold: Int { sold.map(\.open).reduce(0, +) }
  private var openSettled: Int { settled.map(\.open).reduce(0, +) }

  /// Pairs the units that are at most a day apart.
  mutating func pairNearDays() {
    pass { $0.day == $1.day && $0.share == $1.row.share }
    pass { abs($0.day - $1.day) <= 1 && $0.share == $1.row.share }
    pass { $0.day == $1.day }
    pass { abs($0.day - $1.day) <= 1 }
  }

  /// Pairs all that is left, so that what stays open is the surplus of one side.
  mutating func pairRest() {
    pass { _, _ in true }
  }

  private mutating func pass(_ fits: (Sold, Settled) -> Bool) {
    for detail in settled.indices where settled[detail].open > 0 {
      for sale in sold.indices where sold[sale].open > 0 && fits(sold[sale], settled[detail]) {
        let count = min(sold[sale].open, settled[detail].open)
        sold[sale].open -= count
        sold[sale].paired += count
        settled[detail].open -= count
        if settled[detail].open == 0 { break }
      }
    }
  }

  /// Pairs units sold on the last day at one side of midnight with units of the other side.
  ///
  /// The two reports may cut the day at different hours. No more units are paired than each period
  /// lacks: a period whose counts agree gains nothing by giving units away.
  ///
  /// - Parameters:
  ///   - day: The day of this group's sales that touches the neighbour.
  ///   - neighbour: The group of the period before or after.
  ///   - neighbourDay: The neighbour's day that touches this group.
  mutating func pair(_ day: Day, with neighbour: inout UnitGroup, on neighbourDay: Day) {
    var limit = min(soldSurplus, neighbour.settledSurplus)
    for needsSameShare in [true, false] {
      for detail in neighbour.settled.indices where neighbour.settled[detail].day == neighbourDay {
        for sale in sold.indices where sold[sale].day == day {
          let row = neighbour.settled[detail].row
          guard !needsSameShare || row.share == sold[sale].share else { continue }
          let count = min(limit, sold[sale].open, neighbour.settled[detail].open)
          guard count > 0 else { continue }
          limit -= count
          sold[sale].open -= count
          neighbour.settled[detail].open -= count
          neighbour.settled[detail].moved += count
          arrivals.append(Arrival(row: row, count: count, soldShare: sold[sale].share))
        }
      }
    }
  }
}

extension UnitGroup {
  /// The shares of the units settled less those of the units sold, over equal counts.
  func shareDifference(_ key: UnitKey) -> CountedMoney {
    var difference = CountedMoney.zero
    for detail in settled {
      difference += detail.keptValue(key) - key.value(detail.row.share, detail.open)
    }
    for arrival in arrivals {
      difference += key.value(arrival.row.share, arrival.count)
      difference -= key.value(arrival.soldShare, arrival.count)
    }
    for sale in sold { difference -= key.value(sale.share, sale.paired) }
    return difference
  }

  /// Which of the two share differences the key's is.
  var differencePart: BridgeSums.Part {
    let shares = settled.filter { $0.row.count > $0.moved }.map(\.row.share)
    let isExplained = ShareRate.explains(
      shares + arrivals.map(\.row.share), by: sold.map(\.share))
    return isExplained ? .rateDifference : .otherDifference
  }
}

/// A row of FINANCE_DETAIL as far as counting looks at it.
struct SettledRow {
  /// The period in which Apple settled it: its file's.
  let period: FiscalPeriod
  let transactionDay: Day
  let settlementDay: Day
  let share: Int64
  let count: Int
  /// What counts of the whole row, with its sign.
  let value: CountedMoney
  let fileIndex: Int
  let line: Int32

  static func precedes(_ left: SettledRow, _ right: SettledRow) -> Bool {
    let leftDays = (left.settlementDay, left.transactionDay, left.share)
    let rightDays = (right.settlementDay, right.transactionDay, right.share)
    if leftDays != rightDays { return leftDays < rightDays }
    return (left.fileIndex, left.line) < (right.fileIndex, right.line)
  }
}
