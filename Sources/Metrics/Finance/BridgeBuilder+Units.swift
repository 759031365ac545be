import SubscriptionModel

/// Lines 12 and 20 to 25, unit by unit.
extension BridgeBuilder {
  /// Compares all units sold with all units settled.
  mutating func addUnits() {
    var counting = UnitCounting()
    for (sale, units) in records.sales where units != 0 {
      counting.add(sale, units: units)
    }
    for statement in records.statements {
      for row in statement.rows where row.partnerShare != 0 {
        guard let settled = SettledRow(row, of: statement) else { continue }
        if input.hasSales(on: settled.transactionDay) {
          counting.add(settled, key: UnitKey(row))
        } else {
          addTiming(UnitKey(row), settled, settled.value, period: settled.transactionPeriod)
          let cell = cell(settled.transactionPeriod, UnitKey(row))
          add(settled.value, .missingDays, cell)
        }
      }
    }
    counting.compare { key, groups in addGroups(key, groups) }
  }

  /// Adds what a row contributes to lines 20 to 22 when it counts in a period.
  private mutating func addTiming(
    _ key: UnitKey, _ row: SettledRow, _ value: CountedMoney, period: FiscalPeriod
  ) {
    guard period != row.period else { return }
    add(value, key.isReturn ? .refundTiming : .cutoffIn, cell(row.period, key))
    add(-value, key.isReturn ? .refundTiming : .cutoffOut, cell(period, key))
  }

  private mutating func addGroups(_ key: UnitKey, _ groups: [FiscalPeriod: UnitGroup]) {
    let unit = ShareRate.smallestUnit(of: texts[Int(key.currency)])
    for (period, group) in groups {
      let difference = group.differencePart(unit: unit)
      for settled in group.settled {
        addTiming(key, settled.row, settled.value, period: period)
        if settled.row.transactionPeriod != period { noteMoves(key, settled, period, difference) }
      }
      guard input.method(period) == .counting else { continue }
      let cell = cell(period, key)
      add(group.shareDifference(key), difference, cell)
      addSurplus(key, group, cell)
    }
  }

  /// Notes what it changes that units of a neighbouring period's row count in this one.
  private mutating func noteMoves(
    _ key: UnitKey, _ settled: UnitGroup.Settled, _ period: FiscalPeriod,
    _ difference: BridgeSums.Part
  ) {
    let (row, value) = (settled.row, settled.value)
    let soldShares = key.isNegative ? -settled.soldShares : settled.soldShares
    let sold = CountedMoney(soldShares, units: value.units)
    let (into, out): (BridgeSums.Part, BridgeSums.Part) =
      key.isReturn ? (.refundTiming, .refundTiming) : (.cutoffIn, .cutoffOut)
    for (counting, change) in [(period, value), (row.transactionPeriod, -value)]
    where counting != row.period {
      noteMove(into, change, cell(row.period, key))
      noteMove(out, -change, cell(counting, key))
    }
    let own = cell(period, key)
    noteMove(key.isReturn ? .notCollectedReturns : .notCollectedSales, sold, own)
    noteMove(difference, value - sold, own)
  }

  /// Adds what SALES has more of than the settlement, and what went to another region.
  private mutating func addSurplus(_ key: UnitKey, _ group: UnitGroup, _ cell: BridgeCell) {
    for sold in group.sold where sold.open > 0 {
      let value = -key.value(sold.share, sold.open)
      if let other = shift.left[cell.pair] {
        cells[cell, default: BridgeSums()].addOtherRegion(value, other)
      } else if !key.isReturn, mayStillSettle(sold.day, cell.period) {
        add(value, .openSales, cell)
      } else {
        add(value, key.isReturn ? .notCollectedReturns : .notCollectedSales, cell)
      }
    }
    guard let other = shift.entered[cell.pair] else { return }
    for settled in group.settled where settled.open > 0 {
      let value = key.value(settled.row.share, settled.open)
      cells[cell, default: BridgeSums()].addOtherRegion(value, other)
    }
  }

  /// Whether sales of a day may be settled in a period whose FINANCE_DETAIL is not there.
  private func mayStillSettle(_ day: Day, _ period: FiscalPeriod) -> Bool {
    !input.hasDetail(period + 1) && day > period.lastDay - longestLag
  }
}
