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
  /// The state of the row, such as `final`; `nil` in tables without states.
  package private(set) var state: String?
  /// What else the reader must know.
  package var notes: [String] = []
  /// The file that `report` writes the explained table to, such as `churn.csv`.
  package let fileName: String

  /// Creates an explanation of a row whose contributions another fold has found.
  ///
  /// - Parameters:
  ///   - rows: One row for each contribution.
  ///   - sums: The sum of each column.
  ///   - formulas: The formulas of numbers that are computed from them.
  ///   - leftOut: How many rows the table lists that do not count, for each column; `nil` if it lists contributions.
  ///   - notes: What else the reader must know.
  ///   - fileName: The file that `report` writes the explained table to.
  init(
    _ rows: ListedRows, _ sums: [Sum], _ formulas: [Formula] = [], leftOut: [Int]? = nil,
    notes: [String] = [], fileName: String
  ) {
    (self.rows, self.sums, self.formulas) = (rows, sums, formulas)
    (self.leftOut, self.notes, self.fileName) = (leftOut, notes, fileName)
  }

  /// Explains a row of a run's tables.
  ///
  /// - Parameters:
  ///   - question: The question; the run has the view of its dimensions.
  ///   - month: The month of the row.
  ///   - result: The result of a run that has kept its charges, its receipts, or for events and sales its context.
  ///   - listing: How contributions are listed.
  ///   - ignored: The result of a run of the receipts that this run ignores because of their environment; its
  ///     contributions to the row are left out of this one's. It has kept its receipts.
  ///   - mostKept: The most rows that are kept as texts; more are made one after another.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: Question, month: Month, _ result: RunResult, _ listing: Listing = Listing(),
    ignored: RunResult? = nil, mostKept: Int = ListedRows.mostKept
  ) throws {
    let asked = try AskedRow(question, result, month: month)
    try asked.refuseEmptyNumber()
    let table: LongTable
    switch question.source {
    case .subscribers:
      let row = CellsOfRow(question, asked, month, result.keptCharges, result)
      (table, sums, leftOut) = try row.listed(listing)
    case .receipts:
      let row = CellsOfRow(question, asked, month, result.keptReceipts, result)
      (table, sums, leftOut) = try row.listed(
        listing, besides: ignored.map { CellsOfRow(question, asked, month, $0.keptReceipts, $0) })
    case .events, .sales:
      let context = result.keptContext
      let row = asked.countedRow(
        question, month: month, result, context.rowFilter, context.registries)
      let lists = try RowFold.lists(
        row, asked.columns, question.source, listing, result, context)
      sums = zip(asked.columns, lists.counted).map { Sum($0, $1) }
      leftOut = lists.leftOut?.map(\.count)
      table = RowTable(result, context.registries).table(
        zip(asked.columns, lists.shown).map { ($0.name, $1) })
    }
    (rows, fileName) = (ListedRows(table, mostKept: mostKept), asked.fileName)
    (computed, formulas, state) = (asked.computed, asked.formulas, asked.state)
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

extension Explanation.Sum {
  fileprivate init<Element>(
    _ column: AskedRow.Column, _ list: ContributionList<Element>, isInHundredths: Bool = false
  ) {
    self.init(
      column: column.name, count: list.count, sum: list.result, expected: column.expected,
      measure: column.measure, isInHundredths: isInHundredths)
  }
}

/// The cells of a row that are explained from a source that the run has kept.
private struct CellsOfRow<Source: ExplainedSource> {
  private let asked: AskedRow
  private let month: Month
  private let source: Source
  private let result: RunResult
  private let row: CountedRow

  init(
    _ question: Question, _ asked: AskedRow, _ month: Month, _ source: Source,
    _ result: RunResult
  ) {
    (self.asked, self.month, self.source, self.result) = (asked, month, source, result)
    row = asked.countedRow(
      question, month: month, result, source.filter, source.registries)
  }

  /// Returns the table of the contributions, or of what the cells leave out, with that of another environment.
  func listed(
    _ listing: Listing, besides other: CellsOfRow? = nil
  ) throws -> (LongTable, [Explanation.Sum], leftOut: [Int]?) {
    try asked.refuseLargestOfRank(listing.order)
    let columns = asked.columns.map(\.counted)
    let (isNamed, jobs) = (listing.naming != nil, result.plan.jobs)
    let empty = { (measure: Measure) in
      ContributionList<Contribution<Source>>(measure, limit: listing.limit, listing.order)
    }
    let lists = source.contributions(
      to: row, columns, asked.columns.map { empty($0.measure) }, named: isNamed, jobs: jobs)
    let sums = zip(asked.columns, lists).map { column, list in
      Explanation.Sum(
        column, list,
        isInHundredths: Source.hasGapsInHundredths && column.measure.percent != nil)
    }
    let none = columns.map { _ in empty(.count) }
    var shown =
      listing.leavingOut
      ? source.leftOut(of: row, columns, none, named: isNamed, jobs: jobs) : lists
    if let other {
      shown.merge(
        other.source.contributions(
          to: other.row, columns, none, named: isNamed, leftOutBy: .otherEnvironment, jobs: jobs))
    }
    let table = try table(listing).table(
      zip(asked.columns, shown).map { ($0.name, $1) }, others: other?.table(listing))
    return (table, sums, listing.leavingOut ? shown.map(\.count) : nil)
  }

  private func table(_ listing: Listing) -> ContributionTable<Source> {
    ContributionTable(result.names, source, listing.naming, month, jobs: result.plan.jobs)
  }
}

extension RunResult {
  /// The charges that a run has kept.
  var keptCharges: KeptCharges {
    guard let charges else { preconditionFailure("the run has kept its charges") }
    return charges
  }

  /// The receipts that a run has kept.
  var keptReceipts: KeptReceipts {
    guard let receipts else { preconditionFailure("the run has kept its receipts") }
    return receipts
  }

  /// What a run was read with, which it has kept.
  var keptContext: ReadContext {
    guard let context else { preconditionFailure("the run has kept its context") }
    return context
  }
}
