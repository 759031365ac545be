import AppStoreReports
import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Folds the data of a run once more for cells of a source, of one cohort in some month.
struct CellFold {
  /// The contributions to some cells: the rows that list them, and the number and sum for each column.
  struct Found {
    var rows: [[ReportTable.Cell]] = []
    var sums: [(count: Int, sum: Int128)] = []
  }

  private let source: Source
  private let result: RunResult
  private let listing: Listing
  private let dimensions: [Dimension]
  private let values: [ExactText]

  init(
    source: Source, result: RunResult, listing: Listing, _ dimensions: [Dimension] = [],
    _ values: [ExactText] = []
  ) {
    (self.source, self.result, self.listing) = (source, result, listing)
    (self.dimensions, self.values) = (dimensions, values)
  }

  /// Returns what cells are made of.
  ///
  /// - Parameters:
  ///   - columns: The columns of the cells, with what the lists call them.
  ///   - month: The month.
  ///   - day: The day up to which rows count; `nil` for all.
  ///   - prepare: Sets what the row has besides, such as its currency.
  /// - Returns: The rows, and the number and sum of each column.
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func contributions(
    to columns: [(label: String, column: AskedRow.Column)], in month: Month,
    knownOn day: Day? = nil, _ prepare: (inout CountedRow, Registries) -> Void
  ) throws -> Found {
    switch source {
    case .receipts:
      return try contributions(to: columns, in: month, result.keptReceipts, knownOn: day, prepare)
    case .subscribers:
      let charges = result.keptCharges
      return try contributions(
        to: columns, in: month, day.map(charges.known) ?? charges, prepare)
    case .events, .sales:
      let context = result.keptContext
      let row = row(month, context.rowFilter, context.registries, prepare)
      let lists = try RowFold.lists(
        row, columns.map(\.column), source, listing, result, context
      ).counted
      let table = RowTable(result, context.registries).table(
        zip(columns, lists).map { ($0.label, $1) })
      return Found(rows: table.table.rows, sums: lists.map { ($0.count, $0.sum) })
    }
  }

  private func contributions(
    to columns: [(label: String, column: AskedRow.Column)], in month: Month,
    _ source: some ExplainedSource, knownOn day: Day? = nil,
    _ prepare: (inout CountedRow, Registries) -> Void
  ) throws -> Found {
    var row = row(month, source.filter, source.registries, prepare)
    row.knownOn = day
    let lists = source.contributions(
      to: row, columns.map(\.column.counted),
      columns.map { ContributionList($0.column.measure, limit: listing.limit, listing.order) },
      named: listing.naming != nil, jobs: result.plan.jobs)
    let table = try ContributionTable(
      result.names, source, listing.naming, month, jobs: result.plan.jobs
    ).table(zip(columns, lists).map { ($0.label, $1) })
    return Found(rows: table.table.rows, sums: lists.map { ($0.count, $0.sum) })
  }

  private func row(
    _ month: Month, _ filter: Filter, _ registries: Registries,
    _ prepare: (inout CountedRow, Registries) -> Void
  ) -> CountedRow {
    let (names, values) = (result.names, values)
    var row = CountedRow(month: month, dimensions: dimensions, filter: filter) {
      $0.map { ExactText($0.text(names)) } == values
    }
    let report = result.sources.first { $0.source == source }
    row.usualTerms = report?.tally.usualTerms ?? UsualTerms()
    prepare(&row, registries)
    return row
  }
}
