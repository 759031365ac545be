/// How a user wants receipt dumps to be read.
public struct ReceiptOptions: Sendable {
  /// The roots that signatures must lead to; nil does not verify.
  ///
  /// A signature that fails is a reject. What is not signed (answers of verifyReceipt, notifications V1,
  /// decoded records, tables), and records of Xcode and of local testing, for which no root of Apple
  /// vouches, are read as responses that are not verified.
  public var roots: RootCertificates?

  /// What the columns of tables hold that are neither RevenueCat's nor Adapty's; nil knows only tables
  /// with a column `receipt`.
  public var columns: ReceiptColumns?

  /// Creates options that verify nothing, and know no tables but the usual ones.
  public init() {}
}
