import SubscriptionModel

/// Pairs the units of one key: METRICS.md section 7, "Counting".
///
/// Reports add up units, so single units cannot be identified and only their numbers are compared. Several passes, from
/// the best pairs to the worst, decide which units are surplus; this affects only the value and period of the surplus.
struct UnitPairing {
  /// Sorted by day and share.
  private var sold: [UnitGroup.SoldUnits]
  /// Sorted by settlement date, transaction date, share and line.
  private let settled: [SettledRow]
  /// The unpaired units of each settled row.
  private var open: [Int]
  private var pairs: [(detail: Int, sale: Int, count: Int)] = []

  init(sold: [UnitGroup.SoldUnits], settled: [SettledRow]) {
    self.sold = sold.sorted {
      ($0.day, $0.share, $0.isCredit ? 1 : 0) < ($1.day, $1.share, $1.isCredit ? 1 : 0)
    }
    self.settled = settled.sorted(by: SettledRow.precedes)
    open = self.settled.map(\.count)
  }

  /// Pairs as many units as possible; the units that stay open are the surplus of SALES or FINANCE_DETAIL.
  ///
  /// Only units of the same day pair if `areDaysEqual`. `region` is `nil` if the region of the units does not depend on
  /// the day. After a period whose next one has FINANCE_DETAIL, the remaining units of one region may pair regardless
  /// of their days.
  mutating func pair(
    areDaysEqual: Bool, region: ((Day) -> String)?, isNextKnown: (FiscalPeriod) -> Bool
  ) {
    if areDaysEqual {
      pair(within: 0, ofSameShare: true)
      pair(within: 0, ofSameShare: false)
    } else {
      let most = mostPairsWithinADay()
      pair(within: 0, ofSameShare: true)
      pair(within: 1, ofSameShare: true)
      pair(within: 0, ofSameShare: false)
      pair(within: 1, ofSameShare: false)
      pairNearest(most - pairs.map(\.count).reduce(0, +))
    }
    pairRest(region, isNextKnown)
  }

  // MARK: Passes

  private mutating func pair(within days: Int, ofSameShare needsSameShare: Bool) {
    for detail in settled.indices where open[detail] > 0 {
      let day = settled[detail].transactionDay
      var sale = firstSale(day - days)
      while open[detail] > 0, sale < sold.count, sold[sale].day <= day + days {
        if !needsSameShare || sold[sale].share == settled[detail].share { pair(detail, sale) }
        sale += 1
      }
    }
  }

  /// Pairs a number of units that are 2 or more days apart, the nearest first.
  ///
  /// This adds the pairs that the passes before missed, up to the largest number that is possible within a day.
  private mutating func pairNearest(_ count: Int) {
    var left = count
    var days = 2
    while left > 0 {
      for detail in settled.indices where open[detail] > 0 {
        for day in [settled[detail].transactionDay - days, settled[detail].transactionDay + days] {
          var sale = firstSale(day)
          while left > 0, open[detail] > 0, sale < sold.count, sold[sale].day == day {
            left -= pair(detail, sale, atMost: left)
            sale += 1
          }
        }
      }
      days += 1
    }
  }

  /// Pairs the remaining units of each period and region, regardless of the days.
  private mutating func pairRest(
    _ region: ((Day) -> String)?, _ isNextKnown: (FiscalPeriod) -> Bool
  ) {
    var places: [UnitPlace: Int] = [:]
    for detail in settled.indices where open[detail] > 0 {
      let period = settled[detail].transactionPeriod
      guard isNextKnown(period) else { continue }
      let place = UnitPlace(settled[detail].transactionDay, region)
      var sale = places[place] ?? firstSale(period.firstDay)
      while sale < sold.count, sold[sale].day <= period.lastDay {
        if region == nil || UnitPlace(sold[sale].day, region) == place { pair(detail, sale) }
        if open[detail] == 0 { break }
        sale += 1
      }
      places[place] = sale
    }
  }

  @discardableResult
  private mutating func pair(_ detail: Int, _ sale: Int, atMost most: Int = .max) -> Int {
    let count = min(sold[sale].open, open[detail], most)
    guard count > 0 else { return 0 }
    sold[sale].open -= count
    open[detail] -= count
    pairs.append((detail, sale, count))
    return count
  }

