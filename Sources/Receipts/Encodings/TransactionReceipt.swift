/// A transaction receipt, which StoreKit provided for each purchase up to iOS 6.
///
/// It is a property list (`signature`, `purchase-info`, `environment`, `pod`, `signing-status`).
/// Its `purchase-info` is the base64 of a second list with the purchase: `product-id`,
/// `transaction-id`, `purchase-date-ms`, `expires-date` (milliseconds) and so on. One value can
/// read any number of receipts, and reuses its buffers.
///
/// The signature cannot be verified (``VerificationFailure/unsupportedReceipt``).
package struct TransactionReceipt: ~Copyable {
  /// The decoded inner list, to which the ranges of ``purchase`` refer.
  package private(set) var purchaseInfo: [UInt8] = []
  /// The entries of ``purchaseInfo``.
  package private(set) var purchase = PropertyList()
  /// The range of the environment in the receipt, such as `Sandbox`; nil in production.
  package private(set) var environment: Range<Int>?

  private var container = PropertyList()

  /// Creates an empty receipt; call ``read(_:)`` to fill it.
  package init() {}

  /// Reads a receipt, which replaces the previous one.
  ///
  /// - Parameter receipt: The outer list.
  /// - Throws: ``EncodingFault/Code/notAPropertyList`` or ``EncodingFault/Code/notBase64``. The
  ///   offset of a fault in the inner list counts from the start of ``purchaseInfo``.
  package mutating func read(_ receipt: Span<UInt8>) throws(EncodingFault) {
    try container.read(receipt)
    environment = container.value(of: "environment", in: receipt)
    guard let encoded = container.value(of: "purchase-info", in: receipt) else {
      throw EncodingFault(.notAPropertyList, at: 0, found: "an iOS 6 receipt without purchase-info")
    }
    try Base64.decode(receipt, encoded, .standard, into: &purchaseInfo)
    let purchaseInfo = purchaseInfo
    try purchase.read(purchaseInfo.span)
  }

  /// Finds a value of the purchase by its key.
  ///
  /// - Parameter key: The key, such as `product-id`.
  /// - Returns: The range of the value in ``purchaseInfo``, or nil if there is none.
  package func value(of key: String) -> Range<Int>? {
    purchase.value(of: key, in: purchaseInfo.span)
  }
}
