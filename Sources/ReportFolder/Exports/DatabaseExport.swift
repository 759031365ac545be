import Files
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// Why a database or a workbook cannot be made, as one line without the file.
package struct ExportError: Error, Equatable {
  package let message: String
}

/// Tables as an SQLite database.
///
/// Each table has the name of its CSV file with `_` in place of `-`: `churn_by_country`. Beside them are `tables`
/// and `columns`, with what each table and each column means, and `months`, with the days of each month. A view
/// `churn_by_country_view` has amounts in whole units, and the first day of the month; `newest` has the headline numbers.
package enum DatabaseExport {
  private typealias Memory = Database<ExportError>

  /// Why no database can be made here; `nil` where it can.
  package static var obstacle: String? { SQLiteLibrary.advice }

  /// Returns the file.
  ///
  /// The same bytes for the same tables and the same SQLite. With `hasKeys`, tables of metrics have all columns of
  /// their primary key.
  package static func bytes(
    of tables: [LongTable], hasKeys: Bool = true
  ) throws(ExportError) -> [UInt8] {
    let tables = tables.map { ExportedTable($0, hasKeys: hasKeys) }
    let database = try Memory(":memory:") { (words: String) in ExportError(message: words) }
    try database.run("PRAGMA application_id = \(WrittenFile.applicationID)")
    try database.run("BEGIN")
    for table in tables { try add(table, to: database) }
    try add(.tables(tables, name: name), to: database)
    try add(.columns(of: tables, name: name), to: database)
    let hasMonths = try addMonths(of: tables, to: database)
    for table in tables { try database.run(view(of: table, hasMonths: hasMonths)) }
    if tables.contains(where: { $0.rows.name == HeadlineTable.headlines.rawValue }) {
      try database.run(newest)
    }
    try database.run("COMMIT")
    return try database.bytes()
  }

  /// Returns the name of a table: letters, digits and `_`, so that it needs no quotes.
  private static func name(_ fileStem: String) -> String {
    fileStem.replacing("-", with: "_")
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  private static func add(
    _ table: ExportedTable, to database: Memory
  ) throws(ExportError) {
    let name = quoted(name(table.rows.name))
    var lines = table.columns.map { column in
      let isFull = column.keyPlace != nil && column.type == "TEXT"
      return "\(quoted(column.name)) \(column.type)\(isFull ? " NOT NULL" : "")"
    }
    let keys = table.columns.filter { $0.keyPlace != nil }
    if !keys.isEmpty {
      lines.append("PRIMARY KEY (\(keys.map { quoted($0.name) }.joined(separator: ", ")))")
    }
    try database.run("CREATE TABLE \(name) (\n  \(lines.joined(separator: ",\n  "))\n)")
    let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
    let columns = table.columns
    try database.run(
      "INSERT INTO \(name) VALUES (\(marks))",
      each: table.rows.rows.lazy.map { row in
        row.indices.map { value(row[$0], in: columns[$0]) }
      })
  }

  /// Returns a cell as SQLite keeps it; an empty one is NULL, but `''` in a key.
  private static func value(
    _ cell: ReportTable.Cell, in column: ExportedTable.Column
  ) -> DatabaseValue {
    let isKey = column.keyPlace != nil && column.type == "TEXT"
    switch cell {
    case .missing: return isKey ? .text("") : .null
    case .text(let text): return text.isEmpty && !isKey ? .null : .text(text)
    case .count(let count): return .number(Int64(count))
    case .money(let milliunits) where column.kind == .money:
      // An amount beyond nine quadrillions keeps its digits.
      return Int64(exactly: milliunits).map(DatabaseValue.number) ?? .text("\(milliunits)")
    case .ratio, .fraction, .hundredths, .money:
      // The number that CSV has, and not one with more digits.
      return Double(cell.machineText).map(DatabaseValue.real) ?? .null
    }
  }

  // MARK: Views

  /// Adds the table of months, with their days, by which views find dates; returns whether there is any month.
  private static func addMonths(
    of tables: [ExportedTable], to database: Memory
  ) throws(ExportError) -> Bool {
    var names: Set<String> = []
    for table in tables where table.hasMonths {
      guard let place = table.columns.firstIndex(where: { $0.name == "month" }) else { continue }
      for row in table.rows.rows {
        if case .text(let name) = row[place] { names.insert(name) }
      }
    }
    let months = names.compactMap { name -> (name: String, days: ClosedRange<Day>)? in
      for system in [MonthSystem.calendar, .fiscal] {
        if let month = system.month(named: name) {
          return (name, system.firstDay(of: month)...system.lastDay(of: month))
        }
      }
      return nil
    }.sorted { $0.name.precedes($1.name) }
    guard !months.isEmpty else { return false }
    try database.run(
      """
      CREATE TABLE months (
        month TEXT NOT NULL PRIMARY KEY, first_day TEXT NOT NULL, last_day TEXT NOT NULL,
        time INTEGER NOT NULL
      )
      """)
    try database.run(
      "INSERT INTO months VALUES (?, ?, ?, ?)",
      each: months.map { name, days in
        [
          .text(name), .text(days.lowerBound.description), .text(days.upperBound.description),
          .number(Int64(days.lowerBound.number) * 86_400),
        ]
      })
    return true
  }

  /// Returns the statement for a table's view; blank for a table with neither amounts nor months.
  private static func view(of table: ExportedTable, hasMonths: Bool) -> String {
    let hasMonths = hasMonths && table.hasMonths
    let hasMoney = table.columns.contains { $0.kind == .money }
    guard hasMonths || hasMoney else { return "" }
    let name = name(table.rows.name)
    var columns = table.columns.map { column in
      let own = "t.\(quoted(column.name))"
      return column.kind == .money ? "\(own) / 1000.0 AS \(quoted(column.name))" : own
    }
    if hasMonths { columns += ["months.first_day AS date", "months.time AS time"] }
    let join = hasMonths ? " LEFT JOIN months USING (month)" : ""
    return """
      CREATE VIEW \(quoted(name + "_view")) AS
      SELECT \(columns.joined(separator: ", "))
      FROM \(quoted(name)) AS t\(join)
      """
  }

  /// The headline numbers with their changes; their amounts are in whole units already.
  private static let newest = """
    CREATE VIEW newest AS
    SELECT figure, currency, value, before_same_age AS before,
      iif(typeof(value) = 'integer', value - before_same_age, round(value - before_same_age, 6))
        AS change,
      low, high, state, source, month
    FROM headlines
    """
}

extension ExportedTable {
  /// Whether the column `month` has the month of a row: not the distance from a price increase.
  fileprivate var hasMonths: Bool {
    columns.contains { $0.name == "month" && $0.kind == .key }
  }
}