  /// Returns the index of the first sale on or after a day.
  private func firstSale(_ day: Day) -> Int {
    var (low, high) = (0, sold.count)
    while low < high {
      let middle = (low + high) / 2
      if sold[middle].day < day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the largest possible number of pairs that are at most a day apart.
  ///
  /// Always pairing the earliest units that are near enough gives this maximum.
  private func mostPairsWithinADay() -> Int {
    var sales = sold.map { (day: $0.day, units: $0.open) }
    var details = settled.map { (day: $0.transactionDay, units: $0.count) }
      .sorted { $0.day < $1.day }
    var (sale, detail, most) = (0, 0, 0)
    while sale < sales.count, detail < details.count {
      if sales[sale].day - details[detail].day > 1 {
        detail += 1
      } else if details[detail].day - sales[sale].day > 1 {
        sale += 1
      } else {
        let count = min(sales[sale].units, details[detail].units)
        most += count
        sales[sale].units -= count
        details[detail].units -= count
        if sales[sale].units == 0 { sale += 1 }
        if details[detail].units == 0 { detail += 1 }
      }
    }
    return most
  }

  /// The units that are not paired on their own day, and those that are not paired.
  var unequal: [UnequalUnits] {
    let ofTwoDays = pairs.filter { sold[$0.sale].day != settled[$0.detail].transactionDay }
    let unsold = settled.indices.filter { open[$0] > 0 }
    return ofTwoDays.map {
      UnequalUnits(count: $0.count, sold: sold[$0.sale], settled: settled[$0.detail])
    } + unsold.map { UnequalUnits(count: open[$0], sold: nil, settled: settled[$0]) }
      + sold.filter { $0.open > 0 }.map { UnequalUnits(count: $0.open, sold: $0, settled: nil) }
  }

  // MARK: Groups

  /// Returns the units by the bridge in which they count.
  ///
  /// A pair counts where its sale does, a settled unit alone in the bridge of its Transaction Date. If the amount of a
  /// row is more than units × share, the rest stays in the bridge of its Transaction Date.
  func groups(_ key: UnitKey, _ region: ((Day) -> String)?) -> [UnitPlace: UnitGroup] {
    var groups: [UnitPlace: UnitGroup] = [:]
    for sale in sold {
      groups[UnitPlace(sale.day, region), default: UnitGroup()].sold.append(sale)
    }
    let sorted = pairs.sorted { ($0.detail, $0.sale) < ($1.detail, $1.sale) }
    var next = 0
    for (detail, row) in settled.enumerated() {
      var own = UnitGroup.SettledUnits(row: row, value: row.value, open: open[detail])
      let ownPlace = UnitPlace(row.transactionPeriod, row.transactionDay, region)
      var moved: [UnitPlace: UnitGroup.SettledUnits] = [:]
      while next < sorted.count, sorted[next].detail == detail {
        let sale = sold[sorted[next].sale]
        let paired = (share: sale.share, units: sorted[next].count)
        let place = UnitPlace(sale.day, region)
        if place == ownPlace {
          own.paired.append(paired)
        } else {
          let value = key.value(row.share, paired.units)
          own.value -= value
          moved[place, default: UnitGroup.SettledUnits(row: row, value: .zero, open: 0)].value +=
            value
          moved[place]?.paired.append(paired)
        }
        next += 1
      }
      groups[ownPlace, default: UnitGroup()].settled.append(own)
      for (place, part) in moved { groups[place, default: UnitGroup()].settled.append(part) }
    }
    return groups
  }

  /// Returns the units of SALES with which each settled row is paired.
  func pairedUnits(_ key: UnitKey) -> PairedUnits {
    var paired = PairedUnits()
    for pair in pairs.sorted(by: { ($0.detail, $0.sale) < ($1.detail, $1.sale) }) {
      paired.add(SaleKey(key, sold[pair.sale]), pair.count, to: settled[pair.detail])
    }
    return paired
  }
}

/// Units that SALES and FINANCE_DETAIL have on different days, or only one of them has.
struct UnequalUnits {
  let count: Int
  /// The units in SALES; `nil` for settled units without a sale.
  let sold: UnitGroup.SoldUnits?
  /// The row of FINANCE_DETAIL; `nil` for units that are not settled.
  let settled: SettledRow?

  /// The days in SALES and in FINANCE_DETAIL.
  var days: [Day] { [sold?.day, settled?.transactionDay].compactMap(\.self) }

  /// The period in which they count.
  var period: FiscalPeriod { FiscalPeriod(containing: days[0]) }
}

/// The bridge in which units of one key count.
struct UnitPlace: Hashable {
  let period: FiscalPeriod
  /// The region; `nil` where it does not depend on the day.
  let region: String?

  init(_ period: FiscalPeriod, _ day: Day, _ region: ((Day) -> String)?) {
    self.period = period
    self.region = region?(day)
  }

  init(_ day: Day, _ region: ((Day) -> String)?) {
    self.init(FiscalPeriod(containing: day), day, region)
  }
}

/// The units of SALES with which settled rows are paired.
struct PairedUnits {
  private var sold: [BridgeContribution.Place: [BridgeContribution.Sold]] = [:]

  /// Adds a pair; those of one row are added in the order of their sales.
  mutating func add(_ sale: SaleKey, _ units: Int, to row: SettledRow) {
    var own = sold.removeValue(forKey: row.place) ?? []
    if let last = own.indices.last, own[last].sale == sale {
      own[last].units += units
    } else {
      own.append(BridgeContribution.Sold(sale: sale, units: units))
    }
    sold[row.place] = own
  }

  /// Returns the units with which a row is paired, of the sales that count in the bridge.
  func sold(_ row: SettledRow, _ isCounted: (SaleKey) -> Bool) -> [BridgeContribution.Sold] {
    guard !sold.isEmpty else { return [] }
    return (sold[row.place] ?? []).filter { isCounted($0.sale) }
  }
}

/// The units of SALES and FINANCE_DETAIL by key; units with the same key are interchangeable.
///
/// Two units swapped across a period's edge, each on the day of the other, cannot be seen in the
/// data.
struct UnitCounting {
  private let input: PeriodInput
  private var units: [UnitKey: (sold: [UnitGroup.SoldUnits], settled: [SettledRow])] = [:]

  init(_ input: PeriodInput) { self.input = input }

  mutating func add(_ sale: SaleKey, units count: Int) {
    let key = UnitKey(
      product: sale.product, country: sale.country, currency: sale.currency,
      customerPrice: sale.customerPrice, isReturn: sale.isReturn)
    units[key, default: ([], [])].sold.append(
      UnitGroup.SoldUnits(
        day: sale.day, share: sale.proceeds, isCredit: sale.isCredit, open: abs(count)))
  }

  mutating func add(_ row: SettledRow, key: UnitKey) {
    units[key, default: ([], [])].settled.append(row)
  }

  /// Returns whether SALES and FINANCE_DETAIL have the same day for the same unit.
  ///
  /// They do if in every comparable period as many units of each key match by day as their numbers allow: 8 if 10 are
  /// sold and 8 settled. `false` if no period is comparable.
  func areDaysEqual() -> Bool {
    guard input.periods.contains(where: isComparable) else { return false }
    return units.values.allSatisfy { units in
      var days: [Day: (sold: Int, settled: Int)] = [:]
      for sold in units.sold { days[sold.day, default: (0, 0)].sold += sold.open }
      for row in units.settled { days[row.transactionDay, default: (0, 0)].settled += row.count }
      var sums: [FiscalPeriod: (sold: Int, settled: Int, paired: Int)] = [:]
      for (day, counts) in days {
        let period = FiscalPeriod(containing: day)
        sums[period, default: (0, 0, 0)].sold += counts.sold
        sums[period, default: (0, 0, 0)].settled += counts.settled
        sums[period, default: (0, 0, 0)].paired += min(counts.sold, counts.settled)
      }
      return sums.allSatisfy { period, sums in
        sums.paired == min(sums.sold, sums.settled) || !isComparable(period)
      }
    }
  }

  /// Returns whether a period and the next one have FINANCE_DETAIL.
  private func isComparable(_ period: FiscalPeriod) -> Bool {
    input.hasDetail(period) && input.hasDetail(period + 1)
  }

  /// Pairs the units of each key, if `areDaysEqual` only those of the same day; `regions` returns the region by day of
  /// a key whose region depends on it.
  consuming func compare(
    areDaysEqual: Bool, regions: (UnitKey) -> ((Day) -> String)?,
    _ found: (UnitKey, UnitPairing, ((Day) -> String)?) -> Void
  ) {
    for (key, units) in units {
      var pairing = UnitPairing(sold: units.sold, settled: units.settled)
      let region = regions(key)
      pairing.pair(areDaysEqual: areDaysEqual, region: region) { [input] in
        input.hasDetail($0 + 1)
      }
      found(key, pairing, region)
    }
  }
}

extension UnitKey {
  init(_ row: FinanceRow) {
    self.init(
      product: row.product, country: row.country, currency: row.currency,
      customerPrice: row.customerPrice, isReturn: row.isReturn)
  }
}
