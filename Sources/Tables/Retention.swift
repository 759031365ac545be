import Counting
import Storage
import SubscriptionModel

extension TableMaker {
  /// Returns `retention-by-duration.csv`: the curves of all subscriptions with periods of one length.
  ///
  /// They are added up from the view by start month and duration.
  ///
  /// - Returns: The table; `nil` without that view, and where the view by duration is made anyway.
  package func retentionByDuration() -> ReportTable? {
    let finer: [Dimension] = [.startMonth, .duration]
    guard !views.contains([.duration]), let view = views.firstIndex(of: finer),
      allows(.retention, by: finer)
    else { return nil }
    let definition = Definition.definition(of: .retention)
    let reports = sources.filter {
      definition.sources.contains($0.source) && $0.source.dimensions.isSuperset(of: finer)
    }
    let rows = reports.flatMap { report in
      survivalByDuration(report.tally.views[view]).flatMap { duration, counts in
        curveRows(counts, keys: [.text(report.source.rawValue), .text(duration)], report)
      }
    }
    return ReportTable(
      name: TableKind.retention.rawValue, dimensions: [Dimension.duration.rawValue],
      columns: definition.columns(for: [.duration]),
      rows: rows.sorted(by: KeyedRow.precedes).map(\.allCells))
  }

  /// Returns the outcomes of each paid period by duration, of a view by start month and duration.
  private func survivalByDuration(_ tally: ViewTally) -> [String: [SurvivalCounts]] {
    var sums: [String: [SurvivalCounts]] = [:]
    for (values, counts) in zip(tally.index.cohorts, tally.survival) {
      let duration = values[1].text(names)
      var sum = sums[duration] ?? []
      for (k, count) in counts.enumerated() {
        if k == sum.count { sum.append(SurvivalCounts()) }
        sum[k].merge(count, .plus)
      }
      sums[duration] = sum
    }
    return sums
  }

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
