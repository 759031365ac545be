import Storage
import SubscriptionModel

/// Surplus units of countries that are sold in one currency and settled in another (``RegionShift``), and the value of
/// those that are not settled yet.
struct ShiftedUnits {
  /// The key of units: a product in a country and period, in the currency of the settlement.
  struct Key: Hashable {
    var period: FiscalPeriod
    var country: Symbol
    var currency: Symbol
    var product: Symbol
    var isReturn: Bool
  }

  private struct Units {
    var count = 0
    /// In milliunits.
    var shares: Int128 = 0

    mutating func add(_ count: Int, _ share: Int64) {
      self.count += count
      shares += Int128(share) * Int128(count)
    }
  }

  /// The surplus units of SALES, by the currency in which they will be settled; their shares are in the currency of the
  /// sale.
  private var sold: [Key: Units] = [:]
  private var settled: [Key: Units] = [:]
  /// The units of all periods together; the `period` of these keys is number 0.
  private var soldEver: [Key: Units] = [:]
  private var settledEver: [Key: Units] = [:]

  /// Adds the surplus units of a key in a period, if its country is settled in another currency.
  mutating func add(
    _ key: UnitKey, _ group: UnitGroup, _ period: FiscalPeriod, _ shift: RegionShift,
    _ pair: SettledPair
  ) {
    var ofPeriod = Key(
      period: period, country: key.country, currency: key.currency, product: key.product,
      isReturn: key.isReturn)
    var ofAll = ofPeriod
    ofAll.period = FiscalPeriod(number: 0)
    if let currency = shift.settlementCurrencies[pair] {
      (ofPeriod.currency, ofAll.currency) = (currency, currency)
      for row in group.sold {
        sold[ofPeriod, default: Units()].add(row.open, row.share)
        soldEver[ofAll, default: Units()].add(row.open, row.share)
      }
    } else if shift.salesBridges[pair] != nil {
      for row in group.settled {
        settled[ofPeriod, default: Units()].add(row.open, row.row.share)
        settledEver[ofAll, default: Units()].add(row.open, row.row.share)
      }
    }
  }

  /// Returns the value of sold units without a settled unit, at the product's mean share, in milliunits without a sign;
  /// none for a country without any settled product.
  func unsettled() -> [(Key, Int128)] {
    sold.compactMap { key, units in
      let settledUnits = settled[key] ?? Units()
      let open = units.count - settledUnits.count
      guard open > 0, let mean = mean(of: key, settled: settledUnits, sold: units) else {
        return nil
      }
      return (key, (mean.shares * Int128(open)).dividedHalfToEven(by: mean.units))
    }
  }

  /// Returns the mean share of a product's settled units in the period; if there are none, in all periods.
  ///
  /// If there are none at all, it is the mean share of its sold units times the highest exchange rate that the
  /// country's other products imply.
  ///
  /// The share is a fraction: milliunits by number of units.
  private func mean(of key: Key, settled: Units, sold: Units) -> (shares: Int128, units: Int128)? {
    if settled.count > 0 { return (settled.shares, Int128(settled.count)) }
    var ofAll = key
    ofAll.period = FiscalPeriod(number: 0)
    if let ever = settledEver[ofAll], ever.count > 0 { return (ever.shares, Int128(ever.count)) }
    let rates = settledEver.compactMap { other, settled -> (over: Int128, under: Int128)? in
      guard other.country == key.country, other.currency == key.currency,
        let sold = soldEver[other], settled.count > 0, sold.shares > 0
      else { return nil }
      return (settled.shares * Int128(sold.count), sold.shares * Int128(settled.count))
    }
    return rates.max { $0.over * $1.under < $1.over * $0.under }.map {
      (sold.shares * $0.over, Int128(sold.count) * $0.under)
    }
  }
}
