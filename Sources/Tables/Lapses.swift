import Counting

extension TableMaker {
  /// Makes the rows of `lapses`: METRICS.md section 5.
  func lapseRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    return monthlyRows(report, view) { cohort, month in
      let count = { tally.facts.count($0, cohort: cohort, month: month) }
      let counts = FactSums.lapses.map(count)
      let lapses = counts.reduce(0, +)
      guard lapses != 0 else { return nil }
      let gaps = tally.gaps[ViewTally.GapKey(cohort: Int32(cohort), month: month)] ?? [:]
      let quantile = { (percent: Int) in
        Statistics.nearestRank(percent: percent, of: gaps).map(report.source.gapCell) ?? .missing
      }
      let isUndecided = count(.lapseOpenProvisional) > 0 || count(.endedAtEdge) > 0
      return [.count(lapses)] + counts.map { .count($0) } + [
        quantile(50), quantile(90),
        report.state(
          of: month, isUndecided: isUndecided,
          isAtEdge: report.isNearTransfer(month, cohort: cohort, tally)
        ).cell,
      ]
    }
  }
}
