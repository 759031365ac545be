import Rendering
import Scanning
package import SubscriptionModel
package import Tables

/// The questions that `explain` answers about a table: its columns, and the keys that choose a row.
package struct ExplainedTable: Sendable {
  package let name: String
  /// The table of facts; `nil` for a table whose rows have another form.
  package private(set) var kind: TableKind?
  /// The sources of the rows; the first one is meant where none is named.
  package let sources: [Source]
  /// Returns the columns that can be explained from a source, or from any, in the order of the table.
  package let columns: @Sendable (Source?) -> [String]
  /// Returns why a column that no source explains is refused.
  let refusal: @Sendable (_ column: String, _ source: Source) -> String
  /// The keys that `--where` takes.
  package let keys: [String]
  /// The keys that have an option of their own.
  let options: [(key: String, option: String)]
  /// A condition, for messages.
  let example: String
  /// Whether messages list values in the order of the table; otherwise they are sorted.
  let listsInOrder: Bool
  /// Refuses conditions that choose no row together.
  let check: @Sendable (Question) throws(QuestionError) -> Void

  /// Describes a table.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - sources: The sources of the rows.
  ///   - columns: Returns the columns that can be explained from a source, or from any.
  ///   - refusal: Returns why a column that no source explains is refused.
  ///   - keys: The keys that `--where` takes.
  ///   - options: The keys that have an option of their own.
  ///   - example: A condition, for messages.
  ///   - listsInOrder: Whether messages list values in the order of the table; otherwise they are sorted.
  ///   - check: Refuses conditions that choose no row together.
  package init(
    _ name: String, from sources: [Source] = [.subscribers],
    columns: @escaping @Sendable (Source?) -> [String],
    refusal: @escaping @Sendable (_ column: String, _ source: Source) -> String, keys: [String],
    options: [(key: String, option: String)] = [], example: String = "country=DE",
    listsInOrder: Bool = false,
    check: @escaping @Sendable (Question) throws(QuestionError) -> Void = { _ in }
  ) {
    (self.name, self.sources, self.columns, self.refusal) = (name, sources, columns, refusal)
    (self.keys, self.options, self.example) = (keys, options, example)
    (self.listsInOrder, self.check) = (listsInOrder, check)
  }

  /// Describes a table of facts.
  package init(_ kind: TableKind) {
    let definition = Definition.definition(of: kind)
    let (leading, trailing) = definition.keys
    let options = [(key: "month", option: "--month"), (key: "source", option: "--source")]
    let own = (leading + trailing).filter { key in !options.contains { $0.key == key } }
    let names = definition.columns.map(\.column.name)
    self.init(
      kind.rawValue,
      from: Question.sources.filter { ColumnMakeup.tables(from: $0).contains(kind) },
      columns: { source in
        guard let source else {
          return names.filter { name in
            Question.sources.contains { ColumnMakeup.of(name, in: kind, from: $0) != nil }
          }
        }
        return ColumnMakeup.names(in: kind, from: source)
      },
      refusal: { column, source in
        let able = ColumnMakeup.names(in: kind, from: source)
        return names.contains(column)
          ? "explain cannot explain \(kind.rawValue).\(column)\(Question.ofSources([source])) yet; \(Nearest.choice(able))"
          : "explain \(kind.rawValue).\(column): no such column; \(Nearest.advice(column, among: able))"
      },
      keys: own + (kind == .retention ? ["k"] : []) + Dimension.allCases.map(\.rawValue),
      options: options)
    self.kind = kind
  }

  /// The cells that can be explained, such as `health.rows_used`, each once.
  package var cells: [String] { columns(nil).map { "\(name).\($0)" } }

  /// Returns whether a text is this table, or a column of it.
  package func isAsked(_ cell: String) -> Bool { cell == name || cell.hasPrefix(name + ".") }

  /// Refuses a column that cannot be explained from a source.
  func refuseUnknown(_ column: String, from source: Source) throws(QuestionError) {
    guard !columns(source).contains(column) else { return }
    if let other = sources.first(where: { columns($0).contains(column) }) {
      throw QuestionError(
        "explain \(name).\(column): not known from \(source.rawValue); use --source \(other.rawValue)"
      )
    }
    throw QuestionError(refusal(column, source))
  }

  /// Reads the values of `--where`.
  ///
  /// - Parameters:
  ///   - texts: Texts such as `country=DE`.
  ///   - source: The source of the row.
  /// - Returns: The conditions.
  /// - Throws: ``QuestionError`` for a text without a value, an unknown column, or a column named twice.
  func conditions(
    _ texts: [String], from source: Source
  ) throws(QuestionError) -> [Question.Condition] {
    var conditions: [Question.Condition] = []
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2 else {
        throw QuestionError("--where \(text): write a column and its value, such as \(example)")
      }
      let condition = Question.Condition(key: parts[0], value: parts[1])
      if let option = options.first(where: { $0.key == condition.key })?.option {
        throw QuestionError("--where \(text): use \(option) \(condition.value)")
      }
      guard keys.contains(condition.key) else {
        throw QuestionError(
          "--where \(text): \(name) has no rows by \(condition.key); \(Nearest.advice(condition.key, among: keys))"
        )
      }
      guard !conditions.contains(where: { $0.key == condition.key }) else {
        throw QuestionError("--where \(text): \(condition.key) is given twice; a row has one value")
      }
      if let dimension = Dimension(rawValue: condition.key),
        !source.dimensions.contains(dimension)
      {
        let able = sources.filter { $0.dimensions.contains(dimension) }
        let advice =
          able.isEmpty ? "" : "; \(Nearest.choice(able.map { "--source \($0.rawValue)" }))"
        throw QuestionError(
          "--where \(text): \(source.rawValue) have no \(condition.key)\(advice)")
      }
      conditions.append(condition)
    }
    return conditions
  }
}

extension ExplainedTable {
  /// The tables whose rows have another form than those of facts.
  package static let others = [priceImpact, reconcile, drivers, health]
}
