import Storage
import SubscriptionModel

/// Lines 12 and 20 to 25, computed by pairing units sold with units settled.
extension BridgeBuilder {
  /// Compares all units sold with all units settled.
  mutating func addUnits() {
    var counting = UnitCounting(input)
    for (sale, units) in records.sales where units != 0 {
      counting.add(sale, units: units)
    }
    for statement in records.statements {
      for row in statement.rows where row.partnerShare != 0 {
        guard let settled = SettledRow(row, of: statement) else { continue }
        if input.hasSales(on: settled.transactionDay) {
          counting.add(settled, key: UnitKey(row))
        } else {
          let cell = cell(settled.transactionPeriod, UnitKey(row), on: settled.transactionDay)
          addTiming(UnitKey(row), settled, settled.value, countedIn: cell, mayMove: false)
          add(
            settled.value, .missingDays, cell,
            BridgeContribution(.dayWithoutSales, BridgeContribution.Settled(settled, UnitKey(row))))
        }
      }
    }
    let areDaysEqual = counting.areDaysEqual()
    var shifted = ShiftedUnits()
    var edges: [EdgeChange] = []
    counting.compare(areDaysEqual: areDaysEqual, regions: lookup.regions) { key, pairing, region in
      addGroups(key, pairing, region, areDaysEqual: areDaysEqual, &shifted)
      if !areDaysEqual { edges += edgeChanges(key, pairing) }
    }
    add(edges)
    for (place, milliunits) in shifted.unsettled() where !input.isFinal(place.period) {
      let pair = SettledPair(period: place.period, country: place.country, currency: place.currency)
      guard input.method(place.period) == .counting, let other = shift.salesBridges[pair],
        let region = shift.settlementRegions[pair]
      else { continue }
      let name = BridgeName(period: place.period, region: region, currency: place.currency)
      let cell = BridgeCell(name: name, product: place.product, country: place.country)
      cells[cell, default: BridgeSums()].addUnsettled(
        milliunits, isReturn: place.isReturn, of: other)
    }
  }

  /// Adds a settled row to lines 20 to 22 if its units count in a period other than that of its settlement.
  ///
  /// In the same period, they may count in another region: a day before or after the country moves from one to the
  /// other. Then they are in line 25.
  private mutating func addTiming(
    _ key: UnitKey, _ row: SettledRow, _ value: CountedMoney, countedIn own: BridgeCell,
    mayMove: Bool, _ sold: @autoclosure () -> [BridgeContribution.Sold] = []
  ) {
    guard own.period != row.period || mayMove else { return }
    let settled = cell(row.period, key, on: row.transactionDay)
    let place = BridgeContribution.Settled(row, key)
    let sold = sold()
    guard own.period == row.period else {
      let timing = key.timing
      add(value, timing.into, settled, BridgeContribution(.countsIn(own.period), place, sold))
      add(-value, timing.out, own, BridgeContribution(.settledIn(row.period), place, sold))
      return
    }
    guard own.name != settled.name, value != .zero else { return }
    addOtherRegion(-value, own, settled.name, BridgeContribution(.settledElsewhere, place, sold))
    addOtherRegion(value, settled, own.name, BridgeContribution(.soldElsewhere, place, sold))
  }

  private mutating func addOtherRegion(
    _ money: CountedMoney, _ cell: BridgeCell, _ other: BridgeName, _ rows: BridgeContribution
  ) {
    let other = "\(other.region) \(texts[Int(other.currency)])"
    cells[cell, default: BridgeSums()].addOtherRegion(money, other)
    listener?.hear(money, .line(.otherRegion, cause: other), cell, rows)
  }

  private mutating func addGroups(
    _ key: UnitKey, _ pairing: UnitPairing, _ region: ((Day) -> String)?, areDaysEqual: Bool,
    _ shifted: inout ShiftedUnits
  ) {
    let unit = ShareRate.smallestUnit(of: texts[Int(key.currency)])
    let isHeard = listener.map { $0.name.currency == key.currency } == true
    let pairs = isHeard ? pairing.pairedUnits(key) : PairedUnits()
    for (place, group) in pairing.groups(key, region) {
      let period = place.period
      var cell = cell(period, key, on: period.firstDay)
      if let region = place.region { cell.name.region = region }
      let sold = { (row: SettledRow) in
        pairs.sold(row) { UnitPlace($0.day, region) == place }
      }
      for settled in group.settled {
        addTiming(
          key, settled.row, settled.value, countedIn: cell, mayMove: region != nil,
          sold(settled.row))
      }
      shifted.add(key, group, period, shift, cell.pair)
      guard input.method(period) == .counting else { continue }
      addDifferences(of: group, key, unit, cell, sold)
      addOpenSales(key, group, cell)
      addOpenSettled(key, group, cell, areDaysEqual: areDaysEqual)
    }
  }

  private mutating func addDifferences(
    of group: UnitGroup, _ key: UnitKey, _ unit: Int64, _ cell: BridgeCell,
    _ sold: (SettledRow) -> [BridgeContribution.Sold]
  ) {
    guard input.hasBridges(cell.period) else { return }
    var parts: [UnitGroup.Difference] = []
    let isHeard = listener != nil
    let found = group.shareDifferences(
      key, unit: unit, each: { if isHeard { parts.append($0) } },
      pairs: { [self] in pairs(key.country, on: $0, cell.period) })
    for (pair, money) in found.byPair {
      cells[cell, default: BridgeSums()].rateDifferences[pair, default: .zero] += money
    }
    if let other = found.other {
      cells[cell, default: BridgeSums()][.otherDifference] += other
      countUnexplainedRates(of: group, cell)
    }
    for part in parts where part.money.milliunits != 0 {
      let row = part.settled.row
      let cause = found.other == nil ? part.pair?.name ?? "" : Bridge.otherCause
      listener?.hear(
        part.money, .line(.shareDifference, cause: cause), cell,
        BridgeContribution(
          .shareDifference, BridgeContribution.Settled(row, key),
          sold(row).filter { part.proceeds.contains($0.sale.proceeds) }))
    }
  }

