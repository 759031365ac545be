import AppStoreReports
import Counting
package import Pipeline
import Rendering
import SubscriptionModel
package import Tables

/// The contributions behind a row of `drivers`, its formulas, and whether they give its numbers.
package struct DriverExplanation: ShownExplanation, Sendable {
  /// One row for each contribution to a count or an amount in one of the two months.
  package private(set) var table: ReportTable
  /// A line for each of these counts, and for each number of the row its formula.
  package private(set) var lines: [String] = []
  /// The lines that do not give the number.
  package private(set) var failures: [String] = []
  private let isOfReceipts: Bool

  /// How contributions are listed.
  package struct Listing: Sendable {
    /// How subscriptions are named; `nil` for the place of their first row.
    package var naming: CustomerTable.Naming?
    /// The order of the contributions to each count.
    package var order = ContributionOrder.subscription
    /// How many contributions of each count are printed; `nil` for all.
    package var limit: Int?

    /// Lists all contributions, and names no subscription.
    package init() {}
  }

  /// Explains a row.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - drivers: The rows.
  ///   - maker: The maker of these rows.
  ///   - result: The result of a run that has kept its charges and its context, with the view of the question.
  ///   - listing: How contributions are listed.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: DriverQuestion, _ drivers: Drivers, _ maker: HeadlineMaker, _ result: RunResult,
    _ listing: Listing = Listing()
  ) throws {
    let driver = try question.row(drivers)
    isOfReceipts = driver.source == .receipts
    table = ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: driver.headline == .netProceeds), rows: [])
    if driver.value == HeadlineMaker.notInView {
      add(DriverRest(driver, drivers), question)
      return
    }
    let source = result.sources.first { $0.source == driver.source }
    let isOfChains = driver.source == .subscribers || driver.source == .receipts
    let day = isOfChains ? source.flatMap { maker.dayOfSameAge(driver.against, $0) } : nil
    let cells =
      if let counts = driver.counts {
        try DriverCells.ofRate(driver, counts.own, maker.month, day: day)
      } else {
        try DriverCells.ofAmount(driver, result, maker.month)
      }
    let isAsked = { (name: String) in question.chosen?.contains(name) ?? true }
    // Other columns need both months.
    let isOfMonths = question.chosen?.allSatisfy(["before", "after"].contains) ?? false
    let wanted = cells.filter { !isOfMonths || isAsked($0.name) }
    var sums: [String: [(name: String, sum: Int128)]] = [:]
    let fold = DriverFold(driver, result, listing)
    for cell in wanted {
      let found = try fold.contributions(to: cell)
      table.rows += found.rows
      for (column, (count, sum)) in zip(cell.columns, found.sums) {
        add(cell, column, count, sum, fold.fileName)
        sums[cell.name, default: []].append((column.name, sum))
      }
    }
    let formulas = DriverFormulas(driver, sums)
    if isAsked("low") || isAsked("high"), let inputs = formulas.inputsOfInterval {
      lines.append(inputs)
    }
    for formula in formulas.formulas where isAsked(formula.name) { add(formula) }
    if wanted.count == cells.count, let note = DriverFormulas.noteOnWhole(driver) {
      lines.append(note)
    }
  }

  /// Adds the lines of the row that has what a view leaves out; it has no contributions of its own.
  private mutating func add(_ rest: DriverRest, _ question: DriverQuestion) {
    let isAsked = { (name: String) in question.chosen?.contains(name) ?? true }
    let isOfMonths = question.chosen?.allSatisfy(["before", "after"].contains) ?? false
    var sums: [String: [(name: String, sum: Int128)]] = [:]
    for part in rest.parts where !isOfMonths || isAsked(part.month) {
      if part.rest == part.own { lines.append(part.text) } else { failures.append(part.failure) }
      sums[part.month, default: []].append((part.column, part.rest))
    }
    for formula in DriverFormulas(rest.driver, sums).formulas where isAsked(formula.name) {
      add(formula)
    }
    if !isOfMonths, let note = DriverFormulas.noteOnWhole(rest.driver) { lines.append(note) }
  }

  /// Adds the line of a count or an amount.
  private mutating func add(
    _ cell: DriverCells, _ column: AskedRow.Column, _ count: Int, _ sum: Int128,
    _ fileName: String
  ) {
    let verb = count == 1 ? "adds" : "add"
    let start =
      "\(column.name) \(cell.name): \(counted(count, "contribution")) \(verb) up to \(column.measure.text(sum))"
    let whose = cell.day.map { "the \(isOfReceipts ? "outcomes" : "rows") up to \($0) say" }
    if sum == column.expected {
      lines.append("\(start), as \(whose ?? "\(fileName) says")")
    } else {
      failures.append(
        "\(start), but \(whose ?? "\(fileName) says") \(column.measure.text(column.expected))")
    }
  }

  /// Adds the line of a formula.
  private mutating func add(_ formula: DriverFormulas.Formula) {
    let found = DriverFormulas.text(formula.result)
    let line = "\(formula.name) = \(formula.text) = \(found)"
    if formula.result == formula.expected {
      lines.append("\(line), as drivers.csv says")
    } else {
      failures.append("\(line), but drivers.csv says \(DriverFormulas.text(formula.expected))")
    }
  }
}
