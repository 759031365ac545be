/// Prices of instalments, contingent prices, and amounts at a storefront's own shares.
extension PriceBook {
  /// A contingent price, per cent of the price without the other app.
  private static let contingentPercent = 75

  /// Draws the sum of twelve instalments by product and storefront: 108 to 144 per cent of the yearly price.
  static func instalmentPercents(seed: UInt64) -> [Int] {
    var random = SeededRandom(seed: seed, stream: 42)
    return (0..<Catalog.products.count * Catalog.storefronts.count).map { _ in
      108 + random.below(37)
    }
  }

  /// Returns the amounts of a charge that ``ChargeTerms/isSpecial``.
  func specialAmounts(_ terms: ChargeTerms) -> Amounts {
    var listed = terms
    listed.instalment = 0
    listed.isContingent = false
    listed.commission = 0
    let amounts = amounts(listed)
    var price = amounts.price
    if terms.instalment > 0 {
      price = Self.instalment(
        of: price, percent: instalmentPercents[Self.key(terms)], amounts.currency)
    }
    if terms.isContingent {
      let reduced = Self.price(price, percent: Self.contingentPercent, amounts.currency)
      price = max(reduced, Catalog.coin(of: amounts.currency))
    }
    let shares: CommissionTable.Shares = terms.commission > 0 ? .new : .usual
    return Self.amounts(
      price, amounts.currency, Catalog.storefronts[Int(terms.storefront)],
      percent: terms.isAfterOneYear ? shares.afterOneYear : shares.standard)
  }

  /// Returns the price of one instalment; twelve of them cost 1.0 to 1.5 times the yearly price.
  private static func instalment(of year: Int, percent: Int, _ currency: Int) -> Int {
    let coin = Catalog.coin(of: currency)
    let least = (year + 12 * coin - 1) / (12 * coin) * coin
    let most = max(least, year * 3 / (24 * coin) * coin)
    let exact = year * percent / 1_200
    let rounded = (exact + 5 * coin) / (10 * coin) * 10 * coin
    let usual = coin == 1 ? rounded - 1 : rounded
    return min(max(usual, least), most)
  }
}

extension ChargeTerms {
  /// Whether the amounts differ from the listed ones at the usual shares.
  var isSpecial: Bool { instalment > 0 || isContingent || commission > 0 }
}
