package import SubscriptionModel
package import Evidence
package import PriceImpact
import Rendering
import Scanning
import Tables

/// The cell, or the row, of `price_impact.csv` that is to be explained.
package struct ImpactQuestion: Equatable, Sendable {
  /// The name of the table.
  package static let table = PriceTable.impact.rawValue

  /// The source of the row: Subscriber reports or receipts.
  package let source: Source
  /// The chosen columns; `nil` for all columns that can be explained.
  package let chosen: [String]?
  /// The values that choose the row.
  package let conditions: [Question.Condition]
  /// The view that has the row.
  package let view: ImpactView

  /// The sources whose rows can be explained; the first one is meant where none is named.
  package static let sources = [Source.subscribers, .receipts]

  /// The columns that can be explained, in the order of the table.
  package static var names: [String] { ImpactColumn.all.map(\.name) }

  /// The columns that can be explained from a source, in the order of the table.
  package static func columns(from source: Source) -> [String] {
    ImpactColumn.columns(of: source).map(\.name)
  }

  /// Returns whether a text asks for this table, such as `price_impact.reached`.
  package static func isAsked(_ cell: String) -> Bool {
    cell == table || cell.hasPrefix(table + ".")
  }

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - cell: `price_impact`, or `price_impact` with a column.
  ///   - columns: Names of columns, or their beginnings, such as `control`.
  ///   - conditions: Texts such as `country=DE`.
  ///   - sources: The allowed sources of the row; the first from which the cell can be explained is used.
  /// - Throws: ``QuestionError`` for anything that cannot be explained.
  package init(
    _ cell: String, columns: [String] = [], where conditions: [String],
    from sources: [Source] = [.subscribers]
  ) throws(QuestionError) {
    let name = cell == Self.table ? nil : String(cell.dropFirst(Self.table.count + 1))
    let able = Self.sources.filter(sources.contains)
    let known = able.first { source in
      let own = Self.columns(from: source)
      return name.map(own.contains)
        ?? columns.allSatisfy { !ChosenColumns.names($0, among: own).isEmpty }
    }
    let source = known ?? able.first ?? .subscribers
    self.source = source
    if let name { try Self.refuseUnknown(name, source) }
    chosen = try ChosenColumns.read(
      columns, name, of: Self.table, among: Self.columns(from: source))
    var read: [Question.Condition] = []
    for text in conditions {
      let condition = try Self.condition(text)
      guard !read.contains(where: { $0.key == condition.key }) else {
        throw QuestionError("--where \(text): \(condition.key) is given twice; a row has one value")
      }
      read.append(condition)
    }
    self.conditions = read
    let views = read.compactMap { ImpactView(rawValue: $0.key) }
    guard views.count < 2 else {
      throw QuestionError(
        "--where: \(Self.table) has no rows by \(views.map(\.rawValue).joined(separator: " and ")); use one of them"
      )
    }
    view = views.first ?? .whole
  }

  private static func refuseUnknown(
    _ name: String, _ source: Source
  ) throws(QuestionError) {
    let own = columns(from: source)
    guard !own.contains(name) else { return }
    if let other = sources.first(where: { columns(from: $0).contains(name) }) {
      throw QuestionError(
        "explain \(table).\(name): not known from \(source.rawValue); use --source \(other.rawValue)"
      )
    }
    guard PriceTable.impact.allColumns.contains(where: { $0.column.name == name }) else {
      throw QuestionError(
        "explain \(table).\(name): no such column; \(Nearest.advice(name, among: own))")
    }
    throw QuestionError("explain cannot explain \(table).\(name) yet; \(Nearest.choice(own))")
  }

  private static func condition(_ text: String) throws(QuestionError) -> Question.Condition {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.count == 2 else {
      throw QuestionError("--where \(text): write a column and its value, such as country=DE")
    }
    if parts[0] == "source" {
      throw QuestionError("--where \(text): use --source \(parts[1])")
    }
    let keys = ImpactView.allCases.flatMap(\.dimensions) + keys
    guard keys.contains(parts[0]) else {
      throw QuestionError(
        "--where \(text): \(table) has no rows by \(parts[0]); \(Nearest.advice(parts[0], among: keys))"
      )
    }
    return Question.Condition(key: parts[0], value: parts[1])
  }

  /// The columns of every view whose values choose a row, besides the source.
  static let keys = [
    "product", "country", "currency", "plan", "effective", "effective_existing", "old_price",
    "new_price",
  ]
}
