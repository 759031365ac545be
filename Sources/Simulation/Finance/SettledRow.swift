/// The properties of equal units of a settlement: product, storefront and price, the days of the sale and of the
/// settlement.
struct SettledRow: Hashable {
  /// The product, storefront, price and share of a unit, and whether it is a refund.
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

    /// The index of the customer's currency.
    var customerCurrency: Int { Catalog.storefronts[Int(storefront)].currency }

    /// The index of the region in ``FinanceRegion/all``: the rest of the world if it is settled in another currency
    /// than the customer's.
    var region: Int {
      Int(currency) == customerCurrency
        ? FinanceRegion.ofStorefront[Int(storefront)] : FinanceRegion.restOfWorld
    }

    /// The customer price of one unit with the files' sign: negative for returns.
    var signedPrice: Int { isReturn ? -Int(price) : Int(price) }

    var country: String { Catalog.storefronts[Int(storefront)].code }
    var customerCurrencyCode: String { Catalog.currencies[customerCurrency] }

    /// Returns the columns Partner Share, Extended Partner Share and Partner Share Currency.
    func shareText(units: Int) -> String {
      let code = Catalog.currencies[Int(currency)]
      return "\(hundredths: Int(share))\t\(hundredths: units * Int(share))\t\(code)"
    }
  }

  /// The day of the sale, or of the refund, on the ``Timeline``.
  var soldDay: Int32
  /// The day of the settlement.
  var settledDay: Int32
  var item: Item
}

extension SettledRow: Comparable {
  static func < (left: SettledRow, right: SettledRow) -> Bool {
    (left.settledDay, left.soldDay, left.item) < (right.settledDay, right.soldDay, right.item)
  }
}

extension SettledRow.Item: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    left.order < right.order
  }

  private var order: (Int32, Int32, Int, Int32, Int32) {
    (product, storefront, isReturn ? 1 : 0, price, share)
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
