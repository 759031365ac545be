package import Evidence
import Scanning
import Settlement
import Tables

/// The row of `reconcile.csv`, or of `reconcile-by-product.csv`, that is to be explained.
package struct BridgeQuestion: Equatable, Sendable {
  /// One of ``columns``; `nil` for several.
  package let column: String?
  /// The chosen ``columns``; `nil` for all that the row has.
  let chosen: [String]?
  /// The values that choose the row, besides its period.
  package let conditions: [Question.Condition]

  /// The name of the table.
  package static let table = "reconcile"
  /// The columns that can be explained.
  package static let columns = ["amount", "count", "low", "high"]
  /// The columns that choose a row.
  private static let keys = ["region", "currency", "product", "step", "line", "cause"]

  /// All cells that can be explained, each once.
  package static var cells: [String] { columns.map { "\(table).\($0)" } }

  /// Returns whether a cell, or a table, is one of settlements.
  package static func isAsked(_ cell: String) -> Bool {
    cell == table || cell.hasPrefix(table + ".")
  }

  /// Whether the row is one of a product.
  var isByProduct: Bool { conditions.contains { $0.key == "product" } }

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - cell: `reconcile`, or a column of it such as `reconcile.amount`.
  ///   - columns: Names of columns, or their beginnings.
  ///   - conditions: Texts such as `line=not_collected`.
  /// - Throws: ``QuestionError`` for anything that cannot be explained.
  package init(
    _ cell: String, columns: [String] = [], where conditions: [String]
  ) throws(QuestionError) {
    let parts = cell.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let named = parts.count > 1 ? try Self.column(String(parts[1])) : nil
    chosen = try ChosenColumns.read(columns, named, of: Self.table, among: Self.columns)
    column = chosen.flatMap { $0.count == 1 ? $0[0] : nil }
    var read: [Question.Condition] = []
    for text in conditions {
      let condition = try Self.condition(text)
      guard !read.contains(where: { $0.key == condition.key }) else {
        throw QuestionError("--where \(text): \(condition.key) is given twice; a row has one value")
      }
      read.append(condition)
    }
    self.conditions = read
  }

  private static func column(_ text: String) throws(QuestionError) -> String {
    if columns.contains(text) { return text }
    let all = ["source", "period"] + keys + Definition.reconcileColumns.map(\.column.name)
    guard all.contains(text) else {
      if Bridge.Line.allCases.contains(where: { $0.name == text }) {
        throw QuestionError(
          "explain \(table).\(text): \(text) is a line, not a column; did you mean \(table).amount --where line=\(text)?"
        )
      }
      throw QuestionError(
        "explain \(table).\(text): no such column; \(Nearest.advice(text, among: columns))")
    }
    throw QuestionError("explain \(table).\(text): this is no number; \(Nearest.choice(columns))")
  }

  private static func condition(_ text: String) throws(QuestionError) -> Question.Condition {
    let condition = try Question.Condition(text)
    switch condition.key {
    case "month", "period":
      throw QuestionError("--where \(text): use --month \(condition.value)")
    case _ where !keys.contains(condition.key):
      throw QuestionError(
        "--where \(text): \(table) has no rows by \(condition.key); \(Nearest.advice(condition.key, among: keys))"
      )
    default: return condition
    }
  }
}
