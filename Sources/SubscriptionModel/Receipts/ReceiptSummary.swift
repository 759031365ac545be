/// Counts that belong to no file: the `receipts` row of `health.csv`, METRICS.md 3.15.
public struct ReceiptSummary: Equatable, Sendable {
  /// Chains of subscriptions whose group is unknown.
  public var chainsWithoutGroup = 0
  /// Chains that a family member shares.
  public var familyChains = 0
  /// Events whose copies name several products or several groups.
  public var conflicts = 0
  /// Events without an expiry that are not known to be subscriptions; they are ignored.
  public var withoutExpiry = 0
  /// Events that expire no later than they were bought; they make no period.
  public var withoutLength = 0
  /// Non-renewing periods that begin before an earlier one has ended.
  public var overlaps = 0
  /// Instalments whose records state no billing plan: it comes from other records, or from the config.
  public var inferredPlans = 0
  /// Instalments of terms whose beginning is not in the data: their renewals are not due.
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
