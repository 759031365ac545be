package import Pipeline
import Rendering
import Scanning
import Storage
package import SubscriptionModel
package import Tables

/// The cell, or the row, of a table that is to be explained.
package struct Question: Sendable {
  /// A value that the row has, such as the country DE.
  package struct Condition: Equatable, Sendable {
    package let key: String
    /// The value, as the table's CSV prints it.
    package let value: String

    package init(key: String, value: String) {
      (self.key, self.value) = (key, SeparatedValues.withoutGuard(value))
    }
  }

  /// The table, or the table and its column, such as `churn.churned`.
  let cell: String
  package let about: ExplainedTable
  package let source: Source
  /// The chosen columns; `nil` for all columns that can be explained.
  package let chosen: [String]?
  /// The values that choose the row, besides its source and month.
  package let conditions: [Condition]

  /// Reads a question about a table of facts; the others have a value of ``ExplainedTable``.
  ///
  /// The first of the allowed sources from which the cell can be explained is used.
  ///
  /// - Throws: ``QuestionError`` for anything that cannot be explained.
  package init(
    _ cell: String, columns: [String] = [], where conditions: [String],
    from sources: [Source] = [.subscribers]
  ) throws(QuestionError) {
    let table = try Self.table(String(cell.prefix { $0 != "." }), sources)
    try self.init(
      cell, about: ExplainedTable(table), columns: columns, where: conditions, from: sources)
  }

  /// Reads a question about a table: `cell` is the table, or the table and its column, such as `health.rows_used`.
  package init(
    _ cell: String, about table: ExplainedTable, columns: [String] = [],
    where conditions: [String], from sources: [Source] = [.subscribers]
  ) throws(QuestionError) {
    let column = cell == table.name ? nil : String(cell.dropFirst(table.name.count + 1))
    let able = table.sources.filter(sources.contains)
    let known = able.first { source in
      let names = table.columns(source)
      return column.map(names.contains)
        ?? columns.allSatisfy { !Self.columns($0, among: names).isEmpty }
    }
    let source = known ?? able.first ?? .subscribers
    if let column { try table.refuseUnknown(column, from: source) }
    (self.cell, about, self.source) = (cell, table, source)
    chosen = try Self.chosen(columns, column, of: table.name, among: table.columns(source))
    self.conditions = try table.conditions(conditions, from: source)
    try table.check(self)
  }

  /// The only asked column; `nil` for several.
  package var column: String? { chosen.flatMap { $0.count == 1 ? $0[0] : nil } }

  package func asks(for column: String) -> Bool { chosen?.contains(column) ?? true }

  /// Returns the value that the row has in a column; `nil` if the question has none.
  package func value(of key: String) -> String? { conditions.first { $0.key == key }?.value }

  // MARK: Columns

  /// Returns the column that a text of `--column` names; without one, or with `*` or `…` at its end, all that begin so.
  private static func columns(_ text: String, among names: [String]) -> [String] {
    if names.contains(text) { return [text] }
    var start = text[...]
    for ending in ["*", "…", "..."] where start.hasSuffix(ending) {
      start = start.dropLast(ending.count)
      break
    }
    return start.isEmpty ? [] : names.filter { $0.hasPrefix(start) }
  }

  /// Returns the chosen columns, each once, in the order of the table; `nil` for all.
  private static func chosen(
    _ texts: [String], _ column: String?, of table: String, among names: [String]
  ) throws(QuestionError) -> [String]? {
    guard let first = texts.first else { return column.map { [$0] } }
    if let column {
      throw QuestionError(
        "--column \(first): \(table).\(column) names a column too; write \(table), and each column with --column"
      )
    }
    var chosen: Set<String> = []
    for text in texts {
      let found = columns(text, among: names)
      guard !found.isEmpty else {
        throw QuestionError(
          "--column \(text): no column of \(table) that can be explained has this name or begins with it; \(Nearest.advice(text, among: names))"
        )
      }
      chosen.formUnion(found)
    }
    return names.filter(chosen.contains)
  }

  // MARK: Rows

  /// Finds the only row that has the values of the question; `nil` if there is none.
  ///
  /// `rows` are of all months, `words` the text of ``forRow(_:)``; `choice` returns the option that chooses one.
  ///
  /// - Throws: ``QuestionError`` for a value that no row of any month has, and when there are several rows.
  func row<Row>(
    among rows: [Row], of name: String, _ words: String,
    where isOfMonth: (Row) -> Bool = { _ in true }, text: (Row, String) -> String?,
    choice: ([Row]) throws(QuestionError) -> String
  ) throws(QuestionError) -> Row? {
    for condition in conditions {
      let values = rows.compactMap { text($0, condition.key) }
      guard !values.isEmpty, !values.contains(where: condition.value.isSame) else { continue }
      throw unknownValue(condition, of: name, among: values)
    }
    let found = rows.filter { row in isOfMonth(row) && has { text(row, $0) } }
    guard found.count > 1 else { return found.first }
    let option = try choice(found)
    throw QuestionError(
      "\(name) has \(counted(found.count, "row"))\(words); choose one with \(option)")
  }

  /// Returns whether a row has all values of the question, or those of some columns.
  func has(only keys: [String]? = nil, _ text: (String) -> String?) -> Bool {
    conditions.allSatisfy { condition in
      keys?.contains(condition.key) == false
        || text(condition.key)?.isSame(as: condition.value) == true
    }
  }

  /// Returns the values that choose the row, such as ` for 2026-08 and country DE`; blank without any.
  func forRow(_ month: String? = nil) -> String {
    let values = [month].compactMap(\.self) + conditions.map { "\($0.key) \($0.value)" }
    return values.isEmpty ? "" : " for \(values.joined(separator: " and "))"
  }

  /// Returns the options that choose one of several rows, such as `--where currency=… (EUR, USD)`.
  func choice<Row>(of rows: [Row], by keys: [String], _ text: (Row, String) -> String?) -> String {
    keys.compactMap { key in
      let values = rows.map { text($0, key) }
      guard Set(values.map { $0.map { ExactText($0) } }).count > 1 else { return nil }
      let known = values.compactMap(\.self)
      if key == "k" { return Nearest.condition(key, ["1 to \(known.last ?? "")"]) }
      return Nearest.condition(
        key, about.listsInOrder ? known.unique : Set<ExactText>(of: known).inOrder)
    }.joined(separator: " and ")
  }

  /// Returns the error of a value that no row has.
  func unknownValue(
    _ condition: Condition, of name: String, among values: [String]
  ) -> QuestionError {
    let (key, value) = (condition.key, condition.value)
    var advice = Nearest.advice(value, of: key, among: values)
    if about.listsInOrder {
      advice = Nearest.advice(value, among: values.unique, limit: 20)
      if !advice.isEmpty { advice = "; \(advice)" }
    }
    return QuestionError("--where \(key)=\(value): no row of \(name) has this value\(advice)")
  }
}

