import Scanning

/// Distinguishes the rows of a financial report from the trailers below them.
enum FinanceLine {
  /// Returns whether a line after the header is a row, good or bad.
  ///
  /// A row begins with a date. A line without a date is a bad row, unless it is blank, a total, or
  /// a line of the summary by country, which has four cells.
  static func isRow(_ line: Span<UInt8>) -> Bool {
    let content = trimmed(line, line.indices)
    if content.isEmpty { return false }
    if content.lowerBound == 0, isDigit(line[0]) { return true }
    let cells = FinanceLine.cells(line)
    return !isTotal(cells) && !isSummaryHeader(cells) && !isSummaryRow(cells)
  }

  /// Returns the trimmed cells of a line, without the blank ones at its end.
  static func cells(_ line: Span<UInt8>) -> [String] {
    var cells: [String] = []
    var start = 0
    for offset in line.indices where line[offset] == UInt8(ascii: "\t") {
      cells.append(text(line, trimmed(line, start..<offset)))
      start = offset + 1
    }
    cells.append(text(line, trimmed(line, start..<line.count)))
    while cells.last == "" { cells.removeLast() }
    return cells
  }

  /// Returns whether cells are a total: `Total_Rows 4`, `Total_Amount:32.68` or, before 2009,
  /// `Total` after blanks.
  static func isTotal(_ cells: [String]) -> Bool {
    guard let first = cells.first(where: { !$0.isEmpty })?.lowercased() else { return false }
    return first.hasPrefix("total_") || cells.first == "" && first == "total"
  }

  /// Returns whether cells are the header of the summary by country.
  static func isSummaryHeader(_ cells: [String]) -> Bool {
    cells.first.map(comparableName) == "country of sale"
  }

  /// Returns whether cells are a row of the summary: `DE`, `EUR`, a quantity and an amount.
  static func isSummaryRow(_ cells: [String]) -> Bool {
    cells.count == 4 && cells[0].utf8.first.map(isDigit) == false
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
