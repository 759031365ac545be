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
  /// For the country and currency of such a settlement, its region.
  private(set) var settlementRegions: [SettledPair: String] = [:]
  /// For the country and currency of such sales, the currency of their settlement.
  private(set) var settlementCurrencies: [SettledPair: Symbol] = [:]

  init(_ records: FinanceData, _ lookup: inout RegionLookup, texts: [String]) {
    struct Storefront: Hashable {
      var period: FiscalPeriod
      var country: Symbol
    }
    struct BridgeKey: Hashable {
      var region: String
      var currency: Symbol
    }
    var settled: [Storefront: Set<BridgeKey>] = [:]
    for statement in records.statements {
      for (pair, regions) in Self.regions(statement, &lookup) {
        let storefront = Storefront(period: pair.period, country: pair.country)
        settled[storefront, default: []].formUnion(
          regions.map { BridgeKey(region: $0, currency: pair.currency) })
      }
    }
    var sold: [SettledPair: Set<String>] = [:]
    for (sale, units) in records.sales where units != 0 {
      let pair = SettledPair(
        period: FiscalPeriod(containing: sale.day), country: sale.country, currency: sale.currency)
      if sold[pair] == nil || lookup.moves(pair) {
        sold[pair, default: []].insert(lookup.code(pair, on: sale.day))
      }
    }
    for (pair, regions) in sold {
      let later = (0...2).map { Storefront(period: pair.period + $0, country: pair.country) }
      let bridges = later.reduce(into: Set<BridgeKey>()) { $0.formUnion(settled[$1] ?? []) }
      guard bridges.count == 1, let other = bridges.first else { continue }
      if other.currency == pair.currency {
        // A settlement in the region before a move has no sales of the region after it.
        guard !regions.contains(other.region), !lookup.isEver(pair, in: other.region) else {
          continue
        }
      }
      settlementBridges[pair] = "\(other.region) \(texts[Int(other.currency)])"
      settlementCurrencies[pair] = other.currency
      var target = pair
      target.currency = other.currency
      settlementRegions[target] = other.region
      let own = "\(regions.min() ?? "") \(texts[Int(pair.currency)])"
      salesBridges[target] = min(own, salesBridges[target] ?? own)
    }
  }

  /// Returns the regions of the rows of a statement that have a share.
  private static func regions(
    _ statement: FinanceStatement, _ lookup: inout RegionLookup
  ) -> [SettledPair: Set<String>] {
    var found: [SettledPair: Set<String>] = [:]
    for row in statement.rows where row.partnerShare != 0 {
      let pair = statement.pair(row)
      if let day = row.transactionDay {
        if found[pair] == nil || lookup.moves(pair) {
          found[pair, default: []].insert(lookup.code(pair, on: day))
        }
      } else if case .region(let code) = statement.form, lookup.moves(pair) {
        found[pair] = [code]
      } else if found[pair] == nil {
        found[pair] = lookup.codesWithoutDay(pair)
      }
    }
    return found
  }
}
