import SubscriptionModel

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

  /// Pairs the units of each key.
  ///
  /// - Parameters:
  ///   - areDaysEqual: Whether only units of the same day may pair.
  ///   - regions: Returns the region by day of a key whose region depends on the day.
  ///   - found: Receives each key with its pairs and its regions.
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
