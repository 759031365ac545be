import SubscriptionModel

extension TableMaker {
  /// METRICS.md section 5, churn.
  func churnRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let isEvents = report.source == .events
    let stock = Stock(report, view)
    return monthlyRows(report, view) { cohort, month in
      let count = { tally.facts.count($0, cohort: cohort, month: month) }
      let provisional = count(.lapseOpenProvisional)
      let churned = count(.lapseReactivated) + count(.lapseOpenFinal) + provisional
      // Chains of the first file's month may not have been seen yet; a snapshot is what it is.
      let isKnown = isEvents || month > report.completeness.firstDay.month
      let active = isKnown ? stock.before(month, cohort: cohort) : nil
      guard churned != 0 || (active ?? 0) != 0 else { return nil }
      let onlyEvents = { (fact: Fact) in isEvents ? ReportTable.Cell.count(count(fact)) : .missing }
      let edge = tally.edge(cohort: cohort)
      let isUndecided = provisional > 0 || count(.endedAtEdge) > 0
      return [
        active.map { .count($0) } ?? .missing, .count(churned),
        onlyEvents(.churnedVoluntary), onlyEvents(.churnedBilling), onlyEvents(.churnedPrice),
        isEvents ? .missing : .count(count(.churnedRefund)),
        onlyEvents(.churnedRemoved), onlyEvents(.churnedOther),
        .count(count(.churnedUnknown)), .count(provisional),
        active.map { .rate(churned, of: $0) } ?? .missing,
      ] + (active.map { intervalCells(churned, of: $0) } ?? [.missing, .missing]) + [
        report.state(
          of: month, isUndecided: isUndecided,
          isAtLeftEdge: edge.map { month.firstDay < $0 } ?? false
        ).cell
      ]
    }
  }
}
