/// Every price in every store, worked out once.
struct PriceBook {
  private let amounts: [Amounts]

  init() {
    var amounts: [Amounts] = []
    for product in Catalog.products {
      for storefront in Catalog.storefronts {
        for offer in Offer.all {
          for pricing in [Pricing.current, .earlier, .preserved] {
            let price = Self.price(product, storefront, offer, pricing)
            for percent in [70, 85] {
              let proceeds = Self.proceeds(price: price, percent: percent, storefront)
              amounts.append(Amounts(price: price, proceeds: proceeds))
            }
          }
        }
      }
    }
    self.amounts = amounts
  }

  /// Returns the amounts of one charge.
  func amounts(_ terms: ChargeTerms) -> Amounts {
    var index = Int(terms.product) * Catalog.storefronts.count + Int(terms.storefront)
    index = index * Offer.all.count + Int(terms.offer)
    index = index * 3 + Int(terms.pricing.rawValue)
    return amounts[index * 2 + (terms.isAfterOneYear ? 1 : 0)]
  }

  /// Returns the part of a charge that an upgrade gives back, less than the whole.
  ///
  /// - Parameters:
  ///   - amounts: The charge's amounts.
  ///   - days: The days left of it.
  ///   - length: All its days.
  ///   - storefront: The store, whose currency may have no decimals.
  /// - Returns: The amounts given back.
  static func share(of amounts: Amounts, days: Int, length: Int, storefront: Int) -> Amounts {
    let unit = Catalog.storefronts[storefront].currency == 3 ? 100 : 1
    let price = max(unit, amounts.price * days / length / unit * unit)
    let proceeds = amounts.proceeds * days / length / unit * unit
    return Amounts(price: price, proceeds: max(unit, proceeds))
  }

  private static func price(
    _ product: Product, _ storefront: Storefront, _ offer: Offer, _ pricing: Pricing
  ) -> Int {
    let prices = pricing == .current ? product.prices : product.earlierPrices ?? product.prices
    let standard = prices[storefront.currency]
    guard offer.percent != 100 else { return standard }
    let unit = storefront.currency == 3 ? 1_000 : 10
    let reduced = standard * offer.percent / 100 / unit * unit
    return reduced == 0 || unit == 1_000 ? reduced : reduced - 1
  }

  private static func proceeds(price: Int, percent: Int, _ storefront: Storefront) -> Int {
    let unit = storefront.currency == 3 ? 100 : 1
    let whole = (1_000 + storefront.taxPerMille) * 100 * unit
    return (price * 1_000 * percent + whole / 2) / whole * unit
  }
}
