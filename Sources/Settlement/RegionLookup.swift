import Storage
import SubscriptionModel

/// A country and currency in one fiscal period: the key of a region.
struct SettledPair: Hashable {
  var period: FiscalPeriod
  var country: Symbol
  var currency: Symbol
}

/// Finds the region of a country and currency, period by period.
///
/// Rows of FINANCIAL have no day, so the region is that of the period's last day for the whole period. If exactly one
/// region has a file with the country and currency, that region is used, so that sales and settlement are in one
/// bridge.
struct RegionLookup {
  private let regions: FinanceRegions
  private let texts: [String]
  private var codes: [SettledPair: String] = [:]
  /// Pairs that no region lists, with the assumed region.
  private(set) var guessed: [SettledPair: String] = [:]

  init(_ regions: FinanceRegions, texts: [String], statements: [FinanceStatement]) {
    self.regions = regions
    self.texts = texts
    var named: [SettledPair: Set<String>] = [:]
    for statement in statements {
      guard case .region(let code) = statement.form else { continue }
      for row in statement.rows { named[statement.pair(row), default: []].insert(code) }
    }
    codes = named.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  mutating func code(_ pair: SettledPair) -> String {
    if let code = codes[pair] { return code }
    let found = regions.region(
      country: texts[Int(pair.country)], currency: texts[Int(pair.currency)],
      on: pair.period.lastDay)
    codes[pair] = found.code
    if !found.isListed { guessed[pair] = found.code }
    return found.code
  }

  mutating func cell(
    _ period: FiscalPeriod, product: Symbol, country: Symbol, currency: Symbol
  ) -> BridgeCell {
    let pair = SettledPair(period: period, country: country, currency: currency)
    return BridgeCell(
      name: BridgeName(period: period, region: code(pair), currency: currency), product: product,
      country: country)
  }
}

extension FinanceStatement {
  func pair(_ row: FinanceRow) -> SettledPair {
    SettledPair(period: period, country: row.country, currency: row.currency)
  }
}
