package import Evidence
import Rendering
import Scanning
import Storage
import Tables

/// The counts of a row of `health.csv` that are to be explained.
package struct HealthQuestion: Equatable, Sendable {
  /// The name of the table.
  package static let table = "health"
  /// The columns of counts, each made of rows of one file.
  package static let columns = ["rows_read", "rows_used", "rows_rejected", "rows_ignored"]
  /// The columns that choose a row.
  private static let keys = ["path", "kind", "version", "period", "sha256"]

  /// The chosen columns; `nil` for those of the row that add up to all rows read.
  private let chosen: [String]?
  /// The values that choose the row.
  let conditions: [Question.Condition]

  /// Returns whether a table, or a table and its column, is about health.
  package static func isAsked(_ cell: String) -> Bool {
    cell == table || cell.hasPrefix(table + ".")
  }

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - cell: The table, or the table and its column, such as `health.rows_ignored`.
  ///   - columns: Names of columns, or their beginnings.
  ///   - conditions: Texts such as `path=sales/S_D_80012345_20260105.txt`.
  /// - Throws: ``QuestionError`` for anything that cannot be explained.
  package init(
    _ cell: String, columns: [String] = [], where conditions: [String]
  ) throws(QuestionError) {
    let column = cell == Self.table ? nil : String(cell.dropFirst(Self.table.count + 1))
    if let column, !Self.columns.contains(column) {
      throw QuestionError(
        "explain \(cell): health has no such count; \(Nearest.advice(column, among: Self.columns))")
    }
    chosen = try ChosenColumns.read(columns, column, of: Self.table, among: Self.columns)
    self.conditions = try Question.Condition.read(conditions, of: Self.table, keys: Self.keys)
  }

  /// The columns to list.
  var columns: [String] { chosen ?? Array(Self.columns.dropFirst()) }

  /// Returns the index of the asked row.
  ///
  /// - Parameters:
  ///   - columns: The columns of `health.csv`.
  ///   - rows: Its rows, one after the other.
  /// - Returns: The index.
  /// - Throws: ``QuestionError`` when there is no such row, or several.
  func place(
    _ columns: [ReportTable.Column], _ rows: some Sequence<[ReportTable.Cell]>
  ) throws(QuestionError) -> Int {
    let wanted = conditions.map { condition in
      (place: columns.firstIndex { $0.name == condition.key }, condition: condition)
    }
    var found: [Int] = []
    var values = wanted.map { _ in Set<ExactText>() }
    for (number, row) in rows.enumerated() {
      let texts = wanted.map { $0.place.map { Self.text(row[$0]) } ?? "" }
      for (place, text) in texts.enumerated() { values[place].insert(text) }
      if zip(texts, wanted).allSatisfy({ $0.isSame(as: $1.condition.value) }) {
        found.append(number)
      }
    }
    for (own, values) in zip(wanted, values) where !values.contains(own.condition.value) {
      let (key, value) = (own.condition.key, own.condition.value)
      let advice = Nearest.advice(value, among: values.inOrder, limit: 20)
      throw QuestionError(
        "--where \(key)=\(value): no row of health has this value\(advice.isEmpty ? "" : "; ")\(advice)"
      )
    }
    guard let first = found.first else {
      throw QuestionError("health has no row for \(conditions.words)")
    }
    guard found.count == 1 else {
      let all = Array(rows)
      try Self.refuseWithoutPath(found.map { all[$0] }, columns)
      let forRow = conditions.isEmpty ? "" : " for \(conditions.words)"
      throw QuestionError(
        "health has \(counted(found.count, "row"))\(forRow); choose one with --where path=…, as health.csv has it"
      )
    }
    return first
  }

  /// Refuses rows without a path, because `--where path=` cannot choose one of them.
  private static func refuseWithoutPath(
    _ rows: [[ReportTable.Cell]], _ columns: [ReportTable.Column]
  ) throws(QuestionError) {
    guard let path = columns.firstIndex(where: { $0.name == "path" }), let first = rows.first,
      rows.allSatisfy({ text($0[path]).isEmpty })
    else { return }
    throw QuestionError(withoutCounts(first, columns))
  }

  /// Returns why a row has no counts: its note, and the next step.
  static func withoutCounts(
    _ row: [ReportTable.Cell], _ columns: [ReportTable.Column]
  ) -> String {
    let value = { (name: String) in
      columns.firstIndex { $0.name == name }.map { text(row[$0]) } ?? ""
    }
    let owner = value("path").isEmpty ? "the run" : "the input \(value("path")), which was not read"
    return
      "explain health: this row is about \(owner): \"\(value("note"))\"; it has no rows of a file to list; choose a file with --where path=…, as health.csv has it"
  }

  private static func text(_ cell: ReportTable.Cell) -> String {
    if case .text(let text) = cell { text } else { "" }
  }
}
