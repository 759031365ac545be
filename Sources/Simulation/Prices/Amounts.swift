/// The customer's price and the developer's proceeds, in hundredths of one currency.
struct Amounts: Equatable {
  var price: Int
  var proceeds: Int
  /// The index of the currency in ``Catalog/currencies``.
  var currency: Int
}
