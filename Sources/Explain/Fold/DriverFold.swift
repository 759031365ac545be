import AppStoreReports
import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Folds the data of a run once more for the cells of a row of `drivers`.
struct DriverFold {
  private let driver: Driver
  private let fold: CellFold
  private let dimensions: [Dimension]

  init(_ driver: Driver, _ result: RunResult, _ listing: Listing) {
    self.driver = driver
    let dimensions = driver.split?.dimension.map { [$0] } ?? []
    self.dimensions = dimensions
    let values = dimensions.isEmpty ? [] : [ExactText(driver.value)]
    fold = CellFold(source: driver.source, result: result, listing: listing, dimensions, values)
  }

  /// The file that `report` writes the table of the cells to, such as `churn-by-country.csv`.
  var fileName: String {
    let parts = [driver.headline.table.rawValue] + dimensions.map { "by-\($0.rawValue)" }
    // Its rates are those by the month of the sale, in all currencies.
    let rows = driver.headline == .refundRate ? " of dating sale" : ""
    return parts.joined(separator: "-") + ".csv" + rows
  }

  /// Returns what the cells are made of; each list has a label such as `churned before`: the column and its month.
  func contributions(to cells: DriverCells) throws -> CellFold.Found {
    let columns = cells.columns.map { (label: "\($0.name) \(cells.name)", column: $0) }
    return try fold.contributions(to: columns, in: cells.month, knownOn: cells.day) {
      row, registries in
      if driver.headline.measure.isMoney { row.currency = registries.symbol(of: driver.currency) }
      row.isDatedBySale = driver.headline.table == .refunds
    }
  }
}

/// The cells of a table in one month that a row of `drivers` is made of.
struct DriverCells {
  /// `before` or `after`, the columns of `drivers`; of a movement the month.
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
    guard let name = driver.headline.comparedColumn,
      let makeup = ColumnMakeup.of(name, in: driver.headline.table, from: driver.source),
      let parts = makeup.sum == nil ? makeup.parts : [name]
    else { throw unknownSource(driver) }
    return try cells(
      of: parts, in: [("before", driver.against), ("after", month)], driver, result)
  }

  /// Returns the cells of a movement: its column in each month after the earlier one.
  ///
  /// - Throws: ``QuestionError`` for a source whose amounts cannot be explained, or an error of the tables.
  static func ofMovement(_ driver: Driver, _ result: RunResult) throws -> [DriverCells] {
    let first = min(driver.against, driver.month)
    let months = (1...abs(driver.month - driver.against)).map { first + $0 }
    return try cells(
      of: [driver.value], in: months.map { (result.plan.monthSystem.name($0), $0) }, driver, result)
  }

  private static func cells(
    of parts: [String], in months: [(name: String, month: Month)], _ driver: Driver,
    _ result: RunResult
  ) throws -> [DriverCells] {
    let kind = driver.headline.table
    let dimension = driver.split?.dimension
    guard let view = result.plan.views.firstIndex(of: dimension.map { [$0] } ?? [])
    else { throw unknownSource(driver) }
    let rows = try result.tableMaker().table(kind, view: view).namedRows
    return try months.map { name, month in
      let monthName = result.plan.monthSystem.name(month)
      let row = rows.first { row in
        row.source == driver.source.rawValue && row.text("month") == monthName
          && row.text("currency") == driver.currency
          && ["", "price"].contains(row.text("basis"))
          && dimension.map { row.text($0.rawValue) == driver.value } ?? true
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
      "explain cannot explain \(driver.headline.rawValue) of \(driver.sourceName) yet; use --source to choose another source"
    )
  }
}
