import AppStoreReports
import Counting
package import Pipeline
import Rendering
package import SubscriptionModel
package import Tables

/// The difference of a cell, or of the cells of a row, between two months or two runs, with its contributions.
package struct ExplainedDifference: Sendable {
  /// The difference of a column.
  package struct Sum: Equatable, Sendable {
    package let column: String
    package let counts: DifferenceCounts
    /// The sum of all differences, printed or not; an amount in milliunits.
    package let sum: Int128
    /// The numbers in the tables of the later side and of the earlier one.
    package let after: Int128
    package let before: Int128
    /// Whether all contributions of each side add up to its number.
    let areSidesWhole: Bool
    let measure: Measure

    /// Whether the list adds up to the difference, and the contributions of each side to its number.
    package var holds: Bool { areSidesWhole && sum == after - before }
  }

  /// One row for each printed contribution that came, went or changed.
  package let table: ReportTable
  package let sums: [Sum]
  /// The computed numbers of both sides, such as `2026-08: survival = 0.718182, computed from at_risk 370, lost 74`.
  private let computed: [String]
  /// What cannot be compared, and the state of the months.
  package let notes: [String]
  /// The file that `report` writes the explained table to, such as `churn.csv`.
  package let fileName: String
  /// The tables with the numbers, such as `churn.csv of both runs`.
  private let whatSays: String
  private let nameAfter: String
  /// The name of the side that it is compared with.
  package let nameBefore: String

  /// Explains the difference between two sides; both runs have the view of the question's dimensions.
  ///
  /// - Throws: ``QuestionError`` when neither side has such a row, when one lacks it and its data do not cover the
  ///   whole month, or when the column is no sum; ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    _ question: Question, _ after: DifferenceSide, _ before: DifferenceSide,
    isOfOtherRun: Bool = false, _ listing: Listing = Listing()
  ) throws {
    let rows = try AskedRow.Pair(question, after: after, before: before)
    let (own, other) = (rows.after, rows.before)
    let compared = try ComparedColumns(question, own, other, after.name, before.name)
    notes = [rows.note].compactMap(\.self) + compared.notes
    computed =
      own.computed.map { "\(after.name): \($0)" } + other.computed.map { "\(before.name): \($0)" }
    fileName = own.fileName
    whatSays = isOfOtherRun ? "\(own.fileName) of both runs" : own.fileName
    (nameAfter, nameBefore) = (after.name, before.name)
    let columns = compared.columns.map(\.after)
    let files = before.filePlaces(in: after.result)
    func empty<Element>() -> [DifferenceList<Element>] {
      columns.map { DifferenceList($0.measure, listing, files: files) }
    }
    func sums<Element>(_ lists: [DifferenceList<Element>]) -> [Sum] {
      zip(compared.columns, lists).map { Sum($0, $1) }
    }
    func compare<Source: ExplainedSource>(
      _ source: Source, _ sourceBefore: Source
    ) throws -> (sums: [Sum], table: ReportTable) {
      let jobs = after.result.plan.jobs
      let side = ComparedSide(
        after, question, own, source, isOfOtherRun: isOfOtherRun, listing.naming)
      let sideBefore = ComparedSide(
        before, question, other, sourceBefore, isOfOtherRun: isOfOtherRun, listing.naming)
      let lists = DifferenceFold.lists(
        side, sideBefore, columns.map(\.counted), empty(), jobs: jobs)
      let table = try DifferenceTable(lists, columns, side, sideBefore, jobs: jobs)
      return (sums(lists), table.table)
    }
    switch question.source {
    case .subscribers:
      (self.sums, table) = try compare(after.result.keptCharges, before.result.keptCharges)
    case .receipts:
      (self.sums, table) = try compare(after.result.keptReceipts, before.result.keptReceipts)
    case .events, .sales:
      let found = RowDifferences(question, columns)
      let lists = try found.lists(after, before, rows, empty())
      (self.sums, table) = (sums(lists), found.table(lists, after, before))
    }
  }

  // MARK: Sentences

  /// What a command prints: the table, the computed numbers, and a line for each column, such as `12 came and 25 went,
  /// together -13, as churn.csv says: 15 (2026-08), 28 (2026-07)`.
  package var explanation: Explanation {
    Explanation(
      ListedRows(table), [],
      computed.map { Formula($0) } + sums.map { Formula(line($0), holds: $0.holds) }, notes: notes,
      fileName: fileName)
  }

  /// The computed numbers, and a line for each column.
  package var lines: [String] { explanation.lines }

  /// Whether all columns add up.
  package var holds: Bool { sums.allSatisfy(\.holds) }

  private func line(_ sum: Sum) -> String {
    let name = sums.count > 1 ? sum.column + ": " : ""
    let numbers =
      "\(sum.measure.text(sum.after)) (\(nameAfter)), \(sum.measure.text(sum.before)) (\(nameBefore))"
    let count = sum.counts.inBoth
    let inBoth =
      count == 0
      ? "" : "; \(NumberStyle.grouped(count)) in both \(count == 1 ? "is" : "are") not listed"
    return
      "\(name)\(sum.counts.words), together \(sum.measure.text(sum.sum)), \(sum.holds ? "as" : "but") \(whatSays) says: \(numbers)\(inBoth)"
  }
}

