import Evidence
import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
import Scanning
import Storage
package import Tables

/// The rows of a file behind the counts of its row in `health.csv`, and whether they add up to them.
package struct HealthExplanation: ShownExplanation, Sendable {
  /// One row for each row of the file.
  package private(set) var table: ReportTable
  /// A line for each column, such as `3 rows add up to 3, as health.csv says`.
  package private(set) var lines: [String] = []
  /// The lines of columns whose rows do not add up.
  package private(set) var failures: [String] = []

  /// Explains counts of a run.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - columns: The columns of `health.csv`.
  ///   - health: Its rows, one after the other; the first are those of the files of the run, in their order.
  ///   - result: The result of a run that has kept its context.
  ///   - context: That context.
  ///   - limit: How many rows of each column are printed; `nil` for all.
  ///   - leavingOut: Whether to list the other rows of the file instead, which the column does not count.
  /// - Throws: ``QuestionError`` when there is no such row, or the cell is empty; ``KeptCharges/LineError`` for a file
  ///   that cannot be read again.
  package init(
    _ question: HealthQuestion, _ columns: [ReportTable.Column],
    _ health: some Sequence<[ReportTable.Cell]>, _ result: RunResult, _ context: ReadContext,
    limit: Int? = nil, leavingOut: Bool = false
  ) throws {
    let place = try question.place(columns, health)
    guard place < result.files.count,
      let cells = health.enumerated().first(where: { $0.offset == place })?.element
    else {
      let row = health.enumerated().first { $0.offset == place }?.element ?? []
      throw QuestionError(HealthQuestion.withoutCounts(row, columns))
    }
    let report = result.files[place]
    let outcomes = try context.outcomes(ofFileAt: place, result)
    let sentences = RowSentences(report, outcomes, result)
    table = ReportTable(
      name: "explain", dimensions: [], columns: ExplanationTable.columns(hasMoney: false),
      rows: [])
    for name in question.columns {
      let own = outcomes.rows.indices.filter { Self.column(name, counts: outcomes.rows[$0]) }
      let listed =
        leavingOut
        ? outcomes.rows.indices.filter { !Self.column(name, counts: outcomes.rows[$0]) } : own
      let shown = limit.map { listed.prefix($0) } ?? listed[...]
      table.rows += shown.map {
        Self.cells(name, leavingOut ? .missing : .count(1), outcomes.rows[$0], sentences)
      }
      if listed.count > shown.count {
        let more = listed.count - shown.count
        table.rows.append(
          ExplanationTable.restRow(name, leavingOut ? .missing : .count(more), more))
      }
      let cell = columns.firstIndex { $0.name == name }.map { cells[$0] }
      add(name, own.map { outcomes.rows[$0] }, cell ?? .missing, question, report, outcomes)
      if leavingOut {
        let start = question.columns.count > 1 ? name + ": " : ""
        lines.append("\(start)besides, \(counted(listed.count, "row")) of the file")
      }
    }
  }

  /// Returns whether a column counts a row.
  private static func column(_ name: String, counts row: RowOutcomes.Row) -> Bool {
    switch (name, row.outcome) {
    case ("rows_read", _), ("rows_used", .used), ("rows_ignored", .ignored),
      ("rows_rejected", .rejected):
      true
    default: false
    }
  }

  private static func cells(
    _ column: String, _ value: ReportTable.Cell, _ row: RowOutcomes.Row, _ sentences: RowSentences
  ) -> [ReportTable.Cell] {
    let own: [String: ReportTable.Cell] = [
      "column": .text(column), "value": value, "fact": .text(sentences.fact(row)),
      "because": .text(sentences.sentence(row)), "rows": .text(sentences.place(row)),
    ]
    return ExplanationTable.columns(hasMoney: false).map { own[$0.name] ?? .missing }
  }

  // MARK: Sums

  /// Compares the rows of a column with the table, and those of each reason or code with the run.
  private mutating func add(
    _ name: String, _ rows: [RowOutcomes.Row], _ cell: ReportTable.Cell,
    _ question: HealthQuestion, _ report: FileReport, _ outcomes: RowOutcomes
  ) {
    let start = question.columns.count > 1 ? name + ": " : ""
    let verb = rows.count == 1 ? "adds" : "add"
    let sum = "\(start)\(counted(rows.count, "row")) \(verb) up to \(rows.count)"
    if cell == .count(rows.count) {
      lines.append("\(sum), as health.csv says")
    } else {
      failures.append("\(sum), but health.csv says \(CellWords.text(cell))")
    }
    let found = Self.kinds(rows, outcomes)
    let expected =
      name == "rows_ignored"
      ? Dictionary(uniqueKeysWithValues: report.rows.ignored.map { ($0.key.rawValue, $0.value) })
      : Self.codes(report)
    guard name == "rows_ignored" || name == "rows_rejected" else { return }
    if let expected, expected.filter({ $0.value != 0 }) != found {
      failures.append("\(start)\(Self.words(found)), but the run counted \(Self.words(expected))")
    } else if !found.isEmpty {
      lines.append("\(start)\(Self.words(found))")
    }
  }

  /// Returns the number of rows of each reason and code.
  private static func kinds(_ rows: [RowOutcomes.Row], _ outcomes: RowOutcomes) -> [String: Int] {
    rows.reduce(into: [:]) { kinds, row in
      switch row.outcome {
      case .used: break
      case .ignored(let reason): kinds[reason.rawValue, default: 0] += 1
      case .rejected(let number):
        kinds[outcomes.rejects[Int(number)].code.rawValue, default: 0] += 1
      }
    }
  }

  /// Returns the number of rejects of each code; `nil` if the run has not listed all.
  private static func codes(_ report: FileReport) -> [String: Int]? {
    guard report.rejects.count == report.rows.rejected else { return nil }
    return report.rejects.reduce(into: [:]) { $0[$1.code.rawValue, default: 0] += 1 }
  }

  /// Such as `other product types: 3; zero-quantity: 1`.
  private static func words(_ kinds: [String: Int]) -> String {
    let inOrder = kinds.sorted { $0.key.precedes($1.key) }
    return inOrder.map { "\($0.key): \(NumberStyle.grouped($0.value))" }.joined(separator: "; ")
  }
}

/// A cell of a count in words.
enum CellWords {
  /// Returns the number, or `nothing` for an empty cell.
  static func text(_ cell: ReportTable.Cell) -> String {
    if case .count(let count) = cell { NumberStyle.grouped(count) } else { "nothing" }
  }
}
