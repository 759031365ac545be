/// The user's options for reading receipt dumps.
public struct ReceiptOptions: Sendable {
  /// The root certificates that signatures must lead to; nil turns verification off.
  ///
  /// A record whose signature fails is a reject. Unsigned records (verifyReceipt answers, notifications V1,
  /// decoded records, tables) and signed records (JWS) of Xcode and of local testing, which no Apple root
  /// covers, are read as unverified responses.
  public var roots: RootCertificates?

  /// The columns of tables that are neither RevenueCat's nor Adapty's.
  ///
  /// With nil, only a table with a column `receipt` is recognized.
  public var columns: ReceiptColumns?

  /// Creates options that verify nothing and recognize only the built-in tables.
  public init() {}
}
