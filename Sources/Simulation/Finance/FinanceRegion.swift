/// A region in which Apple settles: some storefronts in one currency.
struct FinanceRegion {
  let code: String
  /// The name in payments files.
  let name: String
  /// The index of the currency in ``Catalog/currencies``.
  let currency: Int
  private let countries: [String]
  /// The tax that Apple adds, per mille of the earned amount.
  let inputTaxPerMille: Int
  /// The tax that Apple withholds, per mille of the earned amount.
  let withheldPerMille: Int

  init(
    _ code: String, _ name: String, _ currency: Int, _ countries: [String], inputTax: Int = 0,
    withheld: Int = 0
  ) {
    self.code = code
    self.name = name
    self.currency = currency
    self.countries = countries
    inputTaxPerMille = inputTax
    withheldPerMille = withheld
  }

  /// All regions, by code; two of them are settled in dollars.
  static let all = [
    FinanceRegion("AU", "Australia", 5, ["AU"]),
    FinanceRegion("BR", "Brazil", 6, ["BR"], withheld: 150),
    FinanceRegion("CA", "Canada", 4, ["CA"], inputTax: 13),
    FinanceRegion("EU", "Euro-Zone", 2, ["DE", "FR"]),
    FinanceRegion("GB", "United Kingdom", 1, ["GB"]),
    FinanceRegion("JP", "Japan", 3, ["JP"], withheld: 204),
    FinanceRegion("US", "Americas", 0, ["US"]),
    FinanceRegion("WW", "Rest of World", 0, ["UA"]),
  ]

  /// The index of the region for sales settled in dollars although the storefront has its own currency.
  static let restOfWorld = all.count - 1

  /// The index in ``all`` of each storefront's region.
  static let places = Catalog.storefronts.map { storefront in
    all.firstIndex { $0.countries.contains(storefront.code) } ?? restOfWorld
  }
}
