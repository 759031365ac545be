import Scanning
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

    package init(key: String, value: String) { (self.key, self.value) = (key, value) }
  }

  package let table: TableKind
  /// The source of the row.
  package let source: Source
  /// The column; `nil` for all columns that can be explained.
  package let column: String?
  /// The values that choose the row, besides its source and month.
  package let conditions: [Condition]

  /// The dimensions of the view that has the row.
  package var dimensions: [Dimension] { conditions.compactMap { Dimension(rawValue: $0.key) } }

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - cell: A table, or a table and its column, such as `churn.churned`.
  ///   - conditions: Texts such as `country=DE`.
  ///   - sources: The allowed sources of the row; the first from which the cell can be explained is used.
  /// - Throws: ``QuestionError`` for anything that cannot be explained.
  package init(
    _ cell: String, where conditions: [String], from sources: [Source] = [.subscribers]
  ) throws(QuestionError) {
    let parts = cell.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    let (table, able) = try Self.table(parts[0], sources)
    source =
      able.first { source in
        parts.count > 1 && ColumnMakeup.of(parts[1], in: table, from: source) != nil
      } ?? able[0]
    column = parts.count > 1 ? try Self.column(parts[1], of: table, source) : nil
    self.table = table
    var read: [Condition] = []
    for text in conditions {
      let condition = try Self.condition(text, of: table)
      guard !read.contains(where: { $0.key == condition.key }) else {
        throw QuestionError("--where \(text): \(condition.key) is given twice; a row has one value")
      }
      read.append(condition)
    }
    self.conditions = read
  }

  /// The columns to explain: the asked one or its parts, or all that can be explained.
  var columns: [(name: String, counted: ColumnMakeup)] {
    let asked = column.map { [$0] } ?? ColumnMakeup.names(in: table, from: source)
    var names: [String] = []
    for name in asked {
      guard let makeup = ColumnMakeup.of(name, in: table, from: source) else { continue }
      // A whole row has the parts as columns of its own.
      names += makeup.parts.map { column == nil ? [] : $0 } ?? [name]
    }
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
    throw QuestionError(
      "explain \(text): no such table; \(Nearest.advice(text, among: names + otherTables))")
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
