import Counting
import SubscriptionModel

extension TableMaker {
  /// Makes the rows of `renewals`: METRICS.md section 5.
  func renewalRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let isEvents = report.source == .events
    return monthlyRows(report, view) { cohort, month in
      let count = { tally.facts.count($0, cohort: cohort, month: month) }
      let renewed = count(.dueRenewed)
      let recovered = count(isEvents ? .recovered : .dueRecovered)
      let lapsed = count(.dueLapsed)
      let pending = count(.duePending)
      let due = FactSums.due.sum(count)
      guard due != 0 || recovered != 0 else { return nil }
      // Pending counts of events never resolve, so they do not make a row provisional.
      let state = report.state(
        of: month, isUndecided: !isEvents && pending > 0,
        isAtEdge: report.isNearTransfer(month, cohort: cohort, tally))
      return [
        .count(due), .count(renewed), .count(recovered), .count(lapsed), .count(pending),
        .rate(renewed, of: due),
      ] + intervalCells(renewed, of: due) + [state.cell]
    }
  }
}
