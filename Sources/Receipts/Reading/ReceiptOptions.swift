/// How a user wants receipt dumps to be read.
public struct ReceiptOptions: Sendable {
  /// The roots that signatures must lead to; nil does not verify.
  ///
  /// What is not signed (answers of verifyReceipt, notifications V1, decoded records, tables) is used
  /// all the same. As in Apple's library, nobody vouches for records of Xcode and of local testing: they
  /// are not verified, and are never production.
  public var roots: RootCertificates?

  /// What the columns of tables hold that are neither RevenueCat's nor Adapty's; nil knows only tables
  /// with a column `receipt`.
  public var columns: ReceiptColumns?

  /// Creates options that verify nothing, and know no tables but the usual ones.
  public init() {}
}
