import AppStoreReports
import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Folds the data of a run once more for the cells of a row of `drivers`.
struct DriverFold {
  private let driver: Driver
  private let result: RunResult
  private let listing: Listing
  private let dimensions: [Dimension]

  init(_ driver: Driver, _ result: RunResult, _ listing: Listing) {
    (self.driver, self.result, self.listing) = (driver, result, listing)
    dimensions = driver.dimension.map { [$0] } ?? []
  }

  /// The contributions to some cells: the rows that list them, and the number and sum for each column.
  struct Found {
    var rows: [[ReportTable.Cell]] = []
    var sums: [(count: Int, sum: Int128)] = []
  }

  /// The file that `report` writes the table of the cells to, such as `churn-by-country.csv`.
  var fileName: String {
    let parts = [driver.headline.table.rawValue] + dimensions.map { "by-\($0.rawValue)" }
    // Its rates are those by the month of the sale, in all currencies.
    let rows = driver.headline == .refundRate ? " of dating sale" : ""
    return parts.joined(separator: "-") + ".csv" + rows
  }

  /// Returns what the cells are made of.
  func contributions(to cells: DriverCells) throws -> Found {
    switch driver.source {
    case .receipts: return try contributions(to: cells, result.keptReceipts, knownOn: cells.day)
    case .subscribers:
      let charges = result.keptCharges
      return try contributions(to: cells, cells.day.map(charges.known) ?? charges)
    case .events, .sales:
      let context = result.keptContext
      let row = row(cells.month, context.rowFilter, context.registries)
      let lists = try RowFold.lists(
        row, cells.columns, driver.source, listing, result, context
      ).counted
      let table = RowTable(result, context.registries).table(labelled(cells, lists))
      return Found(rows: table.table.rows, sums: lists.map { ($0.count, $0.sum) })
    }
  }

  private func contributions(
    to cells: DriverCells, _ source: some ExplainedSource, knownOn day: Day? = nil
  ) throws -> Found {
    var row = row(cells.month, source.filter, source.registries)
    row.knownOn = day
    let lists = source.contributions(
      to: row, cells.columns.map(\.counted),
      cells.columns.map { ContributionList($0.measure, limit: listing.limit, listing.order) },
      named: listing.naming != nil, jobs: result.plan.jobs)
    let table = try ContributionTable(
      result.names, source, listing.naming, cells.month, jobs: result.plan.jobs
    ).table(labelled(cells, lists))
    return Found(rows: table.table.rows, sums: lists.map { ($0.count, $0.sum) })
  }

  /// Returns each list with a label such as `churned before`: the column and its month.
  private func labelled<List>(
    _ cells: DriverCells, _ lists: [List]
  ) -> [(column: String, list: List)] {
    zip(cells.columns, lists).map { (column: "\($0.name) \(cells.name)", list: $1) }
  }

  private func row(_ month: Month, _ filter: Filter, _ registries: Registries) -> CountedRow {
    let (names, values) = (result.names, dimensions.isEmpty ? [] : [ExactText(driver.value)])
    var row = CountedRow(month: month, dimensions: dimensions, filter: filter) {
      $0.map { ExactText($0.text(names)) } == values
    }
    if driver.headline == .netProceeds { row.currency = registries.symbol(of: driver.currency) }
    row.isDatedBySale = driver.headline.table == .refunds
    return row
  }
}
