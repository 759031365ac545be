/// An auto-renewable subscription on sale.
struct Product {
  let name: String
  let appleID: Int
  let sku: String
  /// The index of the app, which has one subscription group.
  let app: Int
  /// The level of service in the group: 1 is the highest.
  let level: Int
  let term: Term
  /// The share of new subscribers, relative to the sum of all products' weights.
  let weight: Int
  /// The price in hundredths, one for each of ``Catalog/currencies``.
  let prices: [Int]
  /// The price before a rise, if there was one.
  var earlierPrices: [Int]?
  /// Whether subscribers who paid the earlier price keep it.
  var preservesPrice = false

  /// The length of the grace period in days, where the app has one.
  var graceDays: Int { term.text == Term.week.text ? 6 : 16 }
}
