import Rendering
import Scanning
import Storage
package import SubscriptionModel
package import Tables

/// The cell, or the row, of a table that is to be explained.
package struct Question: Equatable, Sendable {
  /// A value that the row has, such as the country DE.
  package struct Condition: Equatable, Sendable {
    /// The column.
    package let key: String
    /// The value, as the table's CSV prints it.
    package let value: String

    package init(key: String, value: String) {
      (self.key, self.value) = (key, SeparatedValues.withoutGuard(value))
    }
  }

  package let table: TableKind
  /// The source of the row.
  package let source: Source
  /// The column; `nil` for several.
  package let column: String?
  /// The chosen columns; `nil` for all columns that can be explained.
  package let chosen: [String]?
  /// The values that choose the row, besides its source and month.
  package let conditions: [Condition]

  /// The dimensions of the view that has the row.
  package var dimensions: [Dimension] { conditions.compactMap { Dimension(rawValue: $0.key) } }

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - cell: A table, or a table and its column, such as `churn.churned`.
  ///   - columns: Names of columns, or their beginnings; empty for the column of `cell`, or for all.
  ///   - conditions: Texts such as `country=DE`.
  ///   - sources: The allowed sources of the row; the first from which the cell can be explained is used.
  /// - Throws: ``QuestionError`` for anything that cannot be explained.
  package init(
    _ cell: String, columns: [String] = [], where conditions: [String],
    from sources: [Source] = [.subscribers]
  ) throws(QuestionError) {
    let parts = cell.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    let (table, able) = try Self.table(parts[0], sources)
    let source =
      able.first { source in
        let names = ColumnMakeup.names(in: table, from: source)
        return parts.count > 1
          ? names.contains(parts[1])
          : columns.allSatisfy { !ChosenColumns.names($0, among: names).isEmpty }
      } ?? able[0]
    self.source = source
    let named = parts.count > 1 ? try Self.column(parts[1], of: table, source) : nil
    chosen = try ChosenColumns.read(
      columns, named, of: table.rawValue,
      among: ColumnMakeup.names(in: table, from: source))
    column = chosen.flatMap { $0.count == 1 ? $0[0] : nil }
    self.table = table
    var read: [Condition] = []
    for text in conditions {
      let condition = try Self.condition(text, of: table)
      guard !read.contains(where: { $0.key == condition.key }) else {
        throw QuestionError("--where \(text): \(condition.key) is given twice; a row has one value")
      }
      if let dimension = Dimension(rawValue: condition.key),
        !source.dimensions.contains(dimension)
      {
        throw QuestionError(
          "--where \(text): \(source.rawValue) have no \(condition.key)\(Self.others(with: dimension, table))"
        )
      }
      read.append(condition)
    }
    self.conditions = read
  }

  /// Returns the end of a message that names the sources whose rows of a table have a dimension; blank without any.
  private static func others(with dimension: Dimension, _ table: TableKind) -> String {
    let able = Self.sources.filter {
      ColumnMakeup.tables(from: $0).contains(table) && $0.dimensions.contains(dimension)
    }
    return able.isEmpty
      ? "" : "; \(Nearest.choice(able.map { "--source \($0.rawValue)" }))"
  }

  /// The columns to explain: the asked one or its parts, or all that can be explained.
  var columns: [(name: String, counted: ColumnMakeup)] {
    let asked = chosen ?? ColumnMakeup.names(in: table, from: source)
    var names: [String] = []
    for name in asked {
      guard let makeup = ColumnMakeup.of(name, in: table, from: source) else { continue }
      // A whole row has the parts as columns of its own.
      names += makeup.parts.map { chosen == nil ? [] : $0 } ?? [name]
    }
    names = names.unique
    return names.compactMap { name in
      ColumnMakeup.of(name, in: table, from: source).map { (name, $0) }
    }
  }

  // MARK: Reading

  /// The sources whose rows can be explained; the first one is meant where none is named.
  package static let sources = [.subscribers, .events, .sales, .receipts].filter {
    !ColumnMakeup.tables(from: $0).isEmpty
  }

  /// The tables whose questions are read elsewhere, because their rows are chosen in another way.
  package static let otherTables = ["price_impact", "reconcile", "drivers", "health"]

  /// Returns the table, and the sources whose rows of it can be explained: at least one.
  private static func table(
    _ text: String, _ sources: [Source]
  ) throws(QuestionError) -> (table: TableKind, sources: [Source]) {
    let tables = TableKind.allCases.filter { table in
      sources.contains { ColumnMakeup.tables(from: $0).contains(table) }
    }
    let names = tables.map(\.rawValue)
    if let table = TableKind(rawValue: text) {
      let able = sources.filter { ColumnMakeup.tables(from: $0).contains(table) }
      guard !able.isEmpty else {
        let made = Definition.definition(of: table).sources
        guard sources.contains(where: made.contains) else {
          throw QuestionError(
            "explain \(text): the table has no rows\(ofSources(sources)), only of \(made.map(\.rawValue).joined(separator: " and "))"
          )
        }
        throw QuestionError(
          "explain cannot explain \(text)\(ofSources(sources)) yet; \(Nearest.choice(names))")
      }
      return (table, able)
    }
    // Such as churn_rate, which is a column of churn.
    let columns = names.compactMap(TableKind.init(rawValue:)).flatMap { table in
      Definition.definition(of: table).columns.filter { $0.column.name == text }
        .map { "\(table.rawValue).\($0.column.name)" }
    }
    let advice =
      columns.isEmpty
      ? OtherWords.meaning(text, among: names + otherTables).map { "did you mean \"\($0)\"?" }
        ?? Nearest.advice(text, among: names + otherTables)
      : "did you mean \"\(columns.prefix(3).joined(separator: "\" or \""))\"?"
    throw QuestionError("explain \(text): no such table; \(advice)")
  }

  /// Returns such as ` of events`; blank for Subscriber reports, which are meant where no source is named.
  private static func ofSources(_ sources: [Source]) -> String {
    sources == [.subscribers] ? "" : " of \(sources.map(\.rawValue).joined(separator: " and "))"
  }

  private static func column(
    _ text: String, of table: TableKind, _ source: Source
  ) throws(QuestionError) -> String {
    let names = ColumnMakeup.names(in: table, from: source)
    if names.contains(text) { return text }
    let all = Definition.definition(of: table).columns.map(\.column.name)
    guard all.contains(text) else {
      throw QuestionError(
        "explain \(table.rawValue).\(text): no such column; \(Nearest.advice(text, among: names))")
    }
    let other = sources.first { ColumnMakeup.of(text, in: table, from: $0) != nil }
    if let other {
      throw QuestionError(
        "explain \(table.rawValue).\(text): not known from \(source.rawValue); use --source \(other.rawValue)"
      )
    }
    throw QuestionError(
      "explain cannot explain \(table.rawValue).\(text)\(ofSources([source])) yet; \(Nearest.choice(names))"
    )
  }

  private static func condition(
    _ text: String, of table: TableKind
  ) throws(QuestionError) -> Condition {
    let condition = try Condition(text)
    switch condition.key {
    case "month": throw QuestionError("--where \(text): use --month \(condition.value)")
    case "source": throw QuestionError("--where \(text): use --source \(condition.value)")
    default: break
    }
    let (leading, trailing) = Definition.definition(of: table).keys
    let ofTable = table == .retention ? ["k"] : []
    let own = (leading + trailing).filter { $0 != "month" && $0 != "source" } + ofTable
    let keys = own + Dimension.allCases.map(\.rawValue)
    guard keys.contains(condition.key) else {
      throw QuestionError(
        "--where \(text): \(table.rawValue) has no rows by \(condition.key); \(Nearest.advice(condition.key, among: keys))"
      )
    }
    return condition
  }
}

