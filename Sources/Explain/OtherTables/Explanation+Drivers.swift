import AppStoreReports
import Counting
package import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel
package import Tables

extension Explanation {
  /// Explains a row of `drivers`: the contributions to each count or amount in the two months, and the formulas.
  ///
  /// The run has kept its charges and its context, with the view of the question; `maker` has made the rows.
  ///
  /// - Throws: ``QuestionError`` without such a row, ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    _ question: Question, _ drivers: Drivers, _ maker: HeadlineMaker, _ result: RunResult,
    _ listing: Listing = Listing()
  ) throws {
    let driver = try question.driver(among: drivers.rows)
    var table = ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: driver.headline.measure.isMoney), rows: [])
    if driver.value == HeadlineMaker.notInView {
      self.init(
        ListedRows(table), [], DriverRest(driver, drivers).formulas(question),
        fileName: DriverFormulas.fileName)
      return
    }
    let day =
      driver.source.isOfChains
      ? result.sources.first { $0.source == driver.source }.flatMap {
        maker.dayOfSameAge(driver.against, as: driver.month, $0)
      } : nil
    let cells =
      if driver.split == .movement {
        try DriverCells.ofMovement(driver, result)
      } else if let counts = driver.counts {
        try DriverCells.ofRate(driver, counts.own, driver.month, day: day)
      } else {
        try DriverCells.ofAmount(driver, result, driver.month)
      }
    let wanted = cells.filter { !question.isOfMonths || question.asks(for: $0.name) }
    let fold = CellFold(source: driver.source, result: result, listing: listing)
    let rows = driver.source == .receipts ? "outcomes" : "rows"
    var ofMonths: DriverFormulas.Sums = [:]
    var sums: [Sum] = []
    for cell in wanted {
      let columns = cell.columns.map { column in
        var column = column
        column.name += " \(cell.name)"
        return column
      }
      let found = try fold.contributions(to: columns, in: cell.month, knownOn: cell.day) {
        driver.countedRow(cell.month, $0, $1, $2)
      }
      table.rows += found.table.table.rows
      let whatSays = cell.day.map { "the \(rows) up to \($0) say" } ?? "\(driver.fileOfCells) says"
      for (place, (column, found)) in zip(columns, found.sums).enumerated() {
        sums.append(
          Sum(
            column: column.name, count: found.count, sum: found.sum, expected: column.expected,
            measure: column.measure, whatSays: whatSays))
        ofMonths[cell.name, default: []].append((cell.columns[place].name, found.sum))
      }
    }
    let formulas = DriverFormulas(driver, ofMonths)
    let hasBounds = question.asks(for: "low") || question.asks(for: "high")
    let isWhole = wanted.count == cells.count
    self.init(
      ListedRows(table), sums,
      (hasBounds ? formulas.inputsOfInterval : []) + formulas.asked(question)
        + (isWhole ? formulas.ofWhole : []),
      fileName: DriverFormulas.fileName)
  }
}

extension Driver {
  /// The file that `report` writes the table of the cells to, such as `churn-by-country.csv`.
  fileprivate var fileOfCells: String {
    let parts = [headline.table.rawValue] + (split?.dimension.map { ["by-\($0.rawValue)"] } ?? [])
    // Its rates are those by the month of the sale, in all currencies.
    let rows = headline == .refundRate ? " of dating sale" : ""
    return parts.joined(separator: "-") + ".csv" + rows
  }

  /// Returns the row of the cells in a month.
  fileprivate func countedRow(
    _ month: Month, _ result: RunResult, _ filter: Filter, _ registries: Registries
  ) -> CountedRow {
    let values = split?.dimension.map { [($0, value)] } ?? []
    var row = CountedRow(month, values, filter, of: source, result)
    if headline.measure.isMoney { row.currency = registries.symbol(of: currency) }
    row.isDatedBySale = headline.table == .refunds
    return row
  }
}

