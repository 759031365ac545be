/// Counts for all files together: the `receipts` row of `health.csv`, METRICS.md 3.15.
public struct ReceiptSummary: Equatable, Sendable {
  /// Chains of subscriptions with an unknown group.
  public var chainsWithoutGroup = 0
  /// Chains of Family Sharing.
  public var familyChains = 0
  /// Events with several products or several groups in their copies.
  public var conflicts = 0
  /// Ignored events: they have no expiry, and no field shows that they are subscriptions.
  public var withoutExpiry = 0
  /// Events with an expiry at or before the purchase; they have no period.
  public var withoutLength = 0
  /// Non-renewing periods that begin before an earlier one has ended.
  public var overlaps = 0
  /// Instalments without a billing plan in their copies: it is from other receipts, or from the
  /// config.
  public var inferredPlans = 0
  /// Instalments with an unknown position, because their term began before the data: no renewal is
  /// due.
  public var unknownPositions = 0

  /// Creates an empty summary.
  public init() {}

  /// Adds the counts of other customers.
  ///
  /// - Parameter other: Their counts.
  public mutating func merge(_ other: ReceiptSummary) {
    chainsWithoutGroup += other.chainsWithoutGroup
    familyChains += other.familyChains
    conflicts += other.conflicts
    withoutExpiry += other.withoutExpiry
    withoutLength += other.withoutLength
    overlaps += other.overlaps
    inferredPlans += other.inferredPlans
    unknownPositions += other.unknownPositions
  }
}
