extension AppReceipt {
  /// One purchase in an app receipt.
  ///
  /// Texts are ranges of ``AppReceipt/content``; a missing or empty text is an empty range. For a
  /// missing value, Apple writes an empty date, a 0, or no attribute. A receipt has no attributes
  /// for upgrades, ownership, subscription groups and prices.
  package struct Purchase: Equatable, Sendable {
    /// How many were bought (1701).
    package private(set) var quantity: Int?
    /// The product's id (1702).
    package private(set) var productID = 0..<0
    /// The transaction's id (1703); Xcode writes `0`.
    package private(set) var transactionID = 0..<0
    /// When the product was bought (1704), such as `2020-07-14T19:36:40Z`.
    package private(set) var purchaseDate = 0..<0
    /// The id of the first transaction of the subscription (1705); Xcode writes none.
    package private(set) var originalTransactionID = 0..<0
    /// When the first transaction of the subscription was bought (1706); Xcode writes none.
    package private(set) var originalPurchaseDate = 0..<0
    /// The product's type (1707): 0 non-consumable, 1 consumable, 2 non-renewing subscription,
    /// 3 auto-renewable subscription, 4 free subscription; Xcode writes none.
    package private(set) var productType: Int?
    /// When the subscription's period ends (1708); empty for other purchases.
    package private(set) var expirationDate = 0..<0
    /// The id of the subscription's period across devices and restores (1711); 0 for none.
    package private(set) var webOrderLineItemID: Int?
    /// When Apple refunded the purchase (1712); empty without a refund.
    package private(set) var cancellationDate = 0..<0
    /// Whether the purchase is a free trial (1713): 1 or 0.
    package private(set) var isTrial: Int?
    /// Whether the purchase has an introductory price (1719): 1 or 0; nil before 2017.
    package private(set) var isIntroductory: Int?
    /// Why Apple refunded the purchase (1720): 1 for a problem in the app, 0 for another reason.
    package private(set) var cancellationReason: Int?
    /// The id of the promotional offer (1721).
    package private(set) var promotionalOfferID = 0..<0

    mutating func add(_ attribute: Attribute, _ bytes: Span<UInt8>) throws(EncodingFault) {
      switch attribute.type {
      case 1701: quantity = try attribute.integer(bytes)
      case 1702: productID = try attribute.text(bytes)
      case 1703: transactionID = try attribute.text(bytes)
      case 1704: purchaseDate = try attribute.text(bytes)
      case 1705: originalTransactionID = try attribute.text(bytes)
      case 1706: originalPurchaseDate = try attribute.text(bytes)
      case 1707: productType = try attribute.integer(bytes)
      case 1708: expirationDate = try attribute.text(bytes)
      case 1711: webOrderLineItemID = try attribute.integer(bytes)
      case 1712: cancellationDate = try attribute.text(bytes)
      case 1713: isTrial = try attribute.integer(bytes)
      case 1719: isIntroductory = try attribute.integer(bytes)
      case 1720: cancellationReason = try attribute.integer(bytes)
      case 1721: promotionalOfferID = try attribute.text(bytes)
      default: break
      }
    }
  }
}
