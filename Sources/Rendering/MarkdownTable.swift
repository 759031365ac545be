import Tables

/// A pipe table: numbers to the right and grouped, rates as percentages, missing as an empty cell.
enum MarkdownTable {
  static func append(_ table: ReportTable, to buffer: inout [UInt8]) {
    appendLine(table.columns.map { MarkdownText.escaped($0.name) }, to: &buffer)
    appendLine(table.columns.map { $0.isNumeric ? "---:" : "---" }, to: &buffer)
    appendRows(of: table, to: &buffer)
  }

  static func appendRows(of table: ReportTable, to buffer: inout [UInt8]) {
    for cells in CellText.rows(table, words: MarkdownText.escaped) {
      appendLine(cells, to: &buffer)
    }
  }

  private static func appendLine(_ cells: [String], to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "|"))
    for cell in cells {
      buffer.append(contentsOf: (cell.isEmpty ? " |" : " \(cell) |").utf8)
    }
    buffer.append(UInt8(ascii: "\n"))
  }
}
