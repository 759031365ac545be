package import Storage
package import SubscriptionModel

/// The prices that rows of a run mark as contingent (METRICS.md 10.7) or as prices of instalments.
///
/// Example: a report of version 1_4 marks 4.99 EUR as contingent. Then the same price in an older file, which lacks
/// the column, counts as contingent too. A price that occurs without the mark in a file with the column is not
/// included.
package struct MarkedPrices: Sendable {
  /// No price.
  package static let none = MarkedPrices()

  private var marked: Set<StorefrontPrice> = []

  /// Returns the contingent prices: those that only customers with a subscription to another app pay.
  ///
  /// `no` is the symbol of rows that have the column but no mark.
  package static func contingent(
    _ charges: [ChargeTerms], _ sales: [SalesTerms], no: Symbol
  ) -> MarkedPrices {
    var marked: Set<StorefrontPrice> = []
    var unmarked: Set<StorefrontPrice> = []
    for terms in charges where terms.isPaid {
      if terms.isContingent { marked.insert(StorefrontPrice(terms)) }
      if terms.attributes.contingent == no { unmarked.insert(StorefrontPrice(terms)) }
    }
    for terms in sales where terms.price.milliunits > 0 {
      let price = StorefrontPrice(terms.attributes, terms.price)
      if terms.isContingent { marked.insert(price) }
      if terms.attributes.contingent == no { unmarked.insert(price) }
    }
    var prices = MarkedPrices(marked: marked.subtracting(unmarked))
    prices.addProductIDs(sales)
    return prices
  }

  /// Adds each marked price under its product id too: receipts have only that id, SALES rows have both ids.
  private mutating func addProductIDs(_ sales: [SalesTerms]) {
    guard !marked.isEmpty else { return }
    var ids: [Symbol: Set<Symbol>] = [:]
    for terms in sales where terms.productID != .blank {
      ids[terms.attributes.product, default: []].insert(terms.productID)
    }
    for price in marked {
      for id in ids[price.key.product] ?? [] {
        var own = price
        own.key.product = id
        marked.insert(own)
      }
    }
  }

  /// Returns the standard prices that only instalments are charged at, given the terms of SUBSCRIBER rows with their
  /// plans.
  package static func instalments(_ charges: [ChargeTerms]) -> MarkedPrices {
    let standard = charges.filter(\.isStandardPaid)
    let marked = Set(standard.filter(\.isInstalment).map { StorefrontPrice($0) })
    let unmarked = standard.filter { !$0.isInstalment }.map { StorefrontPrice($0) }
    return MarkedPrices(marked: marked.subtracting(unmarked))
  }

  /// Returns whether a price is marked.
  package func contains(_ key: StorefrontKey, _ milliunits: Int64) -> Bool {
    !marked.isEmpty && marked.contains(StorefrontPrice(key: key, milliunits: milliunits))
  }
}
