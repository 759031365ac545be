import Storage

/// The outcomes of paid period k: METRICS.md section 5, retention.
public struct SurvivalCounts: Sendable, Equatable, Summable {
  /// Kept at k.
  ///
  /// A chain counts only at its last k; it was at risk at all smaller k too.
  public var kept = 0
  /// Churned at k.
  public var lost = 0
  /// Not decided: paid period k ended less than 60 days before as-of; a term of instalments, less than 90 days.
  public var pending = 0

  /// Creates counts of 0.
  public init() {}

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
  public mutating func merge(_ other: SurvivalCounts, _ sign: MergeSign) {
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
