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
    /// The number in the table; `nil` for an input of formulas that the table does not have.
    package let expected: Int128?
    let measure: Measure
    /// Whether the numbers are hundredths, as the gaps of receipts are.
    var isInHundredths = false
    /// The name of a contribution.
    private let unit: String
    /// Where the expected number is from, such as `the rows up to 2026-08-09 say`; `nil` for the explained table.
    private let whatSays: String?
    /// Sentences about the sum.
    private let details: [Formula]

    package init(
      column: String, count: Int, sum: Int128, expected: Int128?, measure: Measure,
      isInHundredths: Bool = false, unit: String = "contribution", whatSays: String? = nil,
      details: [Formula] = []
    ) {
      (self.column, self.count, self.sum) = (column, count, sum)
      (self.expected, self.measure, self.isInHundredths) = (expected, measure, isInHundredths)
      (self.unit, self.whatSays, self.details) = (unit, whatSays, details)
    }

    package var holds: Bool { expected.map { $0 == sum } ?? true }

    /// Returns such as `19 contributions add up to 19, as churn.csv says`, and the details.
    fileprivate func sentences(_ fileName: String, isNamed: Bool) -> [Formula] {
      let start = isNamed ? "\(column): " : ""
      let end = expected.map {
        ", \(Formula.end(holds, whatSays ?? "\(fileName) says", text($0)))"
      }
      return [Formula("\(start)\(words)\(end ?? "")", holds: holds)]
        + details.map { Formula("\(start)\($0)", holds: $0.holds) }
    }

    /// Such as `19 contributions add up to 19`, or `number 2 of 3 values in order is 13`.
    private var words: String {
      if let percent = measure.percent {
        let place = Statistics.rank(percent: percent, of: count)
        return "number \(place) of \(counted(count, "value")) in order is \(text(sum))"
      }
      return "\(counted(count, unit)) \(count == 1 ? "adds" : "add") up to \(text(sum))"
    }

    private func text(_ number: Int128) -> String {
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
  /// The computed numbers of the question, with the columns that they are computed from; none for sums.
  var computed: [Formula] = []
  /// The formulas of numbers that are computed from the sums.
  let formulas: [Formula]
  /// What else the reader must know.
  package var notes: [String] = []
  /// The file that `report` writes the explained table to, such as `churn.csv`.
  package let fileName: String

  /// Creates an explanation of a row whose contributions another fold has found.
  ///
  /// - Parameters:
  ///   - table: One row for each contribution.
  ///   - sums: The sum of each column.
  ///   - formulas: The formulas of numbers that are computed from them.
  ///   - leftOut: How many rows the table lists that do not count, for each column; `nil` if it lists contributions.
  ///   - notes: What else the reader must know.
  ///   - fileName: The file that `report` writes the explained table to.
  package init(
    _ table: ReportTable, _ sums: [Sum], _ formulas: [Formula] = [], leftOut: [Int]? = nil,
    notes: [String] = [], fileName: String
  ) {
    (rows, self.sums, self.formulas) = (ListedRows(table), sums, formulas)
    (self.leftOut, self.notes, self.fileName) = (leftOut, notes, fileName)
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
    try self.init(
      question, month: month, result, of: charges, naming, order, limit: limit, leavingOut,
      mostKept: mostKept)
  }

  // Explains a row from a source that the run has kept; `ignored` is a run of what this run ignores because of its
  // environment.
  init<Source: ExplainedSource>(
    _ question: Question, month: Month, _ result: RunResult, of source: Source,
    _ naming: CustomerTable.Naming?, _ order: ContributionOrder, limit: Int?, _ leavingOut: Bool,
    ignored: (run: RunResult, source: Source)? = nil, mostKept: Int = ListedRows.mostKept
  ) throws {
    let asked = try AskedRow(question, result, month: month)
    try asked.refuseEmptyNumber()
    try asked.refuseLargestOfRank(order)
    let row = { (run: RunResult, source: Source) in
      asked.countedRow(question, month: month, run.names, source.filter, source.registries)
    }
    let table = { (run: RunResult, source: Source) in
      ContributionTable(run.names, source, naming, month, jobs: run.plan.jobs)
    }
    let columns = asked.columns.map(\.counted)
    formulas = asked.formulas
    let lists = source.contributions(
      to: row(result, source), columns,
      asked.columns.map { ContributionsOfCell($0.measure, limit: limit, order) },
      named: naming != nil, jobs: result.plan.jobs)
    sums = zip(asked.columns, lists).map { column, list in
      Sum(
        column: column.name, count: list.count, sum: list.result, expected: column.expected,
        measure: column.measure,
        isInHundredths: Source.hasGapsInHundredths && column.measure.percent != nil)
    }
    fileName = asked.fileName
    computed = asked.computed
    let empty = asked.columns.map { _ in
      ContributionsOfCell<Source.Customers.Found>(.count, limit: limit, order)
    }
    var shown =
      leavingOut
      ? source.leftOut(
        of: row(result, source), columns, empty, named: naming != nil, jobs: result.plan.jobs)
      : lists
    if let ignored {
      let others = ignored.source.contributions(
        to: row(ignored.run, ignored.source), columns, empty, named: naming != nil,
        leftOutBy: .otherEnvironment, jobs: ignored.run.plan.jobs)
      for (place, list) in others.enumerated() { shown[place].merge(list) }
    }
    leftOut = leavingOut ? shown.map(\.count) : nil
    rows = ListedRows(
      try table(result, source).longTable(
        zip(asked.columns.map(\.name), shown).map { ($0, $1) },
        others: ignored.map { table($0.run, $0.source) }), mostKept: mostKept)
  }

  /// A line for each computed number, sum and formula, such as `19 contributions add up to 19, as churn.csv says`.
  package var lines: [String] { sentences.map(\.description) }

  /// The lines whose number the table does not have.
  package var failures: [String] { sentences.filter { !$0.holds }.map(\.description) }

  private var sentences: [Formula] {
    let hasNames = sums.count > 1
    let ofLeftOut = zip(sums, leftOut ?? []).map { sum, count in
      Formula(leftOut: count, of: hasNames ? sum.column : nil)
    }
    return computed + sums.flatMap { $0.sentences(fileName, isNamed: hasNames) } + formulas
      + ofLeftOut
  }

  /// Whether all columns add up.
  package var holds: Bool { failures.isEmpty }
}
