import SubscriptionModel

extension TableMaker {
  /// METRICS.md section 5, retention.
  func retentionRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    var steps: [Int32: [Int: SurvivalCounts]] = [:]
    for (pair, counts) in tally.survival {
      steps[pair.cohort, default: [:]][Int(pair.number)] = counts
    }
    return steps.flatMap { cohort, byK in
      let keys = [.text(report.source.rawValue)] + cohortKeys(Int(cohort), tally)
      return curveRows(byK, keys: keys, report)
    }
  }

  private func curveRows(
    _ byK: [Int: SurvivalCounts], keys: [KeyedRow.Key], _ report: SourceReport
  ) -> [KeyedRow] {
    let ks = byK.keys.sorted()
    // A followed chain was at risk at every k up to the last one seen; an event at its own k only.
    var atRisk: [Int: Int] = [:]
    var later = 0
    for k in stride(from: ks.last ?? 0, through: 1, by: -1) {
      let here = byK[k].map { $0.kept + $0.lost } ?? 0
      later += here
      atRisk[k] = report.source == .subscribers ? later : here
    }
    let steps = atRisk.filter { $0.value > 0 }.keys.sorted().map { k in
      (k: k, atRisk: atRisk[k] ?? 0, lost: byK[k]?.lost ?? 0)
    }
    let curve = Statistics.kaplanMeier(steps.map { ($0.atRisk, $0.lost) })
    return zip(steps, curve).map { step, point in
      let isPending = (byK[step.k]?.pending ?? 0) > 0
      let state: SourceReport.State =
        !report.completeness.missingDays.isEmpty ? .partial : isPending ? .provisional : .final
      return KeyedRow(
        keys: keys + [.number(step.k)],
        cells: [
          .count(step.atRisk), .count(step.lost), .count(step.atRisk - step.lost),
          .fraction(point.survival), point.interval.map { .fraction($0.low) } ?? .missing,
          point.interval.map { .fraction($0.high) } ?? .missing, state.cell,
        ])
    }
  }
}
