public import SubscriptionModel

/// The prices that only customers with another subscription pay: METRICS.md 10.7.
///
/// Rows of newer reports mark them. What older reports, without that column, charge at such a price is contingent too.
public struct ContingentPrices: Sendable {
  private struct Price: Hashable {
    var key: PriceKey
    var milliunits: Int64
  }

  private var marked: Set<Price> = []
  private var unmarked: Set<Price> = []

  /// Collects the prices of a run.
  ///
  /// - Parameters:
  ///   - charges: What SUBSCRIBER rows say.
  ///   - sales: What SALES rows say.
  ///   - no: The symbol of rows that have the column and no mark.
  public init(_ charges: [ChargeTerms], _ sales: [SalesTerms], no: Symbol) {
    for terms in charges where terms.isPaid {
      let price = Price(key: PriceKey(terms), milliunits: terms.price.milliunits)
      if terms.isContingent { marked.insert(price) }
      if terms.attributes.contingent == no { unmarked.insert(price) }
    }
    for terms in sales where terms.price.milliunits > 0 {
      let key = PriceKey(
        product: terms.attributes.product, country: terms.attributes.country,
        currency: terms.price.currency)
      let price = Price(key: key, milliunits: terms.price.milliunits)
      if terms.isContingent { marked.insert(price) }
      if terms.attributes.contingent == no { unmarked.insert(price) }
    }
    marked.subtract(unmarked)
  }

  /// Whether no price is marked.
  public var isEmpty: Bool { marked.isEmpty }

  /// Returns whether a price is marked, and charged by no row without a mark.
  ///
  /// - Parameters:
  ///   - key: The product, storefront and currency.
  ///   - milliunits: The price.
  /// - Returns: Whether it is contingent.
  public func contains(_ key: PriceKey, _ milliunits: Int64) -> Bool {
    !marked.isEmpty && marked.contains(Price(key: key, milliunits: milliunits))
  }
}
