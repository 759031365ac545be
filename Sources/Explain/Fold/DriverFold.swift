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

/// The cells of a table in one month that a row of `drivers` is made of.
struct DriverCells {
  /// `before` or `after`, the columns of `drivers`.
  let name: String
  let month: Month
  /// The day up to which rows count; `nil` for all.
  let day: Day?
  var columns: [AskedRow.Column]

  /// Returns the cells of a rate in each month: a numerator and a denominator.
  ///
  /// On `day` the earlier month was as old as the later one is, which is `month`. The cells of the earlier month are in
  /// two parts if its denominator is that of today.
  ///
  /// - Throws: ``QuestionError`` for a source whose counts cannot be explained.
  static func ofRate(
    _ driver: Driver, _ counts: TwoMonths, _ month: Month, day: Day?
  ) throws(QuestionError) -> [DriverCells] {
    guard let names = driver.headline.ratio else { return [] }
    let (before, after) = (counts.before, counts.after)
    func column(_ name: String, _ number: Int) throws(QuestionError) -> AskedRow.Column {
      try Self.column(name, driver, Int128(number))
    }
    let later = DriverCells(
      name: "after", month: month, day: nil,
      columns: [
        try column(names.numerator, after.numerator),
        try column(names.denominator, after.denominator),
      ])
    var earlier = DriverCells(
      name: "before", month: driver.against, day: day,
      columns: [try column(names.numerator, before.numerator)])
    let denominator = try column(names.denominator, before.denominator)
    if day == nil || driver.headline.hasDenominatorOfAge {
      earlier.columns.append(denominator)
      return [earlier, later]
    }
    let today = DriverCells(
      name: "before", month: driver.against, day: nil, columns: [denominator])
    return [earlier, today, later]
  }

  /// Returns the cells of a count or an amount: its parts in each month, of which `month` is the later one.
  ///
  /// - Throws: ``QuestionError`` for a source whose amounts cannot be explained, or an error of the tables.
  static func ofAmount(
    _ driver: Driver, _ result: RunResult, _ month: Month
  ) throws -> [DriverCells] {
    let kind = driver.headline.table
    guard let name = driver.headline.comparedColumn,
      let makeup = ColumnMakeup.of(name, in: kind, from: driver.source),
      let parts = makeup.sum == nil ? makeup.parts : [name],
      let view = result.plan.views.firstIndex(of: driver.dimension.map { [$0] } ?? [])
    else { throw unknownSource(driver) }
    let rows = try result.tableMaker().table(kind, view: view).namedRows
    return try [("before", driver.against), ("after", month)].map { name, month in
      let monthName = result.plan.monthSystem.name(month)
      let row = rows.first { row in
        row.source == driver.source.rawValue && row.text("month") == monthName
          && row.text("currency") == driver.currency
          && driver.dimension.map { row.text($0.rawValue) == driver.value } ?? true
      }
      return DriverCells(
        name: name, month: month, day: nil,
        columns: try parts.map { part in
          // A month without a row counts nothing.
          let column = try Self.column(part, driver, 0)
          let number = row.flatMap { column.measure.number($0.cell(part)) }
          return try number.map { try Self.column(part, driver, $0) } ?? column
        })
    }
  }

  private static func column(
    _ name: String, _ driver: Driver, _ expected: Int128
  ) throws(QuestionError) -> AskedRow.Column {
    let makeup = ColumnMakeup.of(name, in: driver.headline.table, from: driver.source)
    guard let (counted, measure) = makeup?.sum else { throw unknownSource(driver) }
    return AskedRow.Column(name: name, counted: counted, measure: measure, expected: expected)
  }

  private static func unknownSource(_ driver: Driver) -> QuestionError {
    QuestionError(
      "explain cannot explain \(driver.headline.rawValue) of \(driver.source.rawValue) yet; use --source to choose another source"
    )
  }
}
