import Rendering
import Scanning
import SubscriptionModel
package import Tables

/// The answer of a ledger to a question: a table, and notes on its source and its day.
package struct LedgerHistory: Sendable {
  package let table: ReportTable
  /// Remarks for standard error.
  package private(set) var notes: [String] = []

  /// Answers a question, reading the lines twice: to find the rows of the table, then to make the answer.
  ///
  /// `entries` goes through the lines until its argument returns `false`.
  package init(
    _ question: LedgerQuestion,
    _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
  ) throws {
    let reading = try FirstReading.of(question, entries)
    guard reading.state.last != nil else {
      throw LedgerQuestionError("the ledger is empty; report --ledger writes a line each run")
    }
    if case .table(let day) = question.subject { try reading.checkDay(day, question.table) }
    guard let columns = reading.columns else {
      let names = reading.state.tables.keys.sorted()
      let advice = names.isEmpty ? "no table" : names.joined(separator: ", ")
      throw LedgerQuestionError("the ledger has no table \(question.table); it has \(advice)")
    }
    let last = reading.state.last
    let newest = reading.state.tables[question.table]
    var rows = try LedgerRows(
      question, seen: reading.keys(of: columns), columns, lastDay: reading.lastDay,
      newest?.monthSystem)
    guard case .cell = question.subject else {
      notes = reading.dayNotes(question)
      table = try Self.table(question, reading, rows, entries)
      return
    }
    guard !rows.keys.isEmpty else {
      throw LedgerQuestionError("no run of the ledger has a row of \(question.table)")
    }
    let place = try Self.place(question, columns)
    try rows.keepOne(question, newest, primary: last?.options["primary"])
    if let (source, others) = rows.chosenSource {
      notes = [
        "note: source \(source); --where source=… chooses another: \(others.joined(separator: ", "))"
      ]
    }
    let kind = columns[place].kind
    if rows.months.isEmpty || question.month != nil {
      table = try Self.values(question, rows, kind, entries)
    } else {
      let system = newest?.monthSystem ?? MonthSystem(naming: rows.months[0])
      notes += Self.otherMonths(rows.months, than: system)
      notes.append(
        "note: column 0 is the number at the end of its own month, 1 a month later, and so on")
      table = try Self.triangle(question, rows, system, kind, entries)
    }
  }

  /// What the first reading of a ledger finds.
  private struct FirstReading {
    private(set) var state = LedgerState()
    /// The columns of the table: in the line of the asked day, else in the last line that has the table.
    private(set) var columns: [ReportTable.Column]?
    /// The number of the line whose data end on the asked day, else of the latest before; of several the last.
    private(set) var lineAtDay: Int?
    private var dayOfLine: Day?
    private var firstDay: Day?
    /// The latest end of data of all runs.
    private(set) var lastDay: Day?
    /// The keys of all rows that the table ever had, by the names of its key columns, which another version may change.
    private var keys: [[String]: Set<[ReportTable.Cell]>] = [:]

    static func of(
      _ question: LedgerQuestion, _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
    ) throws(LedgerError) -> FirstReading {
      var reading = FirstReading()
      try entries { entry in
        reading.add(entry, question)
        return true
      }
      return reading
    }

    private mutating func add(_ entry: LedgerEntry, _ question: LedgerQuestion) {
      state.apply(entry)
      let table = state.tables[question.table]
      if let table {
        if case .cell = question.subject { columns = table.columns }
        let rows = entry.tables.first { $0.name == question.table }?.rows ?? []
        let new = rows.map(table.key)
        keys[table.columns.keyNames, default: []].formUnion(new)
      }
      guard let asOf = entry.asOf else { return }
      firstDay = firstDay.map { min($0, asOf) } ?? asOf
      lastDay = lastDay.map { max($0, asOf) } ?? asOf
      guard case .table(let day) = question.subject, asOf <= day, asOf >= dayOfLine ?? asOf else {
        return
      }
      (lineAtDay, dayOfLine, columns) = (entry.sequence, asOf, table?.columns)
    }

    /// Returns the keys of all rows with these key columns that the table ever had.
    func keys(of columns: [ReportTable.Column]) -> Set<[ReportTable.Cell]> {
      keys[columns.keyNames] ?? []
    }

    /// Refuses a day before the first run, and one on which there was no such table.
    func checkDay(_ day: Day, _ table: String) throws(LedgerQuestionError) {
      guard lineAtDay != nil else {
        let first = firstDay.map { "the first one is of \($0)" } ?? "no run has a day"
        throw LedgerQuestionError(
          "--at \(day): the ledger has no run of this day or before; \(first)")
      }
      guard columns == nil else { return }
      throw LedgerQuestionError("--at \(day): the run of this day had no table \(table)")
    }

    /// Names the day of the run that is shown, if it is not the asked one.
    func dayNotes(_ question: LedgerQuestion) -> [String] {
      guard case .table(let day) = question.subject, let dayOfLine, dayOfLine != day else {
        return []
      }
      return [
        "note: no run has data to \(day); this is the table of the run with data to \(dayOfLine)"
      ]
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
    _ question: LedgerQuestion, _ reading: FirstReading, _ rows: LedgerRows,
    _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
  ) throws -> ReportTable {
    var state = LedgerState()
    try entries { entry in
      state.apply(entry)
      return entry.sequence != reading.lineAtDay
    }
    // The first reading found the line and the table in it.
    let found = state.tables[question.table] ?? LedgerState.Table(reading.columns ?? [])
    var table = found.table(named: question.table)
    table.rows = table.rows.filter { row in
      rows.keys.contains(found.key(row))
    }
    guard question.column != nil else { return table }
    let place = try place(question, table.columns)
    let places = table.columns.indices.filter {
      found.columns.keyPlaces.contains($0) || $0 == place
    }
    return ReportTable(
      name: table.name, dimensions: [], columns: places.map { table.columns[$0] },
      rows: table.rows.map { row in places.map { row[$0] } })
  }

  // MARK: A cell in each run

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
      guard !table.rows.isEmpty || now?.rows[key] != nil else { return true }
      let isChanged = value.machineText != before.machineText
      table.rows.append([
        entry.asOf.map { .text($0.description) } ?? .missing, value, value.change(since: before),
        now?.cell("state", key) ?? now?.cell("status", key) ?? .missing, .count(entry.definitions),
        .count(state.fileCount),
        .text(isChanged ? cause.text(source) : ""),
      ])
      before = value
      return true
    }
    return table
  }

  // MARK: Months and months since

  /// Names the months that runs with and without `--fiscal` write in another way, which the triangle leaves out.
  private static func otherMonths(_ months: [String], than system: MonthSystem) -> [String] {
    let others = months.filter { MonthSystem(naming: $0) != system }
    guard let first = others.first, let last = others.last else { return [] }
    let span = first == last ? first : "\(first) to \(last)"
    return [
      "note: \(system == .fiscal ? "fiscal periods" : "calendar months"), as in the last run; --month prints one of the others: \(span)"
    ]
  }

  private static func triangle(
    _ question: LedgerQuestion, _ rows: LedgerRows, _ system: MonthSystem,
    _ kind: ReportTable.Column.Kind,
    _ entries: ((LedgerEntry) -> Bool) throws(LedgerError) -> Void
  ) throws(LedgerError) -> ReportTable {
    let place = rows.monthPlace ?? 0
    let months = rows.keys.compactMap { key in
      key[place].words.flatMap { name in
        system.month(named: name).map { (key: key, name: name, month: $0) }
      }
    }.sorted { $0.month < $1.month }
    var cells = Array(repeating: [Int: ReportTable.Cell](), count: months.count)
    // The end of the data of the last run in each month: a later run with an earlier end does not replace it.
    var ends: [Month: Day] = [:]
    var state = LedgerState()
    try entries { entry in
      state.apply(entry)
      guard let asOf = entry.asOf else { return true }
      let table = state.tables[question.table]
      // A run whose months are written in another way knows nothing of these.
      guard table?.monthSystem ?? system == system else { return true }
      let month = system.month(of: asOf)
      guard ends[month].map({ $0 <= asOf }) ?? true else { return true }
      ends[month] = asOf
      for (index, row) in months.enumerated() where month >= row.month {
        cells[index][month - row.month] = table?.cell(question.column, row.key) ?? .missing
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
