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
    self = self + other * sign.factor
  }

  static func + (left: SurvivalCounts, right: SurvivalCounts) -> SurvivalCounts {
    SurvivalCounts(
      kept: left.kept + right.kept, lost: left.lost + right.lost,
      pending: left.pending + right.pending)
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
