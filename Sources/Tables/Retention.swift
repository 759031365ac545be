import Counting
import SubscriptionModel

extension TableMaker {
  /// Makes the rows of `retention`: METRICS.md section 5.
  func retentionRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    return tally.survival.enumerated().flatMap { cohort, counts in
      let keys = [.text(report.source.rawValue)] + cohortKeys(cohort, tally)
      return curveRows(counts, keys: keys, report)
    }
  }

  private func curveRows(
    _ counts: [SurvivalCounts], keys: [KeyedRow.Key], _ report: SourceReport
  ) -> [KeyedRow] {
    // A chain was at risk at every k up to its last one; an event only at its own k.
    var atRisk = counts.map { $0.kept + $0.lost }
    if report.source.isOfChains {
      for k in counts.indices.dropLast().reversed() { atRisk[k] += atRisk[k + 1] }
    }
    let steps = counts.indices.dropFirst().filter { atRisk[$0] > 0 }.map { k in
      (k: k, atRisk: atRisk[k], lost: counts[k].lost)
    }
    let curve = Statistics.kaplanMeier(steps.map { ($0.atRisk, $0.lost) })
    return zip(steps, curve).map { step, point in
      let state: SourceReport.State =
        report.completeness.lacksData
        ? .partial : counts[step.k].pending > 0 ? .provisional : .final
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