  /// Returns the pairs of rates at which a unit may have been sold and settled.
  ///
  /// These are the storefront's pairs up to the day after the sale. In a period in which the storefront's rates change,
  /// any two of these rates are a pair too.
  private func pairs(_ country: Symbol, on day: Day, _ period: FiscalPeriod) -> [Commissions.Pair] {
    let country = texts[Int(country)]
    var pairs = commissions.pairs(in: country, until: day + 1)
    guard commissions.change(in: country, in: period.firstDay...period.lastDay) else {
      return pairs
    }
    let rates = Set(pairs.flatMap { [$0.standard, $0.reduced] }).sorted()
    for low in rates {
      for high in rates where high > low && !pairs.contains(.init(low, high)) {
        pairs.append(.init(low, high))
      }
    }
    return pairs
  }

  /// Counts the settled units whose share no pair of rates explains, by their rate relative to the proceeds in SALES.
  private mutating func countUnexplainedRates(of group: UnitGroup, _ cell: BridgeCell) {
    let shares = group.sold.map(\.share)
    for settled in group.settled
    where settled.value.units != 0 && !shares.contains(settled.row.share) {
      guard let sold = group.sold.first?.share, sold > 0 else { continue }
      let pair = commissions.pair(in: texts[Int(cell.country)], on: settled.row.transactionDay)
      let rate = Int128(settled.row.share) * Int128(pair?.standard ?? 70) * 10
      let name = UnexplainedRate(
        country: texts[Int(cell.country)],
        permille: Int(rate.dividedHalfToEven(by: Int128(sold))),
        standard: pair?.standard ?? 70)
      let units = abs(settled.value.units) - settled.open
      cells[cell, default: BridgeSums()].unexplainedRates[name, default: 0] += units
    }
  }

  /// Adds the surplus units of SALES: open, not collected, or settled in another region.
  private mutating func addOpenSales(_ key: UnitKey, _ group: UnitGroup, _ cell: BridgeCell) {
    for sold in group.sold where sold.open > 0 {
      let value = -key.value(sold.share, sold.open)
      if let other = shift.settlementBridges[cell.pair] {
        cells[cell, default: BridgeSums()].addOtherRegion(value, other)
        listener?.hear(
          value, .line(.otherRegion, cause: other), cell,
          BridgeContribution(.settledElsewhere, sold: SaleKey(key, sold), sold.open))
        continue
      }
      if !input.isFinal(cell.period) {
        let sum: WritableKeyPath<BridgeSums.OpenUnits, Int128> = key.isReturn ? \.returns : \.sales
        cells[cell, default: BridgeSums()].open[keyPath: sum] += abs(value.milliunits)
        listener?.hear(
          value, .open, cell,
          BridgeContribution(.neverSettled, sold: SaleKey(key, sold), value.units))
      }
      let part = openPart(key, sold.day, cell.period)
      add(
        value, part, cell,
        BridgeContribution(
          part == .notCollected ? .notCollected : .mayStillSettle, sold: SaleKey(key, sold),
          sold.open))
    }
  }

  /// Adds settled units without a sale, if they were sold in another region or on a day without a SALES report.
  private mutating func addOpenSettled(
    _ key: UnitKey, _ group: UnitGroup, _ cell: BridgeCell, areDaysEqual: Bool
  ) {
    for settled in group.settled where settled.open > 0 {
      let value = key.value(settled.row.share, settled.open)
      let day = settled.row.transactionDay
      let row = BridgeContribution.Settled(settled.row, key)
      if let other = shift.salesBridges[cell.pair] {
        cells[cell, default: BridgeSums()].addOtherRegion(value, other)
        listener?.hear(
          value, .line(.otherRegion, cause: other), cell, BridgeContribution(.soldElsewhere, row))
      } else if !areDaysEqual, isMissing(day - 1, cell.period) || isMissing(day + 1, cell.period) {
        add(value, .missingDays, cell, BridgeContribution(.besideDayWithoutSales, row))
      } else {
        // Nothing adds these units to a line: they are what line 29 has left.
        listener?.hear(value, .line(.unexplainedSales), cell, BridgeContribution(.withoutSale, row))
      }
    }
  }

  /// Returns whether a day lies in a period and has no SALES report.
  private func isMissing(_ day: Day, _ period: FiscalPeriod) -> Bool {
    (period.firstDay...period.lastDay).contains(day) && !input.hasSales(on: day)
  }

  /// Returns where units of SALES count with which no settled unit is paired.
  ///
  /// They may still settle in the next period if its FINANCE_DETAIL is missing.
  func openPart(_ key: UnitKey, _ day: Day, _ period: FiscalPeriod) -> BridgeSums.Part {
    guard !input.hasDetail(period + 1), day > period.lastDay - longestLag else {
      return .notCollected
    }
    return key.isReturn ? .openReturns : .openSales
  }
}
