import Rendering
import Scanning
import SubscriptionModel
package import Tables

/// The answer of a ledger to a question: a table, and what was chosen for it.
package struct LedgerHistory: Sendable {
  package let table: ReportTable
  /// Remarks for standard error.
  package private(set) var notes: [String] = []

  /// Answers a question.
  ///
  /// The lines are read twice: first for the rows that there are, then for the answer.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - entries: Goes through the lines of the ledger, until its argument returns `false`.
  /// - Throws: ``LedgerQuestionError`` when there is no answer, ``LedgerError`` of `entries`.
  package init(
    _ question: LedgerQuestion,
    _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
  ) throws {
    let known = try Known(question, entries)
    guard known.state.last != nil else {
      throw LedgerQuestionError("the ledger is empty; report --ledger writes a line each run")
    }
    guard let shape = known.shape else {
      throw LedgerQuestionError("the ledger has no table \(question.table)")
    }
    var rows = try LedgerRows(question, seen: known.seen, shape, last: known.state.last)
    guard case .cell = question.subject else {
      table = try Self.table(question, known, rows, entries)
      return
    }
    let place = try Self.place(question, shape.columns)
    let newest = known.state.tables[question.table] ?? shape
    try rows.keepOne(question, newest, primary: known.state.last?.options["primary"])
    if let (source, others) = rows.chosenSource {
      notes = [
        "note: source \(source); --where source=… chooses another: \(others.joined(separator: ", "))"
      ]
    }
    let kind = shape.columns[place].kind
    if rows.months.isEmpty || question.month != nil {
      table = try Self.values(question, rows, kind, entries)
    } else {
      table = try Self.triangle(question, rows, kind, entries)
    }
  }

  /// What the first reading of a ledger finds.
  private struct Known {
    var state = LedgerState()
    /// The keys of all rows that the table ever had.
    var seen: Set<[ReportTable.Cell]> = []
    /// The table as it was last there.
    var shape: LedgerState.Table?
    /// The number of the line whose data end on the asked day, else of the latest before; of several the last.
    var lineAtDay: Int?
    var firstDay: Day?

    init(
      _ question: LedgerQuestion, _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
    ) throws(LedgerError) {
      var known = (state: LedgerState(), seen: Set<[ReportTable.Cell]>())
      var shape: LedgerState.Table?
      var (lineAtDay, dayOfLine, firstDay): (Int?, Day?, Day?) = (nil, nil, nil)
      try entries { entry in
        known.state.apply(entry)
        let table = known.state.tables[question.table]
        if let table {
          shape = table
          let change = entry.tables.first { $0.name == question.table }
          for row in change?.rows ?? [] { known.seen.insert(table.keyPlaces.map { row[$0] }) }
        }
        if let asOf = entry.asOf {
          firstDay = firstDay.map { min($0, asOf) } ?? asOf
          if case .table(let day) = question.subject, asOf <= day, asOf >= dayOfLine ?? asOf {
            (lineAtDay, dayOfLine) = (entry.sequence, asOf)
          }
        }
        return true
      }
      state = known.state
      seen = known.seen
      self.shape = shape
      self.lineAtDay = lineAtDay
      self.firstDay = firstDay
    }
  }

  private static func place(
    _ question: LedgerQuestion, _ columns: [ReportTable.Column]
  ) throws(LedgerQuestionError) -> Int {
    let column = question.column ?? ""
    if let place = columns.firstIndex(where: { $0.name == column && $0.kind != .key }) {
      return place
    }
    let names = columns.filter { $0.kind != .key }.map(\.name)
    throw LedgerQuestionError(
      "history \(question.table).\(column): no such column; \(Nearest.advice(column, among: names))"
    )
  }

  // MARK: The table of a day

  private static func table(
    _ question: LedgerQuestion, _ known: Known, _ rows: LedgerRows,
    _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
  ) throws -> ReportTable {
    guard let line = known.lineAtDay else {
      let first = known.firstDay.map { "the data of its first line end on \($0)" }
      throw LedgerQuestionError(
        "--at: the ledger knows nothing of this day; \(first ?? "its lines have no day")")
    }
    var state = LedgerState()
    try entries { entry in
      state.apply(entry)
      return entry.sequence < line
    }
    guard let found = state.tables[question.table] else {
      throw LedgerQuestionError("--at: there was no table \(question.table) on this day")
    }
    var table = found.table(named: question.table)
    table.rows = table.rows.filter { row in
      rows.keys.contains(found.keyPlaces.map { row[$0] })
    }
    guard question.column != nil else { return table }
    let place = try place(question, table.columns)
    let places = table.columns.indices.filter { found.keyPlaces.contains($0) || $0 == place }
    return ReportTable(
      name: table.name, dimensions: [], columns: places.map { table.columns[$0] },
      rows: table.rows.map { row in places.map { row[$0] } })
  }

  // MARK: A cell as each run knew it

  private static func values(
    _ question: LedgerQuestion, _ rows: LedgerRows, _ kind: ReportTable.Column.Kind,
    _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
  ) throws(LedgerError) -> ReportTable {
    let columns = [
      ReportTable.Column("as_of", .key), ReportTable.Column("value", kind),
      ReportTable.Column("change", kind, isChange: true), ReportTable.Column("state", .text),
      ReportTable.Column("definitions", .count), ReportTable.Column("inputs", .count),
      ReportTable.Column("because", .text),
    ]
    var table = ReportTable(name: "history", dimensions: [], columns: columns, rows: [])
    guard let key = rows.keys.first else { return table }
    let source = rows.names.firstIndex(of: "source").flatMap { key[$0].words }
    var state = LedgerState()
    var before = ReportTable.Cell.missing
    try entries { entry in
      let cause = LedgerCause(entry, since: state)
      state.apply(entry)
      let now = state.tables[question.table]
      let value = now?.cell(question.column, key) ?? .missing
      // Runs from before the month are left out.
      guard !table.rows.isEmpty || value != .missing else { return true }
      let isChanged = value.machineText != before.machineText
      table.rows.append([
        entry.asOf.map { .text($0.description) } ?? .missing, value, value.change(since: before),
        now?.cell("state", key) ?? .missing, .count(entry.definitions), .count(state.fileCount),
        .text(isChanged ? cause.text(source) : ""),
      ])
      before = value
      return true
    }
    return table
  }

  // MARK: Months and months since

  private static func triangle(
    _ question: LedgerQuestion, _ rows: LedgerRows, _ kind: ReportTable.Column.Kind,
    _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
  ) throws(LedgerError) -> ReportTable {
    let place = rows.names.firstIndex(of: "month") ?? 0
    let system = MonthSystem(naming: rows.months.first ?? "")
    let months = rows.keys.compactMap { key in
      key[place].words.flatMap { name in
        system.month(named: name).map { (key: key, name: name, month: $0) }
      }
    }.sorted { $0.month < $1.month }
    var cells = Array(repeating: [Int: ReportTable.Cell](), count: months.count)
    var state = LedgerState()
    try entries { entry in
      state.apply(entry)
      guard let asOf = entry.asOf else { return true }
      let table = state.tables[question.table]
      for (index, row) in months.enumerated() {
        let since = system.month(of: asOf) - row.month
        if since >= 0 {
          cells[index][since] = table?.cell(question.column, row.key) ?? .missing
        }
      }
      return true
    }
    let width = (cells.compactMap { $0.keys.max() }.max() ?? -1) + 1
    return ReportTable(
      name: "history", dimensions: [],
      columns: [ReportTable.Column("month", .key)]
        + (0..<width).map { ReportTable.Column(String($0), kind) },
      rows: months.indices.map { index in
        [.text(months[index].name)] + (0..<width).map { cells[index][$0] ?? .missing }
      })
  }
}

extension LedgerState.Table {
  /// Returns a cell of a row; `nil` when there is no such row or column.
  fileprivate func cell(
    _ column: String?, _ key: [ReportTable.Cell]
  ) -> ReportTable.Cell? {
    guard let row = rows[key], let place = columns.firstIndex(where: { $0.name == column }) else {
      return nil
    }
    return row[place]
  }
}
