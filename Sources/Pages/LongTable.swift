import Rendering
package import Tables

/// A table with a row for each file.
///
/// Only some of its rows are in memory at a time.
///
/// A cell takes ten times the memory of its text, and there may be 100,000 files.
package struct LongTable: Sendable {
  private static let rowsAtATime = 1_000

  package let name: String
  package let columns: [ReportTable.Column]
  /// The number of rows.
  let count: Int
  /// Returns a row, by its index from 0.
  let row: @Sendable (Int) -> [ReportTable.Cell]

  /// The rows, each made when it is reached.
  package var rows: some Sequence<[ReportTable.Cell]> { (0..<count).lazy.map(row) }

  /// The table with all rows.
  var whole: ReportTable {
    ReportTable(name: name, dimensions: [], columns: columns, rows: (0..<count).map(row))
  }

  /// The table as CSV.
  package var bytes: [UInt8] {
    let renderer = TableRenderer(.csv)
    var table = ReportTable(name: name, dimensions: [], columns: columns, rows: [])
    var bytes = renderer.bytes(of: table)
    for first in stride(from: 0, to: count, by: Self.rowsAtATime) {
      table.rows = (first..<min(first + Self.rowsAtATime, count)).map(row)
      renderer.appendRows(of: table, to: &bytes)
    }
    return bytes
  }
}
