/// A country's store.
struct Storefront {
  let code: String
  /// The code in receipts.
  let alpha3: String
  /// The number of the store in receipts.
  let storeID: Int
  /// The index of the currency in ``Catalog/currencies``; not always the country's own currency.
  let currency: Int
  /// The tax included in the price, per mille of the price without it.
  let taxPerMille: Int
  let weight: Int
  /// States in the address of the Apple Account; Apple does not validate them, so one is blank and one odd.
  let states: [String]
}
