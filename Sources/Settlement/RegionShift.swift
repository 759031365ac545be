import Storage
import SubscriptionModel

/// The key of a bridge: fiscal period, region and currency.
struct BridgeName: Hashable {
  var period: FiscalPeriod
  var region: String
  var currency: Symbol
}

extension BridgeName {
  init(_ bridge: Bridge) {
    self.init(period: bridge.period, region: bridge.region, currency: bridge.currency)
  }
}

/// Countries whose sales are settled in another region or currency than that of the SALES rows: line 25.
///
/// Example: sales of BR in BRL that Apple settles in USD belong to the bridge `BR BRL`, their settlement to `LL USD`.
struct RegionShift {
  /// For the country and currency of such sales, the bridge of their settlement, such as `LL USD`.
  private(set) var settlementBridges: [SettledPair: String] = [:]
  /// For the country and currency of such a settlement, the bridge of its sales, such as `BR BRL`.
  private(set) var salesBridges: [SettledPair: String] = [:]
  /// For the country and currency of such sales, the currency of their settlement.
  private(set) var settlementCurrencies: [SettledPair: Symbol] = [:]

  init(_ records: FinanceData, _ lookup: inout RegionLookup, texts: [String]) {
    struct Storefront: Hashable {
      var period: FiscalPeriod
      var country: Symbol
    }
    func name(_ pair: SettledPair, _ lookup: inout RegionLookup) -> String {
      "\(lookup.code(pair)) \(texts[Int(pair.currency)])"
    }
    var settled: [Storefront: [String: Symbol]] = [:]
    for statement in records.statements {
      for pair in Set(statement.rows.lazy.filter { $0.partnerShare != 0 }.map(statement.pair)) {
        let storefront = Storefront(period: pair.period, country: pair.country)
        settled[storefront, default: [:]][name(pair, &lookup)] = pair.currency
      }
    }
    var sold: Set<SettledPair> = []
    for (sale, units) in records.sales where units != 0 {
      sold.insert(
        SettledPair(
          period: FiscalPeriod(containing: sale.day), country: sale.country,
          currency: sale.currency))
    }
    for pair in sold {
      let later = (0...2).map { Storefront(period: pair.period + $0, country: pair.country) }
      let bridges = later.reduce(into: [:]) { all, storefront in
        all.merge(settled[storefront, default: [:]]) { $1 }
      }
      let own = name(pair, &lookup)
      guard bridges.count == 1, let (other, currency) = bridges.first, other != own else {
        continue
      }
      settlementBridges[pair] = other
      settlementCurrencies[pair] = currency
      var target = pair
      target.currency = currency
      salesBridges[target] = min(own, salesBridges[target] ?? own)
    }
  }
}
