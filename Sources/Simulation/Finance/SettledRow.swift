/// Equal units of a settlement: one product and store, sold or refunded, with two dates.
struct SettledRow: Hashable {
  /// The product, store, price and share of the units.
  struct Item: Hashable {
    /// The index in ``SettledProduct/all``.
    var product: Int32
    /// The index in ``Catalog/storefronts``.
    var storefront: Int32
    /// The customer price of one unit, in hundredths.
    var price: Int32
    /// The developer's share of one unit, in hundredths of ``currency``.
    var share: Int32
    /// The index in ``Catalog/currencies`` of the currency that Apple settles in.
    var currency: Int8
    var isReturn: Bool
  }

  /// The day of the sale, or of the refund, on the ``Timeline``.
  var soldDay: Int32
  /// The day of the settlement.
  var settledDay: Int32
  var item: Item
}

extension SettledRow: Comparable {
  static func < (left: SettledRow, right: SettledRow) -> Bool {
    let leftDays = (left.settledDay, left.soldDay)
    let rightDays = (right.settledDay, right.soldDay)
    return leftDays == rightDays ? left.item < right.item : leftDays < rightDays
  }
}

extension SettledRow.Item: Comparable {
  /// The index of the customer's currency.
  var customerCurrency: Int { Catalog.storefronts[Int(storefront)].currency }

  /// The index of the region in ``FinanceRegion/all``.
  var region: Int {
    Int(currency) == customerCurrency
      ? FinanceRegion.places[Int(storefront)] : FinanceRegion.restOfWorld
  }

  static func < (left: Self, right: Self) -> Bool {
    let leftPlace = (left.product, left.storefront, left.isReturn ? 1 : 0)
    let rightPlace = (right.product, right.storefront, right.isReturn ? 1 : 0)
    return leftPlace == rightPlace
      ? (left.price, left.share) < (right.price, right.share) : leftPlace < rightPlace
  }
}

/// The columns of finance files that describe a product.
struct SettledProduct {
  let appleID: Int
  let sku: String
  let title: String
  let type: String

  /// The subscriptions in the order of ``Catalog/products``, then the ``Downloads/Edition``.
  static let all =
    Catalog.products.map {
      SettledProduct(appleID: $0.appleID, sku: $0.sku, title: $0.name, type: "IAY")
    } + [
      SettledProduct(
        appleID: Downloads.Edition.appleID, sku: Downloads.Edition.sku,
        title: Downloads.Edition.title, type: "IA1")
    ]
}