extension Question.Condition {
  /// Reads a text such as `country=DE`.
  package init(_ text: String) throws(QuestionError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw QuestionError("--where \(text): write a column and its value, such as country=DE")
    }
    self.init(key: String(parts[0]), value: String(parts[1]))
  }
}

/// The reason why a question cannot be answered: an unknown table, column or value, or more than one row.
package struct QuestionError: Error, Equatable {
  /// The error, and the text to write instead.
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension Question.Condition {
  /// Reads conditions.
  ///
  /// - Parameters:
  ///   - texts: Texts such as `path=sales/S_D_80012345_20260105.txt`.
  ///   - table: The name of the table.
  ///   - keys: Its columns that choose a row.
  /// - Returns: The conditions.
  /// - Throws: ``QuestionError`` for a text without a value, another column, or a column named twice.
  package static func read(
    _ texts: [String], of table: String, keys: [String]
  ) throws(QuestionError) -> [Self] {
    var conditions: [Self] = []
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2 else {
        throw QuestionError(
          "--where \(text): write a column and its value, such as \(keys[0])=…")
      }
      let condition = Self(key: parts[0], value: parts[1])
      guard keys.contains(condition.key) else {
        throw QuestionError(
          "--where \(text): \(table) has no rows by \(condition.key); \(Nearest.advice(condition.key, among: keys))"
        )
      }
      guard !conditions.contains(where: { $0.key == condition.key }) else {
        throw QuestionError("--where \(text): \(condition.key) is given twice; a row has one value")
      }
      conditions.append(condition)
    }
    return conditions
  }
}

extension [Question.Condition] {
  /// Such as `kind sales and version 1_1`.
  package var words: String {
    map { $0.value.isEmpty ? "no \($0.key)" : "\($0.key) \($0.value)" }.joined(separator: " and ")
  }
}

/// The columns that `--column` chooses.
package enum ChosenColumns {
  /// Returns the columns that a text names.
  ///
  /// - Parameters:
  ///   - text: The name of a column, or its beginning, such as `control`, `control*` or `control…`.
  ///   - names: The columns that can be explained.
  /// - Returns: The column with this name; without one, or where the text ends in `*` or `…`, all that begin with it.
  package static func names(_ text: String, among names: [String]) -> [String] {
    if names.contains(text) { return [text] }
    var start = text[...]
    for ending in ["*", "…", "..."] where start.hasSuffix(ending) {
      start = start.dropLast(ending.count)
      break
    }
    return start.isEmpty ? [] : names.filter { $0.hasPrefix(start) }
  }

  /// Returns the chosen columns.
  ///
  /// - Parameters:
  ///   - texts: Names or beginnings of columns.
  ///   - column: The column that is named together with the table; `nil` without one.
  ///   - table: The name of the table.
  ///   - names: The columns that can be explained.
  /// - Returns: The columns, each once, in the order of the table; `nil` for all.
  /// - Throws: ``QuestionError`` for a text that names no column, and for a column that is named in both ways.
  package static func read(
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
      let found = Self.names(text, among: names)
      guard !found.isEmpty else {
        throw QuestionError(
          "--column \(text): no column of \(table) that can be explained has this name or begins with it; \(Nearest.advice(text, among: names))"
        )
      }
      chosen.formUnion(found)
    }
    return names.filter(chosen.contains)
  }
}
