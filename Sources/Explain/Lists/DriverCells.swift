import Counting
import Pipeline
import SubscriptionModel
import Tables

/// The cells of a table in one month that a row of `drivers` is made of.
struct DriverCells {
  /// `before` or `after`, the columns of `drivers`.
  let name: String
  let month: Month
  /// The day up to which rows count; `nil` for all.
  let day: Day?
  var columns: [AskedRow.Column]

  /// Returns the cells of a rate: a numerator and a denominator in each month.
  ///
  /// - Parameters:
  ///   - driver: A row of a rate.
  ///   - counts: The counts of the row.
  ///   - month: The later month.
  ///   - day: The day on which the earlier month was as old as the later one is; `nil` for as-of.
  /// - Returns: The cells; those of the earlier month in two parts if its denominator is that of today.
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

  /// Returns the cells of a count or an amount: its parts in each month.
  ///
  /// - Parameters:
  ///   - driver: A row of a count or an amount.
  ///   - result: The run, with the view of the row.
  ///   - month: The later month.
  /// - Returns: The cells.
  /// - Throws: ``QuestionError`` for a source whose amounts cannot be explained, or an error of the tables.
  static func ofAmount(
    _ driver: Driver, _ result: RunResult, _ month: Month
  ) throws -> [DriverCells] {
    let kind = driver.headline.table
    guard let name = driver.headline.comparedColumn,
      let makeup = ColumnMakeup.of(name, in: kind, from: driver.source), case .ofSums = makeup.kind,
      let parts = makeup.parts,
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
