import PriceImpact
import Scanning
import Settlement
package import SubscriptionModel
package import Tables

/// The questions that `explain` answers about a table: its columns, and the keys that choose a row.
package struct ExplainedTable: Sendable {
  package let name: String
  /// The table of facts; `nil` for a table whose rows have another form.
  package internal(set) var kind: TableKind?
  /// The sources of the rows; the first one is meant where none is named.
  package internal(set) var sources: [Source] = [.subscribers]
  let names: [String]
  /// Returns the columns that can be explained from a source; all, where the table says nothing else.
  var explained: @Sendable (Source) -> [String]? = { _ in nil }
  /// Why a column that the table lacks is refused.
  var noColumn = "no such column"
  /// Returns a better reason for some words.
  var hint: @Sendable (_ column: String) -> String? = { _ in nil }
  /// The keys that `--where` takes.
  package let keys: [String]
  /// The keys that have an option of their own.
  var options: [(key: String, option: String)] = []
  /// A condition, for messages.
  var example = "country=DE"
  /// Whether messages list values in the order of the table; otherwise they are sorted.
  var listsInOrder = false
  /// Refuses conditions that choose no row together.
  var check: @Sendable (Question) throws(QuestionError) -> Void = { _ in }

  /// The columns that can be explained from a source, or from any, in the order of the table.
  package func columns(_ source: Source?) -> [String] {
    let all = (source.map { [$0] } ?? sources).map { explained($0) ?? names }
    return all.count == 1 ? all[0] : names.filter { name in all.contains { $0.contains(name) } }
  }

  /// The cells that can be explained, such as `health.rows_used`, each once.
  package var cells: [String] { columns(nil).map { "\(name).\($0)" } }

  /// Returns whether a text is this table, or a column of it.
  package func isAsked(_ cell: String) -> Bool { cell == name || cell.hasPrefix(name + ".") }

  /// Refuses a column that cannot be explained from a source.
  func refuseUnknown(_ column: String, from source: Source) throws(QuestionError) {
    let (cell, able) = ("\(name).\(column)", columns(source))
    guard !able.contains(column) else { return }
    if let other = sources.first(where: { columns($0).contains(column) }) {
      throw QuestionError(
        "explain \(cell): not known from \(source.rawValue); use --source \(other.rawValue)")
    }
    if let reason = hint(column) { throw QuestionError("explain \(cell): \(reason)") }
    guard names.contains(column) else {
      throw QuestionError("explain \(cell): \(noColumn); \(Nearest.advice(column, among: able))")
    }
    let ofSource = kind == nil ? "" : Question.ofSources([source])
    throw QuestionError("explain cannot explain \(cell)\(ofSource) yet; \(Nearest.choice(able))")
  }

  /// Reads the values of `--where`, such as `country=DE`.
  ///
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
        throw QuestionError("--where \(text): \(source.rawValue) have no \(condition.key)\(advice)")
      }
      conditions.append(condition)
    }
    return conditions
  }
}

// MARK: The tables

extension ExplainedTable {
  /// Describes a table of facts.
  package init(_ kind: TableKind) {
    let definition = Definition.definition(of: kind)
    let (leading, trailing) = definition.keys
    let options = [(key: "month", option: "--month"), (key: "source", option: "--source")]
    let own = (leading + trailing).filter { key in !options.contains { $0.key == key } }
    self.init(
      name: kind.rawValue, kind: kind,
      sources: Question.sources.filter { !ColumnMakeup.names(in: kind, from: $0).isEmpty },
      names: definition.columns.map(\.column.name),
      explained: { ColumnMakeup.names(in: kind, from: $0) },
      hint: { Self.converted($0, definition) },
      keys: (own + (kind == .retention ? ["k"] : kind == .lifetime ? ["months"] : [])).unique
        + Dimension.allCases.map(\.rawValue),
      options: options)
  }

  /// Returns what to explain in place of a column that `--currency` adds, such as `mrr_USD`; `nil` for any other word.
  private static func converted(_ text: String, _ definition: Definition) -> String? {
    let (name, code) = (text.dropLast(4), text.suffix(4))
    guard code.first == "_", code.dropFirst().allSatisfy(\.isUppercase),
      definition.columns.contains(where: { $0.column.name == name && $0.column.kind == .money })
    else { return nil }
    return
      "it is converted from the amounts of \(name); explain \(definition.table.rawValue).\(name)"
  }

  /// The tables whose rows have another form than those of facts.
  package static let others = [priceImpact, reconcile, drivers, definitions, health]

  /// The renewals at which subscriptions met a price increase.
  package static let priceImpact = ExplainedTable(
    name: PriceTable.impact.rawValue, sources: [.subscribers, .receipts],
    names: PriceTable.impact.allColumns.map(\.column.name),
    explained: { ImpactColumn.columns(of: $0).map(\.name) },
    keys: ImpactView.allCases.flatMap(\.dimensions) + AskedImpact.keys,
    options: [("source", "--source")],
    check: { question throws(QuestionError) in
      let views = question.views.map(\.rawValue)
      guard views.count > 1 else { return }
      throw QuestionError(
        "--where: \(question.about.name) has no rows by \(views.joined(separator: " and ")); use one of them"
      )
    })

  /// The rows of SALES, finance and payments files behind a line of a settlement.
  package static let reconcile: ExplainedTable = {
    let (name, columns) = ("reconcile", ["amount", "count", "low", "high"])
    let keys = ["region", "currency", "product", "step", "line", "cause"]
    let all = ["source", "period"] + keys + Definition.reconcileColumns.map(\.column.name)
    return ExplainedTable(
      name: name, names: columns,
      hint: { column in
        if all.contains(column) { return "this is no number; \(Nearest.choice(columns))" }
        return Bridge.Line.allCases.contains { $0.name == column }
          ? "\(column) is a line, not a column; did you mean \(name).amount --where line=\(column)?"
          : nil
      },
      keys: keys, options: [("month", "--month"), ("period", "--month")], listsInOrder: true)
  }()

  /// What a product, country, offer or start month adds to a change.
  package static let drivers = ExplainedTable(
    name: HeadlineTable.drivers.rawValue, names: Driver.columns,
    noColumn: "drivers has no such number",
    keys: ["table", "measure", "currency", "dimension", "value"], example: "table=…",
    check: { question throws(QuestionError) in try question.refuseOtherDrivers() })

  /// What a tool's definition of a number takes in or out.
  package static let definitions = ExplainedTable(
    name: TableKind.definitions.rawValue, sources: [.subscribers, .receipts, .events],
    names: ["numerator", "denominator", "value", "change"],
    keys: ["measure", "tool", "axis", "currency"],
    options: [(key: "month", option: "--month"), (key: "source", option: "--source")],
    example: "measure=churn_rate", listsInOrder: true)

  /// The rows of a file that were used, ignored or rejected.
  package static let health = ExplainedTable(
    name: "health", names: ["rows_read", "rows_used", "rows_rejected", "rows_ignored"],
    noColumn: "health has no such count",
    keys: ["path", "kind", "version", "period", "sha256"], example: "path=…")
}
