import Counting
import SubscriptionModel

extension TableMaker {
  /// Makes the rows of `trials`: METRICS.md section 5.
  func trialRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let isEvents = report.source == .events
    return monthlyRows(report, view) { cohort, month in
      let count = { tally.facts.count($0, cohort: cohort, month: month) }
      let converted = count(.trialConverted)
      let notConverted = count(.trialNotConverted)
      let pending = count(.trialPending)
      let trials = FactSums.trials.sum(count)
      guard trials != 0 else { return nil }
      let state = report.state(
        of: month, isUndecided: pending > 0,
        isAtEdge: report.isNearTransfer(month, cohort: cohort, tally)
      ).cell
      guard !isEvents else {
        return [
          .missing, .count(converted), .count(notConverted), .missing, .missing, .missing, .missing,
          state,
        ]
      }
      return [
        .count(trials), .count(converted), .count(notConverted), .count(pending),
        .rate(converted, of: trials),
      ] + intervalCells(converted, of: trials) + [state]
    }
  }
}