extension ExplainedDifference.Sum {
  fileprivate init<Element>(_ column: ComparedColumns.Column, _ list: DifferenceList<Element>) {
    (self.column, measure) = (column.after.name, column.after.measure)
    (counts, sum) = (list.counts, list.all.sum)
    (after, before) = (column.after.expected, column.before)
    areSidesWhole = list.after == after && list.before == before
  }
}

/// The columns of a row that both sides have and that are sums.
struct ComparedColumns {
  struct Column: Sendable {
    let after: AskedRow.Column
    let before: Int128
  }

  let columns: [Column]
  private(set) var notes: [String] = []

  /// Finds the columns.
  ///
  /// - Throws: ``QuestionError`` for the question about a column that is no sum.
  init(
    _ question: Question, _ own: AskedRow, _ other: AskedRow, _ name: String, _ nameBefore: String
  ) throws(QuestionError) {
    let numbers = Dictionary(
      other.columns.map { ($0.name, $0.expected) }, uniquingKeysWith: { first, _ in first })
    if question.column != nil,
      let rank = own.columns.first(where: { $0.measure.percent != nil })
    {
      throw QuestionError(
        "--against: \(question.table.rawValue).\(rank.name) is one of the values in order and no sum; explain each side on its own"
      )
    }
    columns = own.columns.compactMap { column in
      guard column.measure.percent == nil, let before = numbers[column.name] else { return nil }
      return Column(after: column, before: before)
    }
    let compared = Set(columns.map(\.after.name))
    let all = own.columns.map(\.name) + other.columns.map(\.name)
    let left = all.enumerated().filter { place, column in
      !compared.contains(column) && all.firstIndex(of: column) == place
    }.map(\.element)
    if !left.isEmpty {
      notes.append(
        "note: not compared, because they are no sums or empty on one side: \(left.joined(separator: ", "))"
      )
    }
    if let state = own.state, let stateBefore = other.state,
      state != "final" || stateBefore != "final"
    {
      notes.append("note: state: \(state) (\(name)), \(stateBefore) (\(nameBefore))")
    }
  }
}

extension Question {
  /// The names of the columns that are explained: the asked one or its parts, or all of the row.
  package var columnNames: [String] { columns.map(\.name) }

  package typealias Number = (column: String, cell: ReportTable.Cell)

  /// Finds the numbers in the tables of a run, which has the view of the question's dimensions.
  ///
  /// - Throws: ``QuestionError`` when there is no such row.
  package func numbers(_ result: RunResult, month: Month) throws -> [Number] {
    try AskedRow(self, result, month: month).columns.map {
      ($0.name, $0.measure.cell($0.expected))
    }
  }
}
