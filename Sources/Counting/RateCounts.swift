import Storage
package import SubscriptionModel

/// The numerators and denominators of a month's rates, for one cohort.
package struct RateCounts: Equatable, Sendable {
  /// Paid periods that ended in the month and lapsed without a recovery: the numerator of the churn rate.
  package var churned = 0
  /// Paid periods that ended in the month and were due.
  package var due = 0
  /// Of these: renewed.
  package var renewed = 0
  /// Trials that began in the month.
  package var trials = 0
  /// Of these: followed by a paid charge.
  package var converted = 0
  /// Paid charges of the month that were refunded in full, in any month.
  package var refunded = 0

  /// No counts.
  package init() {}
}

extension ViewTally {
  /// Returns the counts of a month as of a day after its end, to compare months at the same age: METRICS.md 11.
  ///
  /// Example: of 290 subscribers, 29 lapsed in March, and 5 of these were recovered on 10 May. March has 29 churned on
  /// 30 April, and 24 on 10 May. Only rows dated up to the day count.
  /// The month's charges and active chains do not depend on the day, so they are not included.
  ///
  /// There is an element for each cohort, in the order of `index.cohorts`. The tally must be settled.
  package func rateCounts(of month: Month, on day: Day) -> [RateCounts] {
    var counts = index.cohorts.indices.map { cohort in
      let count = { facts.count($0, cohort: cohort, month: month) }
      var counts = RateCounts()
      counts.churned =
        count(.lapseReactivated) + count(.lapseOpenFinal) + count(.lapseOpenProvisional)
      counts.renewed = count(.dueRenewed)
      counts.due = counts.renewed + count(.dueRecovered) + count(.dueLapsed) + count(.duePending)
      counts.converted = count(.trialConverted)
      counts.trials = counts.converted + count(.trialNotConverted) + count(.trialPending)
      return counts
    }
    for (key, cell) in money.cells where key.month == month {
      counts[Int(key.cohort)].refunded += cell.bySale.full
    }
    open.forEach(where: { $0.isLate && $0.number == month.number }) {
      period, outcomeDay, count, cohort in
      if outcomeDay > day { counts[cohort].exclude(period.kind, count) }
    }
    return counts
  }
}

extension RateCounts {
  /// Returns facts of a period of receipts as they were known before its late outcomes, for `explain`.
  ///
  /// Example: a lapse that was recovered on 10 May was a provisional lapse until then.
  static func facts(_ facts: [Fact], before late: [OpenPeriod.Kind]) -> [Fact] {
    var change = RateCounts()
    for kind in late { change.exclude(kind, 1) }
    var known = facts
    let replace = { (old: [Fact], new: Fact?) in
      guard let place = known.firstIndex(where: old.contains) else { return }
      known.replaceSubrange(place...place, with: new.map { [$0] } ?? [])
    }
    if change.churned < 0 {
      replace([.lapseReactivated, .lapseOpenFinal, .lapseOpenProvisional], nil)
    }
    if change.churned > 0 { known.append(.lapseOpenProvisional) }
    if change.renewed < 0 { replace([.dueRenewed], .duePending) }
    if change.converted < 0 { replace([.trialConverted], .trialPending) }
    if change.due > 0 { known.append(change.renewed > 0 ? .dueRenewed : .duePending) }
    return known
  }

  /// Removes outcomes that came after the day.
  fileprivate mutating func exclude(_ outcome: OpenPeriod.Kind, _ count: Int) {
    switch outcome {
    case .lateLapse: churned -= count
    case .lateRecovery: churned += count
    case .lateRenewal: renewed -= count
    case .lateConversion: converted -= count
    case .lateRefund: refunded -= count
    case .lateNotDue: due += count
    case .lateNotRenewed: renewed += count
    default: break
    }
  }
}

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

  package init() {}

  init(kept: Int = 0, lost: Int = 0, pending: Int = 0) {
    self.kept = kept
    self.lost = lost
    self.pending = pending
  }

  /// Adds other counts, or subtracts them.
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