extension ReportTable.NamedRow {
  /// Returns the value of a key as the CSV has it; `nil` for an empty cell.
  func value(_ key: String) -> String? {
    if case .text(let text) = cell(key) { return text }
    let number = cell(key).machineText
    return number.isEmpty ? nil : number
  }
}

/// The reason why a question cannot be answered: an unknown table, column or value, or more than one row.
package struct QuestionError: Error, Equatable {
  /// The error, and the text to write instead.
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension [Question.Condition] {
  /// Such as `kind sales and version 1_1`.
  package var words: String {
    map { $0.value.isEmpty ? "no \($0.key)" : "\($0.key) \($0.value)" }.joined(separator: " and ")
  }
}

/// Which contributions to each column are listed, and how.
package struct Listing: Sendable {
  /// How subscriptions are named; `nil` for the place of their first row.
  package var naming: CustomerTable.Naming?
  package var order: ContributionOrder
  /// How many contributions are printed; `nil` for all.
  package var limit: Int?
  /// Whether to list what belongs to the row and does not count, in place of the contributions.
  package var leavingOut: Bool

  package init(
    naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
    limit: Int? = nil, leavingOut: Bool = false
  ) {
    (self.naming, self.order) = (naming, order)
    (self.limit, self.leavingOut) = (limit, leavingOut)
  }
}

// MARK: Tables of facts

extension Question {
  /// The table of facts that has the row.
  package var table: TableKind {
    guard let kind = about.kind else { preconditionFailure("\(about.name) is no table of facts") }
    return kind
  }

  /// The dimensions of the view that has the row.
  package var dimensions: [Dimension] {
    // Each row of lifetime value has a start month, which is no dimension there.
    conditions.compactMap { Dimension(rawValue: $0.key) }
      .filter { $0 != .startMonth || about.kind != .lifetime }
  }

  /// Whether the rows of the table are of no month.
  var hasNoMonths: Bool { table == .retention || table == .lifetime }

  /// The columns to explain: the asked one or its parts, or all that can be explained.
  var columns: [(name: String, counted: ColumnMakeup)] {
    var names: [String] = []
    for name in chosen ?? about.columns(source) {
      guard let makeup = ColumnMakeup.of(name, in: table, from: source) else { continue }
      // A whole row has the parts as columns of its own.
      names += makeup.parts.map { chosen == nil ? [] : $0 } ?? [name]
    }
    return names.unique.compactMap { name in
      ColumnMakeup.of(name, in: table, from: source).map { (name, $0) }
    }
  }

  /// Whether the question is about survival, or a column that is computed with it.
  var isOfCurve: Bool { ["survival", "low", "high"].contains(where: asks(for:)) }

  /// The sources whose rows can be explained; the first one is meant where none is named.
  package static let sources = [.subscribers, .events, .sales, .receipts].filter {
    !ColumnMakeup.tables(from: $0).isEmpty
  }

  /// Returns a table of facts that has rows of some sources.
  private static func table(
    _ text: String, _ sources: [Source]
  ) throws(QuestionError) -> TableKind {
    let tables = TableKind.allCases.filter { table in
      sources.contains { ColumnMakeup.tables(from: $0).contains(table) }
    }
    let names = tables.map(\.rawValue)
    if let table = TableKind(rawValue: text) {
      if tables.contains(table) { return table }
      let made = Definition.definition(of: table).sources
      guard sources.contains(where: made.contains) else {
        throw QuestionError(
          "explain \(text): the table has no rows\(ofSources(sources)), only of \(made.map(\.rawValue).joined(separator: " and "))"
        )
      }
      throw QuestionError(
        "explain cannot explain \(text)\(ofSources(sources)) yet; \(Nearest.choice(names))")
    }
    // Such as churn_rate, which is a column of churn.
    let columns = tables.flatMap { table in
      Definition.definition(of: table).columns.filter { $0.column.name == text }
        .map { "\(table.rawValue).\($0.column.name)" }
    }
    if let answer = OtherWords.answer(text) { throw QuestionError("explain \(text): \(answer)") }
    let known = names + ExplainedTable.others.map(\.name)
    let advice =
      columns.isEmpty
      ? OtherWords.meaning(text, among: known).map { "did you mean \"\($0)\"?" }
        ?? Nearest.advice(text, among: known)
      : "did you mean \"\(columns.prefix(3).joined(separator: "\" or \""))\"?"
    throw QuestionError("explain \(text): no such table; \(advice)")
  }

  /// Returns such as ` of events`; blank for Subscriber reports, which are meant where no source is named.
  static func ofSources(_ sources: [Source]) -> String {
    sources == [.subscribers] ? "" : " of \(sources.map(\.rawValue).joined(separator: " and "))"
  }
}
