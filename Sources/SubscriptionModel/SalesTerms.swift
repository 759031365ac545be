/// The column Subscription of a SALES row for an auto-renewable subscription.
public enum SalesPurchase: UInt8, Sendable {
  /// `New`.
  case new
  /// `Renewal`.
  case renewal
  /// Blank, or another word.
  case unknown
}

/// All fields of a SALES row except its day and its units.
public struct SalesTerms: Hashable, Sendable {
  /// The values that views can group by.
  public var attributes: Attributes
  /// The customer's price per unit: the size, without its sign.
  public var price: Amount
  /// Whether the price is negative, which makes the row a refund.
  public var isPriceNegative: Bool
  /// The developer's proceeds per unit: the size, without its sign.
  ///
  /// Its currency is the customer's when the row leaves it blank.
  public var proceeds: Amount
  /// Whether CMB is `CMB-C`, the credit for the contents of a completed bundle: a negative sign is no refund.
  public var isBundleCredit: Bool
  /// Whether it is an auto-renewable subscription at its standard price: no offer, no code.
  public var isStandard = false
  /// Whether the customer keeps a price that others do not pay any more: Preserved Pricing.
  public var isPreserved = false
  /// Whether it was cheaper because the customer has another subscription: Contingent App Name.
  public var isContingent = false
  /// Whether it is a new purchase or a renewal.
  public var purchase = SalesPurchase.unknown
  /// The product's standard duration, where the row has one.
  public var standardTerm: Term?
  /// The product id used in receipts, which is the SKU.
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
