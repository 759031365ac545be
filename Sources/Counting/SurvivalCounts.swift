import Storage

/// The outcomes of paid period k: METRICS.md section 5, retention.
package struct SurvivalCounts: Sendable, Equatable, Summable {
  /// Kept at k.
  ///
  /// A chain counts only at its last k; it was at risk at all smaller k too.
  package var kept = 0
  /// Churned at k.
  package var lost = 0
  /// Not decided: paid period k ended less than 60 days before as-of; a term of instalments, less than 90 days.
  package var pending = 0

  /// Creates counts of 0.
  package init() {}

  init(kept: Int = 0, lost: Int = 0, pending: Int = 0) {
    self.kept = kept
    self.lost = lost
    self.pending = pending
  }

  /// Adds other counts, or subtracts them.
  ///
  /// - Parameters:
  ///   - other: Counts of the same cohort and k.
  ///   - sign: Add or subtract.
  package mutating func merge(_ other: SurvivalCounts, _ sign: MergeSign) {
    kept += sign.factor * other.kept
    lost += sign.factor * other.lost
    pending += sign.factor * other.pending
  }

  static func * (counts: SurvivalCounts, factor: Int) -> SurvivalCounts {
    SurvivalCounts(
      kept: counts.kept * factor, lost: counts.lost * factor, pending: counts.pending * factor)
  }

  mutating func code(with coder: inout some ValueCoder) {
    coder.count(&kept)
    coder.count(&lost)
    coder.count(&pending)
  }
}
