package import Counting
package import SubscriptionModel

/// Builds tables from the counts of a run's sources.
package struct TableMaker: Sendable {
  let sources: [SourceReport]
  let views: [[Dimension]]
  /// The number of views at the end of `views` that only `retention` has.
  private let retentionViewCount: Int
  let names: Names
  let conversion: CurrencyConversion?

  /// Creates a maker.
  ///
  /// - Parameters:
  ///   - sources: The run's sources.
  ///   - views: The dimensions of each view, as the tallies have them.
  ///   - retentionViews: Those of the views of `retention` alone.
  ///   - names: The texts behind the symbols.
  ///   - conversion: The rates for a converted column after each money column; `nil` for none.
  package init(
    sources: [SourceReport], views: [[Dimension]], retentionViews: [[Dimension]] = [],
    names: Names, conversion: CurrencyConversion? = nil
  ) {
    self.sources = sources.sorted { $0.source < $1.source }
    self.views = views + retentionViews
    retentionViewCount = retentionViews.count
    self.names = names
    self.conversion = conversion
  }

  /// Returns whether any source can supply a view of a table; `commitments` also needs an instalment.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - dimensions: The view's dimensions; none for the whole population.
  /// - Returns: Whether at least one source has the table and all dimensions.
  package func allows(_ kind: TableKind, by dimensions: [Dimension] = []) -> Bool {
    hasSource(for: kind, by: dimensions)
      && (kind != .commitments || sources.contains(where: \.tally.hasInstalments))
  }

  /// Returns the views of a table that some source can supply, as indices for ``table(_:view:)``.
  ///
  /// - Parameter kind: The table.
  /// - Returns: The indices, ascending.
  package func views(of kind: TableKind) -> [Int] {
    let all = kind == .retention ? views.indices : views.indices.dropLast(retentionViewCount)
    return all.filter { allows(kind, by: views[$0]) }
  }

  /// Returns whether any source can supply a view of a table.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - dimensions: The view's dimensions; none for the whole population.
  /// - Returns: Whether at least one source has the table and all dimensions.
  package func hasSource(for kind: TableKind, by dimensions: [Dimension] = []) -> Bool {
    let possible = Definition.definition(of: kind).sources
    return sources.contains {
      possible.contains($0.source) && $0.source.dimensions.isSuperset(of: dimensions)
    }
  }

  /// Returns one view of a table.
  ///
  /// Sources that lack one of the view's dimensions are left out of it.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - view: The view's index.
  /// - Returns: The table, with a header even when it has no row.
  /// - Throws: ``ConversionError`` when a rate is missing.
  package func table(_ kind: TableKind, view: Int) throws(ConversionError) -> ReportTable {
    let definition = Definition.definition(of: kind)
    let dimensions = views[view]
    var rows: [KeyedRow] = []
    for report in sources where definition.sources.contains(report.source) {
      guard report.source.dimensions.isSuperset(of: dimensions) else { continue }
      rows += self.rows(of: kind, report, view)
    }
    let table = ReportTable(
      name: kind.rawValue, dimensions: dimensions.map(\.rawValue),
      columns: definition.columns(for: dimensions),
      rows: KeyedRow.cellsInOrder(of: rows))
    guard let conversion else { return table }
    return try conversion.addingColumns(to: table)
  }

  private func rows(of kind: TableKind, _ report: SourceReport, _ view: Int) -> [KeyedRow] {
    switch kind {
    case .churn: churnRows(report, view)
    case .renewals: renewalRows(report, view)
    case .lapses: lapseRows(report, view)
    case .refunds: refundRows(report, view)
    case .retention: retentionRows(report, view)
    case .movement: movementRows(report, view)
    case .proceeds: proceedsRows(report, view)
    case .trials: trialRows(report, view)
    case .commitments: commitmentRows(report, view)
    }
  }

  // MARK: Cells and rows of all tables

  func cohortKeys(_ cohort: Int, _ view: ViewTally) -> [KeyedRow.Key] {
    view.index.cohorts[cohort].map { .text($0.text(names)) }
  }

  /// Returns a row for each cohort and month up to as-of's month, unless `cells` returns `nil`.
  func monthlyRows(
    _ report: SourceReport, _ view: Int, from first: Month? = nil,
    cells: (_ cohort: Int, _ month: Month) -> [ReportTable.Cell]?
  ) -> [KeyedRow] {
    let tally = report.tally.views[view]
    guard var month = first ?? tally.facts.usedMonths?.lowerBound else { return [] }
    let last = report.completeness.lastMonth
    var rows: [KeyedRow] = []
    while month <= last {
      for cohort in tally.index.cohorts.indices {
        guard let cells = cells(cohort, month).map({ known($0, in: month, report) }) else {
          continue
        }
        let keys: [KeyedRow.Key] = [.text(report.source.rawValue), .text(report.name(month))]
        rows.append(KeyedRow(keys: keys + cohortKeys(cohort, tally), cells: cells))
      }
      month = month + 1
    }
    return rows
  }

  /// Returns the cells after the keys of a month's row: empty ones in a month without files.
  func known(
    _ cells: [ReportTable.Cell], in month: Month, _ report: SourceReport
  ) -> [ReportTable.Cell] {
    guard report.completeness.isWithoutFiles(month) else { return cells }
    // The only text is the state, which is `partial`.
    return cells.map { cell -> ReportTable.Cell in
      if case .text = cell { cell } else { .missing }
    }
  }

  func intervalCells(_ successes: Int, of trials: Int) -> [ReportTable.Cell] {
    guard let interval = Statistics.wilson(successes, of: trials) else {
      return [.missing, .missing]
    }
    return [.fraction(interval.low), .fraction(interval.high)]
  }
}
