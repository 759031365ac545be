package import Tables

/// The part of a table that a terminal is wide enough for.
package struct TerminalColumns: Equatable, Sendable {
  /// A column of sentences takes as much room as so many columns of words.
  private static let wordsOfSentence = 3
  /// A column of words takes at most so much room in deciding whether a column fits; longer words are cut.
  private static let wordWidth = 16

  /// The table with the columns that fit.
  package let table: ReportTable
  /// The names of the others, in the table's order.
  package let leftOut: [String]

  /// Chooses the columns: the keys that tell rows apart, and then as many as fit, the most important first.
  ///
  /// - Parameters:
  ///   - table: The table with all columns that hold something.
  ///   - width: The terminal's width in columns; `nil` leaves nothing out.
  package init(_ table: ReportTable, width: Int?) {
    guard let width else {
      (self.table, leftOut) = (table, [])
      return
    }
    let names = table.columns.map(\.name)
    let visible = names.map(TerminalTable.visible)
    let rows = CellText.rows(table, words: TerminalTable.visible)
    let usual = Self.kept(of: table, TerminalTable.widths(visible, rows), width: width)
    // A table that is still too wide prints its names in two lines.
    let folded = Self.kept(
      of: table, TerminalTable.foldedWidths(visible, rows), width: width)
    let kept = Self.better(usual, folded, for: table)
    self.table = table.keeping(kept.contains)
    leftOut = names.filter { !kept.contains($0) }
  }

  /// Returns the names of the columns that fit.
  ///
  /// - Parameters:
  ///   - table: The table; of its rows only the keys matter.
  ///   - widths: The widths of its columns.
  ///   - width: The terminal's width in columns.
  /// - Returns: The names.
  static func kept(of table: ReportTable, _ widths: [Int], width: Int) -> Set<String> {
    let usual = kept(of: table, widths, width: width, words: wordWidth)
    return [TerminalTable.narrowWidth, TerminalTable.leastWidth].reduce(usual) { best, words in
      better(best, kept(of: table, widths, width: width, words: words), for: table)
    }
  }

  /// Returns the second choice of columns where it has more of the table's answer, else the first.
  private static func better(
    _ usual: Set<String>, _ narrow: Set<String>, for table: ReportTable
  ) -> Set<String> {
    let answer = table.answerColumns
    return answer.count(where: narrow.contains) > answer.count(where: usual.contains)
      ? narrow : usual
  }

  private static func kept(
    of table: ReportTable, _ widths: [Int], width: Int, words wordWidth: Int
  ) -> Set<String> {
    let names = table.columns.map(\.name)
    let keys = Set(table.varyingKeys)
    var kept: Set<String> = []
    var used = -TerminalTable.gap.utf8.count
    for name in table.columnsByImportance {
      guard let index = names.firstIndex(of: name) else { continue }
      let column = table.columns[index]
      let isWhole = column.isNumeric || name == Trend.column
      let words =
        table.sentenceColumns.contains(name) ? Self.wordsOfSentence * wordWidth : wordWidth
      let room = isWhole ? widths[index] : min(widths[index], max(name.utf8.count, words))
      let needed = TerminalTable.gap.utf8.count + room
      guard keys.contains(name) || used + needed <= width else { continue }
      kept.insert(name)
      used += needed
    }
    return kept
  }
}
