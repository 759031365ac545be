import Metrics
import Rendering

/// A table with a row for each file, of which some rows at a time are in memory.
///
/// A cell takes ten times the room of what it prints, and there may be 100,000 files.
struct LongTable: Sendable {
  private static let rowsAtATime = 1_000

  let name: String
  let columns: [ReportTable.Column]
  /// How many rows it has.
  let count: Int
  /// Makes a row, by its place from 0.
  let row: @Sendable (Int) -> [ReportTable.Cell]

  /// The table with all rows.
  var whole: ReportTable {
    ReportTable(name: name, dimensions: [], columns: columns, rows: (0..<count).map(row))
  }

  /// The table as CSV.
  var bytes: [UInt8] {
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
