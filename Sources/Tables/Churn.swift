import Counting
import SubscriptionModel

extension TableMaker {
  /// Makes the rows of `churn`: METRICS.md section 5.
  func churnRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let isEvents = report.source == .events
    let hasReasons = report.source.hasReasons
    let stock = Stock(report, view)
    // The whole population of receipts has a row for every month from the first charge on.
    let months = report.completeness.monthSystem
    let firstChargeDay = tally.index.dimensions.isEmpty ? report.tally.firstChargeDay : nil
    let firstMonth = firstChargeDay.map(months.month)
    return monthlyRows(report, view, from: firstMonth) { cohort, month in
      let count = { tally.facts.count($0, cohort: cohort, month: month) }
      let provisional = count(.lapseOpenProvisional)
      let churned = FactSums.churned.sum(count)
      // Up to the month of the first file, active chains may be missing from the data.
      let isKnown = !report.source.hasLeftEdge || month > report.completeness.firstMonth
      let active = isKnown ? stock.before(month, cohort: cohort) : nil
      guard churned != 0 || (active ?? 0) != 0 || firstMonth != nil else { return nil }
      // The cell of a reason; `missing` if the source has no reasons.
      let reason = { (fact: Fact) in
        hasReasons ? ReportTable.Cell.count(count(fact)) : .missing
      }
      let isUndecided = provisional > 0 || count(.endedAtEdge) > 0
      return [
        active.map { .count($0) } ?? .missing, .count(churned),
        reason(.churnedVoluntary), reason(.churnedBilling), reason(.churnedPrice),
        isEvents ? .missing : .count(count(.churnedRefund)),
        reason(.churnedRemoved), reason(.churnedOther),
        .count(count(.churnedUnknown)), .count(provisional),
        active.map { .rate(churned, of: $0) } ?? .missing,
      ] + (active.map { intervalCells(churned, of: $0) } ?? [.missing, .missing]) + [
        report.state(
          of: month, isUndecided: isUndecided,
          isAtEdge: report.isChurnAtEdge(month, cohort: cohort, tally)
        ).cell
      ]
    }
  }
}
