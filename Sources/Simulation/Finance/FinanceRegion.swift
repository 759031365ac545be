/// A region in which Apple settles: some storefronts in one currency.
struct FinanceRegion {
  let code: String
  /// The name in payments files.
  let name: String
  /// The index of the currency in ``Catalog/currencies``.
  let currency: Int
  /// The codes of its storefronts.
  let stores: [String]
  /// The tax that Apple adds, per mille of the earned amount.
  var inputTaxPerMille = 0
  /// The tax that Apple withholds, per mille of the earned amount.
  var withheldPerMille = 0

  /// All regions, by code; two of them are settled in dollars.
  static let all = [
    FinanceRegion(code: "AU", name: "Australia", currency: 5, stores: ["AU"]),
    FinanceRegion(code: "BR", name: "Brazil", currency: 6, stores: ["BR"], withheldPerMille: 150),
    FinanceRegion(code: "CA", name: "Canada", currency: 4, stores: ["CA"], inputTaxPerMille: 13),
    FinanceRegion(code: "EU", name: "Euro-Zone", currency: 2, stores: ["DE", "FR"]),
    FinanceRegion(code: "GB", name: "United Kingdom", currency: 1, stores: ["GB"]),
    FinanceRegion(code: "JP", name: "Japan", currency: 3, stores: ["JP"], withheldPerMille: 204),
    FinanceRegion(code: "US", name: "Americas", currency: 0, stores: ["US"]),
    FinanceRegion(code: "WW", name: "Rest of World", currency: 0, stores: ["UA"]),
  ]

  /// The index of `WW`, where sales are settled in dollars although the storefront has its own currency.
  static let restOfWorld = all.count - 1

  /// The index in ``all`` of each storefront's region.
  static let ofStorefront = Catalog.storefronts.map { storefront in
    all.firstIndex { $0.stores.contains(storefront.code) } ?? restOfWorld
  }
}
