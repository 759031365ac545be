import SubscriptionModel
import Tables

extension ReferenceMetrics {
  var retention: [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    for cohort in Set(charges.filter(\.isFirst).map(\.retentionCohort)) {
      let chains = charges.filter {
        $0.isFirst && $0.chain.start == .known && $0.retentionCohort == cohort
      }.map { paidPeriods(of: $0.chainCharges) }
      let cells = ReferencePaidPeriod.rows(of: chains, isPartial: !missingDays.isEmpty)
      rows += cells.map { (["subscribers"] + cohort).map { .text($0) } + $0 }
    }
    return sortedRows(rows, keys: 2 + dimensions.count)
  }

  /// Returns the terms of a chain; their instalments are indices into `charges`.
  func terms(of chain: Range<Int>) -> [ReferenceTerm] {
    let own = charges[chain].map { (period: $0.period, terms: $0.terms) }
    return ReferenceTerm.terms(of: own, asOf: asOf).map { term in
      ReferenceTerm(
        instalments: term.instalments.map { $0 + chain.lowerBound }, isKnown: term.isKnown,
        end: term.end, scheduledEnd: term.scheduledEnd)
    }
  }

  /// Returns what k counts of a chain, in order.
  private func paidPeriods(of chain: Range<Int>) -> [ReferencePaidPeriod] {
    let terms = self.terms(of: chain)
    var periods: [ReferencePaidPeriod] = []
    for index in chain {
      let charge = charges[index]
      if let term = terms.first(where: { $0.first == index }) {
        // METRICS.md 10.4: one of unknown position censors the chain.
        guard term.isKnown else { return periods }
        // A term cut by a change neither counts nor raises k.
        let how = term.end?.how
        if how == .changed { continue }
        if isCensored(charge, term.scheduledEnd + 90) { return periods }
        periods.append(
          ReferencePaidPeriod(
            age: asOf - term.scheduledEnd, decidedAt: 90,
            isLost: how == .defaulted || charges[term.last].isChurn,
            isDefaulted: how == .defaulted))
      } else if charge.isPaid, !charge.isInstalment,
        charge.period.ending != .changedProduct, charge.period.ending != .boughtAgainSameDay
      {
        if isCensored(charge, charge.period.end + 60) { return periods }
        periods.append(
          ReferencePaidPeriod(
            age: asOf - charge.period.end, decidedAt: 60, isLost: charge.isChurn))
      }
    }
    return periods
  }

  /// Whether a period of an app that moved was not decided when the old account's files ended.
  private func isCensored(_ charge: Charge, _ decision: Day) -> Bool {
    charge.chain.givenAway.map { $0.lastDay < decision } ?? false
  }
}
