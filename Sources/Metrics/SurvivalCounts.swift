import SubscriptionModel

/// What became of paid period k: METRICS.md section 5, retention.
public struct SurvivalCounts: Sendable, Equatable, Summable {
  /// Kept at k; of followed chains those that were not seen at risk at k + 1.
  public var kept = 0
  /// Churned at k.
  public var lost = 0
  /// Paid period k ended less than 60 days before as-of.
  public var pending = 0

  /// Adds other counts, or takes them back.
  ///
  /// - Parameters:
  ///   - other: Counts of the same cohort and k.
  ///   - sign: Whether they are added.
  mutating func merge(_ other: SurvivalCounts, _ sign: MergeSign) {
    kept += sign.factor * other.kept
    lost += sign.factor * other.lost
    pending += sign.factor * other.pending
  }

  static func * (counts: SurvivalCounts, factor: Int) -> SurvivalCounts {
    SurvivalCounts(
      kept: counts.kept * factor, lost: counts.lost * factor, pending: counts.pending * factor)
  }

  mutating func code(with coder: inout some ValueCoder) {
    coder.integer(&kept)
    coder.integer(&lost)
    coder.integer(&pending)
  }
}
