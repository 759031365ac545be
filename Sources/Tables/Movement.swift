import Counting
import SubscriptionModel

extension TableMaker {
  /// Makes the rows of `movement`: METRICS.md section 5.
  func movementRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let isEvents = report.source == .events
    let stock = Stock(report, view)
    let firstFileMonth = report.completeness.firstMonth
    let first = min(report.tally.firstPaidMonth ?? firstFileMonth, firstFileMonth)
    return monthlyRows(report, view, from: first) { cohort, month in
      let count = { tally.facts.count($0, cohort: cohort, month: month) }
      let arrivals: [Fact] = [
        .started, .firstSeen, .converted, .reactivated, .recovered, .switchedIn,
      ]
      let churned = isEvents ? count(.dueLapsed) : FactSums.churned.sum(count)
      let arrived = arrivals.map(count)
      let left = [churned, count(.enteredRetry), count(.switchedOut)]
      let open = stock.before(month, cohort: cohort)
      let observed = stock.before(month + 1, cohort: cohort)
      let close = open.map { $0 + arrived.reduce(0, +) - left.reduce(0, +) }
      let numbers = arrived + left + [open ?? 0, close ?? 0, observed ?? 0]
      guard numbers.contains(where: { $0 != 0 }) else { return nil }
      let unexplained = observed.flatMap { observed in close.map { observed - $0 } }
      return [cell(open)] + (arrived + left).map { .count($0) } + [
        cell(close), cell(observed), cell(unexplained),
      ]
    }
  }

  private func cell(_ count: Int?) -> ReportTable.Cell { count.map { .count($0) } ?? .missing }
}
