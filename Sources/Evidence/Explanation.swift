import AppStoreReports
import Counting
package import Pipeline
import Rendering
package import SubscriptionModel
package import Tables

/// The contributions to the cells of a row, and whether they add up to them.
package struct Explanation: Sendable {
  /// The sum of a column.
  package struct Sum: Equatable, Sendable {
    /// The column.
    package let column: String
    /// The number of contributions.
    package let count: Int
    /// Their sum, an amount in milliunits; for a rank the value at it.
    package let sum: Int128
    /// The number in the table.
    package let expected: Int128
    let measure: Measure
    /// Whether the numbers are hundredths, as the gaps of receipts are.
    var isInHundredths = false

    package init(
      column: String, count: Int, sum: Int128, expected: Int128, measure: Measure,
      isInHundredths: Bool = false
    ) {
      (self.column, self.count, self.sum) = (column, count, sum)
      (self.expected, self.measure, self.isInHundredths) = (expected, measure, isInHundredths)
    }

    package var holds: Bool { sum == expected }

    /// Such as `19 contributions add up to 19`, or `number 2 of 3 values in order is 13`.
    fileprivate var words: String {
      if let percent = measure.percent {
        let place = Statistics.rank(percent: percent, of: count)
        return "number \(place) of \(counted(count, "value")) in order is \(text(sum))"
      }
      let verb = count == 1 ? "adds" : "add"
      return "\(counted(count, "contribution")) \(verb) up to \(text(sum))"
    }

    fileprivate func text(_ number: Int128) -> String {
      isInHundredths ? NumberStyle.hundredths(Int(number)) : measure.text(number)
    }
  }

  /// One row for each contribution.
  package var table: ReportTable { rows.table }
  /// The rows, if they are too many to be kept as texts; otherwise `nil`.
  package var longTable: LongTable? { rows.long }
  let rows: ListedRows
  package let sums: [Sum]
  /// How many periods or refunds of the row each column leaves out; `nil` if they are not listed.
  package let leftOut: [Int]?
  /// The formula of survival, a product, in retention.
  let formula: SurvivalFormula?
  /// A line for each computed number of the question, with the columns that it is computed from; none for sums.
  var computed: [String] = []
  /// The file that `report` writes the explained table to, such as `churn.csv`.
  package let fileName: String

  /// Creates an explanation of a row whose contributions another fold has found.
  ///
  /// - Parameters:
  ///   - table: One row for each contribution.
  ///   - sums: The sum of each column.
  ///   - fileName: The file that `report` writes the explained table to.
  ///   - leftOut: How many rows the table lists that do not count; `nil` if it lists contributions.
  package init(_ table: ReportTable, _ sums: [Sum], fileName: String, leftOut: Int? = nil) {
    (rows, self.sums, self.fileName) = (ListedRows(table), sums, fileName)
    (self.leftOut, formula) = (leftOut.map { [$0] }, nil)
  }

  /// Explains a row of a run's tables.
  ///
  /// - Parameters:
  ///   - question: The question; the run has the view of its dimensions.
  ///   - month: The month of the row.
  ///   - result: The result of a run that has kept its charges.
  ///   - charges: Those charges.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row.
  ///   - order: The order of the contributions to each cell.
  ///   - limit: How many contributions of each column are printed; `nil` for all.
  ///   - leavingOut: Whether to list the periods and refunds of the row that do not count, in place of the
  ///     contributions.
  ///   - mostKept: The most rows that are kept as texts; more are made one after another.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: Question, month: Month, _ result: RunResult, _ charges: KeptCharges,
    naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
    limit: Int? = nil, leavingOut: Bool = false,
    mostKept: Int = ListedRows.mostKept
  ) throws {
    let asked = try AskedRow(question, result, month: month)
    try asked.refuseEmptyNumber()
    try asked.refuseLargestOfRank(order)
    let row = asked.countedRow(
      question, month: month, result.names, charges.filter, charges.registries)
    formula = Self.isOfCurve(question) ? asked.survival : nil
    let lists = charges.contributions(
      to: row, asked.columns.map(\.counted),
      asked.columns.map { ContributionList($0.measure, limit: limit, order) }, named: false,
      jobs: result.plan.jobs)
    sums = zip(asked.columns, lists).map { column, list in
      Sum(
        column: column.name, count: list.count, sum: list.result, expected: column.expected,
        measure: column.measure)
    }
    fileName = asked.fileName
    computed = asked.computed
    let shown =
      leavingOut
      ? charges.leftOut(
        of: row, asked.columns.map(\.counted),
        asked.columns.map { _ in ContributionList(.count, limit: limit, order) }, named: false,
        jobs: result.plan.jobs) : lists
    leftOut = leavingOut ? shown.map(\.count) : nil
    let table = try ExplanationTable(result.names, charges, naming, month).longTable(
      zip(asked.columns.map(\.name), shown).map { ($0, $1) })
    rows = ListedRows(table, mostKept: mostKept)
  }

  /// Whether the question is about survival, or a column that is computed with it.
  static func isOfCurve(_ question: Question) -> Bool {
    question.chosen.map { !Set($0).isDisjoint(with: ["survival", "low", "high"]) } ?? true
  }

  /// A line for each column, such as `19 contributions add up to 19, as churn.csv says`.
  package var lines: [String] {
    computed + sums.map(line) + (formula?.lines(fileName) ?? [])
      + linesOfLeftOut
  }

  /// A line for each column whose contributions do not add up to it, and for a formula that gives another number.
  package var failures: [String] {
    sums.filter { !$0.holds }.map(line) + (formula.map { $0.holds ? [] : $0.lines(fileName) } ?? [])
  }

  private func line(_ sum: Sum) -> String {
    let name = sums.count > 1 ? sum.column + ": " : ""
    return "\(name)\(sum.words), \(sum.holds ? "as" : "but") \(fileName) says"
      + (sum.holds ? "" : " \(sum.text(sum.expected))")
  }

  private var linesOfLeftOut: [String] {
    zip(sums, leftOut ?? []).map { sum, count in
      LeftOutLine.text(count, of: sums.count > 1 ? sum.column : nil)
    }
  }

  /// Whether all columns add up.
  package var holds: Bool { sums.allSatisfy(\.holds) && formula?.holds != false }
}
