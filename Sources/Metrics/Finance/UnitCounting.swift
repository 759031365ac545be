import SubscriptionModel

/// The units of SALES and of FINANCE_DETAIL by what makes them interchangeable.
struct UnitCounting {
  private struct Units {
    var sold: [UnitGroup.Sold] = []
    var settled: [SettledRow] = []
  }

  private var units: [UnitKey: [FiscalPeriod: Units]] = [:]

  mutating func add(_ sale: SaleUnits, units count: Int) {
    let key = UnitKey(
      product: sale.product, country: sale.country, currency: sale.currency,
      customerPrice: sale.customerPrice, isReturn: sale.isRefund, isNegative: count < 0)
    units[key, default: [:]][FiscalPeriod(containing: sale.day), default: Units()].sold
      .append(UnitGroup.Sold(day: sale.day, share: sale.proceeds, open: abs(count)))
  }

  mutating func add(_ row: SettledRow, key: UnitKey) {
    units[key, default: [:]][row.transactionPeriod, default: Units()].settled.append(row)
  }

  /// Pairs the units of each key within its periods, after some have been moved across a period's end.
  ///
  /// - Parameter found: Is given each key and its groups; open units are the surplus of a side.
  consuming func compare(_ found: (UnitKey, [FiscalPeriod: UnitGroup]) -> Void) {
    for (key, periods) in units {
      var groups = periods.mapValues { UnitGroup(sold: $0.sold, settled: $0.settled) }
      for period in groups.keys.sorted() {
        guard var group = groups[period], var next = groups[period + 1] else { continue }
        let (last, first) = (period.lastDay, (period + 1).firstDay)
        group.takeUnits(key, of: &next, on: last, first)
        next.takeUnits(key, of: &group, on: first, last)
        groups[period] = group
        groups[period + 1] = next
      }
      for period in groups.keys { groups[period]?.pair() }
      found(key, groups)
    }
  }
}

extension UnitKey {
  init(_ row: FinanceRow) {
    self.init(
      product: row.product, country: row.country, currency: row.currency,
      customerPrice: row.customerPrice, isReturn: row.isReturn, isNegative: row.quantity < 0)
  }
}
