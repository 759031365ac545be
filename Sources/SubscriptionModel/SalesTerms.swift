package import Storage

/// The value of the column Subscription in a SALES row for an auto-renewable subscription.
package enum SalesPurchase: UInt8, Sendable {
  /// `New`.
  case new
  /// `Renewal`.
  case renewal
  /// Blank, or another word.
  case unknown
}

/// All fields of a SALES row except its days and its units.
package struct SalesTerms: Hashable, Sendable {
  /// The values that views can group by.
  package var attributes: Attributes
  /// The customer's price per unit, without sign.
  package var price: Amount
  /// Whether the price is negative; the row is then a refund.
  package var isPriceNegative: Bool
  /// The developer's proceeds per unit, without sign.
  ///
  /// In the customer's currency if the row has no currency of proceeds.
  package var proceeds: Amount
  /// Whether CMB is `CMB-C`, the credit for the contents of a completed bundle; a negative sign does
  /// not make it a refund.
  package var isBundleCredit: Bool
  /// Whether the row is an auto-renewable subscription at its standard price, without offer or
  /// code.
  package var isStandard = false
  /// Whether the customer keeps a former price of the product: Preserved Pricing.
  package var isPreserved = false
  /// Whether the price is lower because the customer has another subscription: Contingent App Name.
  package var isContingent = false
  /// Whether the row is a new purchase or a renewal.
  package var purchase = SalesPurchase.unknown
  /// The product's standard duration, if the row has one.
  package var standardTerm: Term?
  /// The SKU, which is the product id in receipts.
  package var productID = Symbol.blank

  /// Creates terms.
  package init(
    attributes: Attributes, price: Amount, isPriceNegative: Bool, proceeds: Amount,
    isBundleCredit: Bool = false
  ) {
    self.attributes = attributes
    self.price = price
    self.isPriceNegative = isPriceNegative
    self.proceeds = proceeds
    self.isBundleCredit = isBundleCredit
  }
}
