import Tables

/// Tables as JSON objects, one a row and one a line, keyed by column name in the columns' order.
///
/// Missing and blank words are `null`. Counts and rates are numbers, with the digits that CSV has; money is
/// text, so that no reader turns an exact amount into floating point.
enum JSONTable {
  static func appendArray(_ table: ReportTable, to buffer: inout [UInt8]) {
    appendStart(to: &buffer)
    appendElements(of: table, areFirst: true, to: &buffer)
    appendEnd(isEmpty: table.rows.isEmpty, to: &buffer)
  }

  static func appendStart(to buffer: inout [UInt8]) { buffer.append(UInt8(ascii: "[")) }

  /// Appends the next rows of an array that is printed piece by piece.
  static func appendElements(
    of table: ReportTable, areFirst: Bool, to buffer: inout [UInt8]
  ) {
    let keys = keys(of: table)
    for (index, row) in table.rows.enumerated() {
      buffer.append(contentsOf: (areFirst && index == 0 ? "\n" : ",\n").utf8)
      appendObject(row, keys: keys, to: &buffer)
    }
  }

  static func appendEnd(isEmpty: Bool, to buffer: inout [UInt8]) {
    buffer.append(contentsOf: (isEmpty ? "]\n" : "\n]\n").utf8)
  }

  static func appendLines(_ table: ReportTable, to buffer: inout [UInt8]) {
    let keys = keys(of: table)
    for row in table.rows {
      appendObject(row, keys: keys, to: &buffer)
      buffer.append(UInt8(ascii: "\n"))
    }
  }

  private static func keys(of table: ReportTable) -> [String] {
    table.columns.map { JSONText.quoted($0.name) + ":" }
  }

  private static func appendObject(
    _ row: [ReportTable.Cell], keys: [String], to buffer: inout [UInt8]
  ) {
    buffer.append(UInt8(ascii: "{"))
    for (index, cell) in row.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      buffer.append(contentsOf: keys[index].utf8)
      JSONValue(cell).append(to: &buffer)
    }
    buffer.append(UInt8(ascii: "}"))
  }
}
