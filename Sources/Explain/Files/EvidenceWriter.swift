import Rendering
import Scanning
import Tables

/// Writes the rows of a file of evidence as compressed CSV, some at a time.
struct EvidenceWriter: ~Copyable {
  private let columns: [ReportTable.Column]
  private let renderer = TableRenderer(.csv)
  private var gzip = GzipWriter()
  private var rows: [[ReportTable.Cell]] = []

  /// The number of rows that are compressed at once.
  static let rowsAtOnce = 1_000

  /// Creates a writer, and writes the header.
  init(_ columns: [ReportTable.Column]) {
    self.columns = columns
    gzip.append(renderer.bytes(of: table([])))
  }

  /// Adds a row.
  mutating func append(_ row: [ReportTable.Cell]) {
    rows.append(row)
    if rows.count == Self.rowsAtOnce { compress() }
  }

  /// Ends the file.
  ///
  /// - Returns: Its bytes.
  consuming func finish() -> [UInt8] {
    compress()
    return gzip.finish()
  }

  private mutating func compress() {
    var text: [UInt8] = []
    renderer.appendRows(of: table(rows), to: &text)
    gzip.append(text)
    rows.removeAll(keepingCapacity: true)
  }

  private func table(_ rows: [[ReportTable.Cell]]) -> ReportTable {
    ReportTable(name: "evidence", dimensions: [], columns: columns, rows: rows)
  }
}
