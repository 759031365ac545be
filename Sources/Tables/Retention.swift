import Counting
import Storage
package import SubscriptionModel

extension Definition {
  /// `retention`: METRICS.md section 5.
  static func retention(_ words: SourceWording) -> Definition {
    Definition(
      table: .retention, title: "Retention",
      sentence:
        words.isOfEventsAlone
        ? "Survival at k = the product, over the first k paid periods, of the share that was renewed, by Apple's renewal and `Cancel` events of each period; these are flows by date, not subscriptions followed through time."
        : "Survival at k = the share of subscriptions with a known start that were kept through their first k paid periods (Kaplan-Meier).",
      caveat:
        words.text(
          "Only periods that ended at least 60 days before \(words.endOfData) count (a term of instalments: 90 days after its scheduled end), so that renewals and lapses had the same time to appear.",
          events: "In `events` the rows are flows by date, not a cohort followed through time."),
      sources: [.events, .receipts, .subscribers], rowIs: "cohort × k",
      keys: (["source"], []), sizes: ["at_risk"],
      columns: [
        .count("k", nil, rank: 2, "The number of the paid period, from 1."),
        .count(
          "at_risk", .counts([.atRisk]), rank: 5,
          "Chains whose paid period k ended at least 60 days before as-of, of instalments the term 90.",
          inChains:
            "Subscriptions with a known start whose paid period k ended at least 60 days before \(words.endOfData), of instalments the term 90.",
          inEvents: "`lost + kept`, at any time in the data."),
        .count(
          "lost", .counts([.lost]), rank: 6, "Of these: churned at its end.",
          inEvents: "`Cancel` events after paid period k."),
        .count(
          "kept", .counts([.kept]),
          "Of these: charged again within 60 days, or 90 after an instalment.",
          inEvents: "Renewals and recoveries after paid period k."),
        .rate("survival", factors, rank: 1, "Product over i ≤ k of `1 - lost / at_risk`."),
        .rate(
          "low", factors, rank: 3,
          "Lower bound of the 95 % log-log interval with Greenwood's variance."),
        .rate("high", factors, rank: 4, "Upper bound of the same interval."), state(rank: 7),
      ])
  }

  /// The factors of the periods before have rows of their own.
  private static let factors = ColumnMakeup.model(["at_risk", "lost"])
}

extension TableMaker {
  /// Returns `retention-by-duration.csv`: the curves of all subscriptions with periods of one length.
  ///
  /// They are added up from the view by start month and duration; `nil` without it, and where the view by duration is
  /// made anyway.
  package func retentionByDuration() -> ReportTable? {
    let finer: [Dimension] = [.startMonth, .duration]
    guard !views.contains([.duration]), views.contains(finer), allows(.retention, by: finer) else {
      return nil
    }
    return retention(by: [.duration])
  }

  /// Returns `retention` of the subscriptions that began in some months.
  ///
  /// With `months`, subscriptions without a start month, such as those from before the data, are in no row.
  ///
  /// The run needs a view of the dimensions and the start month. `months` are calendar months; `nil` for all
  /// subscriptions.
  package func retention(
    by dimensions: [Dimension], startedIn months: ClosedRange<Month>? = nil
  ) -> ReportTable {
    let needed = Set(dimensions + [.startMonth])
    guard let view = views.firstIndex(where: { Set($0) == needed }),
      let start = views[view].firstIndex(of: .startMonth)
    else { preconditionFailure("retention of start months needs a view of them") }
    let definition = Definition.definition(of: .retention)
    let places = dimensions.compactMap { views[view].firstIndex(of: $0) }
    var rows: [KeyedRow] = []
    for report in sources where definition.sources.contains(report.source) {
      guard report.source.dimensions.isSuperset(of: needed) else { continue }
      let tally = report.tally.views[view]
      var cohorts = NumberedValues<[DimensionValue]>()
      var sums: [[SurvivalCounts]] = []
      for (values, byK) in zip(tally.index.cohorts, tally.survival) {
        if let months {
          guard case .month(let month) = values[start], months.contains(month) else { continue }
        }
        let cohort = cohorts.number(of: places.map { values[$0] })
        if cohort == sums.count { sums.append([]) }
        Self.add(byK, to: &sums[cohort])
      }
      for (values, byK) in zip(cohorts.values, sums) {
        let keys: [KeyedRow.Key] =
          [.text(report.source.rawValue)] + values.map { .text($0.text(names)) }
        rows += curveRows(byK, keys: keys, report)
      }
    }
    return ReportTable(
      name: TableKind.retention.rawValue, dimensions: dimensions.map(\.rawValue),
      columns: definition.columns(for: dimensions),
      rows: definition.cells(of: rows, by: dimensions, names))
  }

  /// Returns `retention` of the subscriptions that began in some months, beside that of those that began earlier.
  ///
  /// Rows of start months are compared with those of the month or the year before, and rows of several start months
  /// together with those of as many months before, or of the same months a year before.
  package func retention(
    by dimensions: [Dimension], startedIn months: ClosedRange<Month>?,
    against: ReportTable.Against
  ) -> ReportTable {
    guard let months, !dimensions.contains(.startMonth) else {
      let name = Dimension.startMonth.rawValue
      let table = retention(by: dimensions).addingChanges(against, .calendar, in: name)
      return months.map { table.inMonths($0.contains, .calendar, in: name) } ?? table
    }
    return retention(by: dimensions, startedIn: months).addingChanges(
      since: retention(by: dimensions, startedIn: against.months(before: months)))
  }

  /// Adds the counts of each k.
  private static func add(_ byK: [SurvivalCounts], to sum: inout [SurvivalCounts]) {
    let missing = byK.count - sum.count
    if missing > 0 { sum += [SurvivalCounts](repeating: SurvivalCounts(), count: missing) }
    for (k, counts) in byK.enumerated() { sum[k].merge(counts, .plus) }
  }

  /// Makes the rows of `retention`.
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
    let row = RowCells(.retention, report.source)
    return zip(steps, curve).map { step, point in
      let state: SourceReport.State =
        report.completeness.lacksData
        ? .partial : counts[step.k].pending > 0 ? .provisional : .final
      let cells = row.cells(state) { counted, _ in
        switch counted {
        case .atRisk: Int128(step.atRisk)
        case .lost: Int128(step.lost)
        default: Int128(step.atRisk - step.lost)
        }
      } other: { name, _ in
        switch name {
        case "survival": .fraction(point.survival)
        case "low": point.interval.map { .fraction($0.low) } ?? .missing
        default: point.interval.map { .fraction($0.high) } ?? .missing
        }
      }
      // The first column is k, which is a key.
      return KeyedRow(keys: keys + [.number(step.k)], cells: Array(cells.dropFirst()))
    }
  }
}

/// Shares of so few subscriptions that they say little.
extension ReportTable {
  /// A share of fewer subscriptions at risk is too uncertain to tell anything.
  package static let fewAtRisk = 30

  /// In how many rows fewer subscriptions than ``fewAtRisk`` were at risk, in words; blank where in none, and for a table
  /// without the column.
  ///
  /// Such as: in 3 of 12 rows fewer than 30 were at risk, too few to tell.
  package var noteOnFewAtRisk: String {
    let counts = namedRows.compactMap { $0["at_risk"] }
    let few = counts.count { $0 < Self.fewAtRisk }
    guard few > 0 else { return "" }
    let some = few < counts.count ? "\(few) of \(counts.count) rows" : "all rows"
    let rows = counts.count == 1 ? "the row" : some
    return "in \(rows) fewer than \(Self.fewAtRisk) were at risk, too few to tell"
  }
}
