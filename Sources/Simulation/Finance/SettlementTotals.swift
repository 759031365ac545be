/// The totals below the rows of a settlement.
struct SettlementTotals {
  private struct Pair: Hashable {
    let storefront: Int32
    let currency: Int8
  }

  private var rows = 0
  private var amount = 0
  /// The units sold, without returns.
  private var units = 0
  private var pairs: [Pair: FinanceTruth.Money] = [:]

  /// Adds a row; returns have negative units.
  mutating func add(_ item: SettledRow.Item, units: Int) {
    rows += 1
    amount += units * Int(item.share)
    self.units += max(0, units)
    let pair = Pair(storefront: item.storefront, currency: item.currency)
    pairs[pair, default: FinanceTruth.Money()].amount += units * Int(item.share)
    pairs[pair, default: FinanceTruth.Money()].units += units
  }

  /// Appends the three lines below a region's rows; an amount in yen has no decimals.
  func appendTotals(currency: Int, to text: inout ByteText) {
    text.append("Total_Rows\t\(rows)\nTotal_Amount\t\(amount, currency: currency)\n")
    text.append("Total_Units\t\(units)\n")
  }

  /// Appends the summary by country below the rows of all regions.
  func appendSummary(to text: inout ByteText) {
    text.append("Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share\n")
    for (pair, money) in pairs.sorted(by: { $0.key.storefront < $1.key.storefront }) {
      let country = Catalog.storefronts[Int(pair.storefront)].code
      let currency = Catalog.currencies[Int(pair.currency)]
      text.append("\(country)\t\(currency)\t\(money.units)\t\(hundredths: money.amount)\n")
    }
  }
}
