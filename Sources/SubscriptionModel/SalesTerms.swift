public import Storage

/// The value of the column Subscription in a SALES row for an auto-renewable subscription.
public enum SalesPurchase: UInt8, Sendable {
  /// `New`.
  case new
  /// `Renewal`.
  case renewal
  /// Blank, or another word.
  case unknown
}

/// All fields of a SALES row except its days and its units.
public struct SalesTerms: Hashable, Sendable {
  /// The values that views can group by.
  public var attributes: Attributes
  /// The customer's price per unit, without sign.
  public var price: Amount
  /// Whether the price is negative; the row is then a refund.
  public var isPriceNegative: Bool
  /// The developer's proceeds per unit, without sign.
  ///
  /// In the customer's currency if the row has no currency of proceeds.
  public var proceeds: Amount
  /// Whether CMB is `CMB-C`, the credit for the contents of a completed bundle; a negative sign does
  /// not make it a refund.
  public var isBundleCredit: Bool
  /// Whether the row is an auto-renewable subscription at its standard price, without offer or
  /// code.
  public var isStandard = false
  /// Whether the customer keeps a former price of the product: Preserved Pricing.
  public var isPreserved = false
  /// Whether the price is lower because the customer has another subscription: Contingent App Name.
  public var isContingent = false
  /// Whether the row is a new purchase or a renewal.
  public var purchase = SalesPurchase.unknown
  /// The product's standard duration, if the row has one.
  public var standardTerm: Term?
  /// The SKU, which is the product id in receipts.
  public var productID = Symbol.blank

  /// Creates terms.
  public init(
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
