package import Counting
import Storage
package import SubscriptionModel

/// Builds tables from the counts of a run's sources.
package struct TableMaker: Sendable {
  let sources: [SourceReport]
  let views: [[Dimension]]
  /// The number of views at the end of `views` that only `retention` has.
  private let retentionViewCount: Int
  private let moneyViews: Set<[Dimension]>
  let names: Names
  let conversion: CurrencyConversion?

  /// Creates a maker for the views of the run's tallies.
  ///
  /// `retentionViews` are those of `retention` alone; `moneyViews` those of `views` that only `recurring`, `lifetime`,
  /// `status` and `retention` have.
  package init(
    sources: [SourceReport], views: [[Dimension]], retentionViews: [[Dimension]] = [],
    moneyViews: Set<[Dimension]> = [], names: Names, conversion: CurrencyConversion? = nil
  ) {
    self.sources = sources.sorted { $0.source < $1.source }
    self.views = views + retentionViews
    retentionViewCount = retentionViews.count
    self.moneyViews = moneyViews
    self.names = names
    self.conversion = conversion
  }

  /// Returns whether any source has a table and all dimensions of a view; `commitments` also needs an instalment.
  package func allows(_ kind: TableKind, by dimensions: [Dimension] = []) -> Bool {
    hasSource(for: kind, by: dimensions)
      && (kind != .commitments || sources.contains(where: \.tally.hasInstalments))
  }

  /// Returns the views of a table that some source can supply, as indices for ``table(_:view:)``.
  package func views(of kind: TableKind) -> [Int] {
    let all = kind == .retention ? views.indices : views.indices.dropLast(retentionViewCount)
    // `retention` has the view by duration anyway.
    let hasMoneyViews = [.recurring, .lifetime, .status, .retention].contains(kind)
    return all.filter {
      allows(kind, by: views[$0]) && (hasMoneyViews || !moneyViews.contains(views[$0]))
    }
  }

  /// Returns whether any source has a table and all dimensions of a view.
  package func hasSource(for kind: TableKind, by dimensions: [Dimension] = []) -> Bool {
    let possible = Definition.definition(of: kind).sources
    // Its rows have the start month in every view.
    if kind == .lifetime, dimensions.contains(.startMonth) { return false }
    if kind == .definitions, !dimensions.isEmpty { return false }
    return sources.contains {
      possible.contains($0.source) && $0.has(kind)
        && $0.source.dimensions.isSuperset(of: dimensions)
    }
  }

  /// Returns one view of a table, with a header even when it has no row; sources without one of its dimensions are left
  /// out.
  ///
  /// Without `needsRates` amounts without a rate are empty; in `lifetime` those of the start months `starts` need one
  /// all the same.
  ///
  /// - Throws: ``ConversionError`` when a rate is missing.
  package func table(
    _ kind: TableKind, view: Int, needsRates: Bool = true, starts: ClosedRange<Month>? = nil
  ) throws(ConversionError) -> ReportTable {
    let definition = Definition.definition(of: kind)
    let dimensions = views[view]
    var rows: [KeyedRow] = []
    for report in sources where definition.sources.contains(report.source) && report.has(kind) {
      guard report.source.dimensions.isSuperset(of: dimensions) else { continue }
      rows += try self.rows(of: kind, report, view) { needsRates || starts?.contains($0) ?? false }
    }
    let rowsInOrder = definition.cells(of: rows, by: dimensions, names)
    let columns = definition.columns(for: dimensions)
    if kind.convertsCharges, let conversion {
      let table = ReportTable(
        name: kind.rawValue, dimensions: dimensions.map(\.rawValue),
        columns: conversion.columns(columns, of: kind), rows: rowsInOrder)
      if needsRates { try conversion.requireRates(of: table) }
      return table
    }
    let table = ReportTable(
      name: kind.rawValue, dimensions: dimensions.map(\.rawValue), columns: columns,
      rows: rowsInOrder)
    return try conversion?.addingColumns(to: table) ?? table
  }

  private func rows(
    of kind: TableKind, _ report: SourceReport, _ view: Int, needsRate: (Month) -> Bool
  ) throws(ConversionError) -> [KeyedRow] {
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
    case .recurring where report.source == .events: snapshotRecurringRows(report, view)
    case .recurring: recurringRows(report, view)
    case .lifetime: try lifetimeRows(report, view, needsRate: needsRate)
    case .status where report.source == .events: snapshotStatusRows(report, view)
    case .status: statusRows(report, view)
    case .definitions: definitionRows(report, view)
    }
  }

  // MARK: Cells and rows of all tables

  func cohortKeys(_ cohort: Int, _ view: ViewTally) -> [KeyedRow.Key] {
    view.index.cohorts[cohort].map { .text($0.text(names)) }
  }

  /// Returns a row for each cohort and month up to as-of's month that counts something.
  ///
  /// `isAtEdge` returns whether subscriptions of a cohort may not have been seen yet in a month, `stock` a stock of a
  /// cohort in a month, `nil` if it is unknown. The facts `undecided` make a month provisional.
  func monthlyRows(
    _ kind: TableKind, _ report: SourceReport, _ view: Int, from first: Month? = nil,
    keepsEmpty: Bool = false, undecided: [Fact] = [],
    isAtEdge: (_ cohort: Int, _ month: Month) -> Bool = { _, _ in false },
    stock: (_ cohort: Int, _ counted: Counted, _ month: Month) -> Int? = { _, _, _ in nil }
  ) -> [KeyedRow] {
    let tally = report.tally.views[view]
    guard var month = first ?? tally.facts.usedMonths?.lowerBound else { return [] }
    let last = report.completeness.lastMonth
    let row = RowCells(kind, report.source)
    var rows: [KeyedRow] = []
    while month <= last {
      for cohort in tally.index.cohorts.indices {
        let count = { tally.facts.count($0, cohort: cohort, month: month) }
        let number = { (counted: Counted, _: Measure) -> Int128? in
          if case .fact(let fact) = counted { return Int128(count(fact)) }
          return stock(cohort, counted, month).map { Int128($0) }
        }
        if !keepsEmpty, row.isEmpty(number) { continue }
        let state = report.state(
          of: month, isUndecided: undecided.contains { count($0) > 0 },
          isAtEdge: isAtEdge(cohort, month))
        let cells = row.cells(state, number: number) { _, makeup in
          guard case .rank(_, let percent)? = makeup else { return .missing }
          let gaps = tally.gaps[ViewTally.GapKey(cohort: Int32(cohort), month: month)] ?? [:]
          return Statistics.nearestRank(percent: percent, of: gaps).map(report.source.gapCell)
            ?? .missing
        }
        let keys: [KeyedRow.Key] = [.text(report.source.rawValue), .text(report.name(month))]
        rows.append(
          KeyedRow(
            keys: keys + cohortKeys(cohort, tally), cells: known(cells, in: month, report)))
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

extension SourceReport {
  /// Returns whether the source can have rows of a table: snapshots alone say how many there are, not what happened.
  package func has(_ kind: TableKind) -> Bool {
    !hasOnlySnapshots || [.recurring, .status, .definitions].contains(kind)
  }
}

/// Differences between the sources that affect tables: METRICS.md section 5.
extension Source {
  /// Whether its numbers come from chains, not from counts of events or sales.
  package var isOfChains: Bool { self == .subscribers || self == .receipts }

  /// Whether it has the reason of a lapse.
  package var hasReasons: Bool { self == .events || self == .receipts }

  /// Whether active chains may be missing because they are older than the first file.
  ///
  /// Snapshots of events count all active subscriptions, and receipts contain a customer's past.
  package var hasLeftEdge: Bool { self == .subscribers }

  /// Whether it has standard prices and the days on which they were charged.
  package var hasStandardPrices: Bool { self != .events }

  /// Whether it has the developer's proceeds.
  package var hasProceeds: Bool { self != .receipts }

  /// Returns whether charges of a currency have a price; receipts without a price have no currency either.
  func hasPrice(in currency: Symbol) -> Bool { self != .receipts || currency != .blank }

  /// Returns the gap of a lapse as a cell: in whole days, for receipts in hundredths of days.
  func gapCell(_ gap: Int) -> ReportTable.Cell {
    self == .receipts ? .hundredths(gap) : .count(gap)
  }
}

/// The number of paid subscriptions that were active on the last day before each month.
struct Stock {
  private let report: SourceReport
  private let view: ViewTally
  private var atStart: [[Int]] = []
  /// The months after one without files.
  private let unknownMonths: Set<Month>

  init(_ report: SourceReport, _ viewIndex: Int) {
    self.report = report
    view = report.tally.views[viewIndex]
    let days = report.completeness
    let first = min(report.tally.firstPaidMonth ?? days.firstMonth, days.firstMonth)
    unknownMonths = Set(
      (0...max(0, days.lastMonth - first)).map { first + $0 }
        .filter(report.isAfterMonthWithoutFiles))
    guard report.source.isOfChains else { return }
    let grid = view.facts
    atStart = view.index.cohorts.indices.map { cohort in
      var active = 0
      return (0..<grid.monthCount).map { offset in
        let month = grid.firstMonth + offset
        active += grid.count(.becameActive, cohort: cohort, month: month)
        active -= grid.count(.stoppedBeingActive, cohort: cohort, month: month)
        return active
      }
    }
  }

  /// Returns the number on the last day before a month; `nil` if it is unknown.
  ///
  /// Chains have it for every month; events only for a month with a snapshot of exactly that day. It is unknown after a
  /// month without files.
  func before(_ month: Month, cohort: Int) -> Int? {
    if !unknownMonths.isEmpty, unknownMonths.contains(month) { return nil }
    guard report.source.isOfChains else {
      guard view.isInSnapshot, report.tally.snapshotMonths.contains(month) else { return nil }
      return view.facts.count(.snapshotActive, cohort: cohort, month: month)
    }
    let offset = month - view.facts.firstMonth
    guard offset >= 0 else { return 0 }
    return offset < atStart[cohort].count ? atStart[cohort][offset] : nil
  }
}
