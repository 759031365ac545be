package import Storage

/// A key for counting units in daily SALES reports: sales of the same day, product and price.
///
/// Used for all product types, but only for rows with proceeds other than 0: METRICS.md section 7,
/// lines 10 and 11.
package struct SaleKey: Hashable, Sendable {
  /// The Begin Date.
  package var day: Day
  /// The Apple Identifier.
  package var product: Symbol
  /// The storefront's 2-letter code.
  package var country: Symbol
  /// The Currency of Proceeds; the customer's currency if it is blank.
  package var currency: Symbol
  /// The Customer Price per unit in milliunits, without sign.
  package var customerPrice: Int64
  /// The Developer Proceeds per unit in milliunits, without sign.
  package var proceeds: Int64
  /// Whether the units were refunded: Units or Customer Price is negative, and CMB is not `CMB-C`.
  package var isRefund: Bool
  /// Whether the units are credits for completing a bundle: CMB is `CMB-C`, and Units is negative.
  package var isCredit: Bool

  /// Whether Apple settles the units as returns.
  package var isReturn: Bool { isRefund || isCredit }

  package init(
    day: Day, product: Symbol, country: Symbol, currency: Symbol, customerPrice: Int64,
    proceeds: Int64, isRefund: Bool, isCredit: Bool = false
  ) {
    self.day = day
    self.product = product
    self.country = country
    self.currency = currency
    self.customerPrice = customerPrice
    self.proceeds = proceeds
    self.isRefund = isRefund
    self.isCredit = isCredit
  }
}

extension SaleKey {
  /// Creates the key of a row's units; `nil` if its proceeds are 0, or its units are 0 and it is no
  /// refund.
  ///
  /// - Parameters:
  ///   - day: The Begin Date.
  ///   - units: The row's Units, with sign.
  ///   - terms: The row's terms.
  package init?(day: Day, units: Int, terms: SalesTerms) {
    let isRefund = !terms.isBundleCredit && (units < 0 || terms.isPriceNegative)
    guard terms.proceeds.milliunits != 0, units != 0 || isRefund else { return nil }
    self.init(
      day: day, product: terms.attributes.product, country: terms.attributes.country,
      currency: terms.proceeds.currency, customerPrice: terms.price.milliunits,
      proceeds: terms.proceeds.milliunits, isRefund: isRefund,
      isCredit: terms.isBundleCredit && units < 0)
  }

  /// Returns a number of units with the sign of their money: returns are negative.
  ///
  /// - Parameter count: The number of units without sign; 1 for a row with Units 0.
  /// - Returns: The units to add.
  package func signed(count: Int) -> Int { isReturn ? -count : count }
}
