/// An app receipt, the receipt file of an app since iOS 7.
///
/// It is a PKCS#7 container of numbered attributes; only the attributes needed for purchases are
/// read. One value can read any number of receipts, and reuses its buffers. Signatures are verified
/// separately, by ``AppReceiptVerifier``.
package struct AppReceipt: ~Copyable {
  /// The signed content, to which all ranges refer.
  package private(set) var content: [UInt8] = []
  /// `Production`, `ProductionSandbox`, `ProductionVPP`, `ProductionVPPSandbox` or `Xcode`
  /// (attribute 0); empty if missing.
  package private(set) var type = 0..<0
  /// The app's bundle id (attribute 2); empty if missing.
  package private(set) var bundleID = 0..<0
  /// The app's Apple ID (attribute 1); 0 in the sandbox, nil if missing.
  package private(set) var appItemID: Int?
  /// When Apple made the receipt (attribute 12), such as `2020-07-22T17:39:08Z` or, from Xcode,
  /// `2020-07-22T18:33:15+0100`; empty if missing.
  package private(set) var creationDate = 0..<0
  /// When the receipt of a volume purchase ends (attribute 21); empty if missing.
  ///
  /// Xcode writes the year 4001.
  package private(set) var expirationDate = 0..<0

  private var purchases: [Range<Int>] = []

  /// Creates an empty receipt; call ``read(_:)`` to fill it.
  package init() {}

  /// The number of purchases (attributes 17).
  package var purchaseCount: Int { purchases.count }

  /// Reads a receipt, which replaces the previous one.
  ///
  /// - Parameter receipt: The container and nothing else, in DER or, from Xcode, in BER.
  /// - Throws: ``EncodingFault/Code/notAnAppReceipt``. The offset of a fault in the container
  ///   counts from the start of `receipt`, the offset of a fault in an attribute from the start of
  ///   ``content``.
  package mutating func read(_ receipt: Span<UInt8>) throws(EncodingFault) {
    (type, bundleID, creationDate, expirationDate) = (0..<0, 0..<0, 0..<0, 0..<0)
    appItemID = nil
    purchases.removeAll(keepingCapacity: true)
    try SignedData(receipt).copyContent(receipt, into: &content)
    try readAttributes()
  }

  private mutating func readAttributes() throws(EncodingFault) {
    let content = content
    let bytes = content.span
    var attributes = try Attributes(bytes, 0..<bytes.count)
    while let attribute = try attributes.next(bytes) {
      switch attribute.type {
      case 0: type = try attribute.text(bytes)
      case 1: appItemID = try attribute.integer(bytes)
      case 2: bundleID = try attribute.text(bytes)
      case 12: creationDate = try attribute.text(bytes)
      case 17: purchases.append(attribute.value)
      case 21: expirationDate = try attribute.text(bytes)
      default: break
      }
    }
  }

  /// Returns where the value of a purchase begins in ``content``.
  ///
  /// - Parameter index: The index of the purchase, from 0.
  /// - Returns: The offset of its attributes in bytes.
  package func offset(ofPurchaseAt index: Int) -> Int { purchases[index].lowerBound }

  /// Reads a purchase.
  ///
  /// - Parameter index: The index, from 0; Apple's order has no meaning.
  /// - Returns: The purchase, whose ranges refer to ``content``.
  /// - Throws: ``EncodingFault/Code/notAnAppReceipt`` with the offset in ``content``.
  package func purchase(at index: Int) throws(EncodingFault) -> Purchase {
    let bytes = content.span
    var purchase = Purchase()
    var attributes = try Attributes(bytes, purchases[index])
    while let attribute = try attributes.next(bytes) { try purchase.add(attribute, bytes) }
    return purchase
  }
}

// MARK: - Attributes

extension AppReceipt {
  /// One attribute: the number of its type, and its value.
  struct Attribute {
    let type: Int
    let value: Range<Int>

    /// Returns the range of the value's text; Apple writes names as UTF-8 and dates as ASCII.
    func text(_ bytes: Span<UInt8>) throws(EncodingFault) -> Range<Int> {
      let element = try onlyElement(bytes)
      guard element.tag == BERReader.Tag.utf8String || element.tag == BERReader.Tag.ia5String else {
        throw .damagedReceipt(at: value.lowerBound, found: "an attribute that is not a text")
      }
      return element.content
    }

    /// Returns the value as a whole number.
    func integer(_ bytes: Span<UInt8>) throws(EncodingFault) -> Int {
      let element = try onlyElement(bytes)
      guard element.tag == BERReader.Tag.integer else {
        throw .damagedReceipt(
          at: value.lowerBound, found: "an attribute that is not a whole number")
      }
      return try BERReader.integer(bytes, element.content)
    }

    private func onlyElement(_ bytes: Span<UInt8>) throws(EncodingFault) -> BERReader.Element {
      var reader = BERReader(value)
      let element = try reader.next(bytes)
      guard reader.isAtEnd else {
        throw .damagedReceipt(at: reader.offset, found: "an attribute with several values")
      }
      return element
    }
  }

  /// The attributes of a set: `SET OF SEQUENCE {type INTEGER, version INTEGER, value OCTET STRING}`.
  struct Attributes {
    private var reader: BERReader

    init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(EncodingFault) {
      var outer = BERReader(range)
      reader = BERReader(try outer.next(BERReader.Tag.set, bytes))
      guard outer.isAtEnd else { throw .damagedReceipt(at: outer.offset) }
    }

    /// Reads the next attribute, or returns nil after the last.
    mutating func next(_ bytes: Span<UInt8>) throws(EncodingFault) -> Attribute? {
      if reader.isAtEnd { return nil }
      var fields = BERReader(try reader.next(BERReader.Tag.sequence, bytes))
      let type = try BERReader.integer(bytes, try fields.next(BERReader.Tag.integer, bytes))
      _ = try fields.next(BERReader.Tag.integer, bytes)
      return Attribute(type: type, value: try fields.next(BERReader.Tag.octetString, bytes))
    }
  }
}

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
