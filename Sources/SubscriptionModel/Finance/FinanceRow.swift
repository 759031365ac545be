package import Storage

/// One row of a FINANCIAL or a FINANCE_DETAIL report: the settlement of identical sales or returns.
///
/// Money is in milliunits. Apple prints shares with two decimals, and prices with up to three; a
/// row with more than three decimals is rejected.
package struct FinanceRow: Hashable, Sendable {
  /// The Apple Identifier.
  package var product: Symbol
  /// The product's name on this row.
  package var productName: Symbol
  /// The storefront's 2-letter code, from Country of Sale.
  package var country: Symbol
  /// The Partner Share Currency, in which Apple settles.
  package var currency: Symbol
  /// The Customer Price per unit, without sign.
  package var customerPrice: Int64
  /// The currency of the Customer Price.
  package var customerCurrency: Symbol
  /// The Quantity, in units; negative for returns.
  package var quantity: Int64
  /// The Partner Share per unit, without sign.
  package var partnerShare: Int64
  /// The Extended Partner Share, with the sign of the quantity; totals are sums of it.
  package var extendedShare: Int64
  /// The day of the purchase or refund; `nil` in FINANCIAL, which has no such column.
  package var transactionDay: Day?
  /// The day of the settlement; `nil` in FINANCIAL, which has no such column.
  package var settlementDay: Day?
  /// The line of the file, from 1.
  package var line: Int32

  /// Whether the units are returns: their number is negative, whatever Sale or Return is.
  package var isReturn: Bool { quantity < 0 }

  package init(
    product: Symbol, productName: Symbol, country: Symbol, currency: Symbol, customerPrice: Int64,
    customerCurrency: Symbol, quantity: Int64, partnerShare: Int64, extendedShare: Int64,
    transactionDay: Day? = nil, settlementDay: Day? = nil, line: Int32
  ) {
    self.product = product
    self.productName = productName
    self.country = country
    self.currency = currency
    self.customerPrice = customerPrice
    self.customerCurrency = customerCurrency
    self.quantity = quantity
    self.partnerShare = partnerShare
    self.extendedShare = extendedShare
    self.transactionDay = transactionDay
    self.settlementDay = settlementDay
    self.line = line
  }
}
