/// What a SALES row of an auto-renewable subscription says of the purchase, its column Subscription.
public enum SalesPurchase: UInt8, Sendable {
  /// `New`.
  case new
  /// `Renewal`.
  case renewal
  /// Blank, or another word.
  case unknown
}

/// Everything about a SALES row but its day and its units.
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
  /// Whether CMB is `CMB-C`, a credit for what a completed bundle holds: its sign is no refund.
  public var isBundleCredit: Bool
  /// Whether it is an auto-renewable subscription at its standard price: no offer, no code.
  public var isStandard = false
  /// Whether the customer keeps a price that others do not pay any more: Preserved Pricing.
  public var isPreserved = false
  /// Whether it was cheaper because the customer has another subscription: Contingent App Name.
  public var isContingent = false
  /// What it says of the purchase.
  public var purchase = SalesPurchase.unknown
  /// The product's standard duration, where the row has one.
  public var standardTerm: Term?
  /// The product id, by which receipts know the product: its SKU.
  public var productID = Symbol.blank

  /// Creates terms.
  ///
  /// - Parameters:
  ///   - attributes: The values that views can group by.
  ///   - price: The customer's price per unit.
  ///   - isPriceNegative: Whether the price is negative.
  ///   - proceeds: The developer's proceeds per unit.
  ///   - isBundleCredit: Whether CMB is `CMB-C`.
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