extension DriverRest {
  /// The lines of the row, which has no contributions of its own.
  fileprivate func formulas(_ question: Question) -> [Formula] {
    var sums: DriverFormulas.Sums = [:]
    var own: [Formula] = []
    for part in parts where !question.isOfMonths || question.asks(for: part.month) {
      own.append(part.formula)
      sums[part.month, default: []].append((part.column, part.rest))
    }
    let formulas = DriverFormulas(driver, sums)
    return own + formulas.asked(question) + (question.isOfMonths ? [] : formulas.ofWhole)
  }
}

/// A question about `drivers`.
extension Question {
  /// What splits the change; `nil` for the whole.
  package var splitOfDrivers: DriverSplit? {
    value(of: "dimension").flatMap(DriverSplit.init(rawValue:))
  }

  /// Whether it names only numbers of the two months; other columns need both months.
  var isOfMonths: Bool { chosen?.allSatisfy(["before", "after"].contains) ?? false }

  /// Refuses conditions that name no number, or a value without its dimension.
  func refuseOtherDrivers() throws(QuestionError) {
    let measures = Headline.driven.map(\.rawValue)
    guard let measure = value(of: "measure") else {
      throw QuestionError(
        "explain \(cell): name the number that changed with \(Nearest.condition("measure", measures))"
      )
    }
    if !measures.contains(measure) {
      throw QuestionError(
        "--where measure=\(measure): no such number; \(Nearest.advice(measure, among: measures))")
    }
    guard splitOfDrivers == nil else { return }
    if let name = value(of: "dimension"), !name.isEmpty {
      let advice = Nearest.advice(name, among: DriverSplit.names)
      throw QuestionError("--where dimension=\(name): no such dimension; \(advice)")
    }
    if let value = value(of: "value"), !value.isEmpty {
      throw QuestionError(
        "--where value=\(value): name its dimension too, such as --where dimension=country")
    }
  }

  /// Returns the asked row; throws when there is no such row, several, or the cell is empty.
  func driver(among rows: [Driver]) throws(QuestionError) -> Driver {
    let ofMeasure = rows.filter { row in
      row.split == splitOfDrivers && has(only: ["table", "measure"], row.text)
    }
    let found = ofMeasure.filter { has(only: ["currency", "value"], $0.text) }
    let words = conditions.filter { $0.key != "dimension" || !$0.value.isEmpty }.words
    guard let row = found.first else {
      let values = Set<ExactText>(of: ofMeasure.map(\.value).filter { !$0.isEmpty }).inOrder
      let advice = value(of: "value").map { Nearest.advice($0, among: values, limit: 20) } ?? ""
      throw QuestionError("drivers has no row for \(words)\(advice.isEmpty ? "" : "; ")\(advice)")
    }
    guard found.count == 1 else {
      throw QuestionError(
        "drivers has \(counted(found.count, "row")) for \(words); choose one with \(choice(found))"
      )
    }
    if let chosen, chosen.allSatisfy({ row.cell($0) == .missing }) {
      let names = chosen.map { "drivers.\($0)" }.joined(separator: " and ")
      throw QuestionError(
        "\(names) \(chosen.count == 1 ? "is" : "are") empty in this row, so there is nothing to explain"
      )
    }
    return row
  }

  /// Returns the options that choose one of several rows, such as `--where value=… (DE, US)`.
  private func choice(_ rows: [Driver]) -> String {
    let sources = Set(rows.map(\.source)).sorted().map { "--source \($0.rawValue)" }
    let bySource = sources.count > 1 ? [sources.joined(separator: " or ")] : []
    let byValue = choice(of: rows, by: ["currency", "value"]) { $0.text($1) }
    return (bySource + [byValue].filter { !$0.isEmpty }).joined(separator: " and ")
  }
}

extension Driver {
  /// Returns the text of a column that chooses a row.
  fileprivate func text(_ key: String) -> String? {
    switch key {
    case "table": headline.table.rawValue
    case "measure": headline.rawValue
    case "currency": currency
    case "value": value
    default: nil
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
    let today = DriverCells(name: "before", month: driver.against, day: nil, columns: [denominator])
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
    return try cells(of: parts, in: [("before", driver.against), ("after", month)], driver, result)
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
        row.source == driver.sourceName && row.text("month") == monthName
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
