/// The user's options for reading receipt dumps.
package struct ReceiptOptions: Sendable {
  /// The root certificates that signatures must lead to; nil turns verification off.
  ///
  /// A JWS or receipt with an invalid signature is a reject. Two kinds of data are read as
  /// unverified responses: unsigned data (verifyReceipt answers, notifications V1, decoded JSON,
  /// tables), and a JWS from Xcode or local testing, which are not signed under an Apple root.
  package var roots: RootCertificates?

  /// The columns of tables other than exports of RevenueCat and Adapty.
  ///
  /// With nil, such a table is recognized only if it has a column `receipt`.
  package var columns: ReceiptColumns?

  /// Whether the places of transactions and renewal infos are noted in ``ReceiptRow/places``.
  package var notesPlaces = false

  /// Creates options without verification and with the built-in tables only.
  package init() {}
}
