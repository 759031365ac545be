package import Tables

/// Aligned columns for a terminal: two spaces between them, numbers to the right, no trailing spaces.
///
/// Control characters in words are shown (`\n`, `\u{1B}`) and never sent, so that data cannot move the
/// cursor or colour the screen; so are the marks that reverse the direction of text.
struct TerminalTable {
  /// No column of words is cut below this many terminal columns.
  static let leastWidth = 8
  /// Where words would be cut below this, names are folded first.
  static let narrowWidth = 10
  static let gap = "  "
  /// The colours of states that are not final: yellow and cyan.
  private static let colors = ["partial": "33", "provisional": "36"]

  /// The lines of the header: one, or two where names are folded.
  private let header: [[String]]
  private let rows: [[String]]
  private let columns: [ReportTable.Column]
  private let widths: [Int]
  /// How many characters each column's long words lose at their beginning.
  private let lostStarts: [Int]
  private let isColored: Bool

  init(_ table: ReportTable, isColored: Bool, width: Int?) {
    let rows = CellText.rows(table, words: Self.visible)
    let names = table.columns.map { Self.visible($0.name) }
    let widths = Self.widths(names, rows)
    let least = zip(table.columns, widths).map { column, width in
      Self.canBeCut(column) ? min(width, Self.narrowWidth) : width
    }
    let folded = Self.foldedWidths(names, rows)
    // Names are folded where words must be cut much, or need not be cut at all without it.
    let folds =
      width.map { limit in
        Self.lineWidth(widths) > limit
          && (Self.lineWidth(least) > limit || Self.lineWidth(folded) <= limit)
      } == true && Self.lineWidth(folded) < Self.lineWidth(widths)
    self.init(
      table.columns, folds ? Self.folded(names) : [names], rows, widths: folds ? folded : widths,
      isColored: isColored, width: width)
  }

  /// Creates a table whose rows are printed one after another, given the widths of all columns.
  init(_ columns: [ReportTable.Column], widths: [Int], isColored: Bool, width: Int?) {
    self.init(
      columns, [columns.map { Self.visible($0.name) }], [], widths: widths, isColored: isColored,
      width: width)
  }

  private init(
    _ columns: [ReportTable.Column], _ header: [[String]], _ rows: [[String]], widths: [Int],
    isColored: Bool, width: Int?
  ) {
    (self.columns, self.header, self.rows) = (columns, header, rows)
    self.isColored = isColored
    let fitting = Self.fitting(widths, canBeCut: columns.map(Self.canBeCut), into: width)
    self.widths = fitting
    lostStarts = columns.indices.map { index in
      let isCut = columns[index].kind == .key && fitting[index] < widths[index]
      return isCut ? DisplayWidth.commonStart(rows.map { $0[index] }, cutTo: fitting[index]) : 0
    }
  }

  /// Whether words are files with lines, which differ at their end.
  private static func isOfPlaces(_ column: ReportTable.Column) -> Bool {
    column.kind == .text && ["subscription", "rows"].contains(column.name)
  }

  /// Whether a cell is a time such as `2026-01-05T09:41:07Z`, whose day matters most.
  private static func isTime(_ cell: String) -> Bool {
    cell.utf8.count == 20 && cell.hasSuffix("Z") && cell.dropFirst(10).hasPrefix("T")
  }

  private static func canBeCut(_ column: ReportTable.Column) -> Bool {
    !column.isNumeric && column.name != Trend.column
  }

  func append(to buffer: inout [UInt8]) {
    appendHeader(to: &buffer)
    for row in rows { append(row, to: &buffer) }
  }

  func appendHeader(to buffer: inout [UInt8]) {
    for names in header.map({ line($0) }) {
      buffer.append(contentsOf: (isColored ? "\u{1B}[1m\(names)\u{1B}[0m\n" : names + "\n").utf8)
    }
  }

  /// Appends a row: more than one line if it has a reason that is too long for its column.
  func append(_ row: [String], to buffer: inout [UInt8]) {
    let wrapped = row.indices.map { index in
      Self.isOfReasons(columns[index]) ? DisplayWidth.wrapped(row[index], to: widths[index]) : []
    }
    for number in 0..<max(1, wrapped.map(\.count).max() ?? 1) {
      let cells = row.indices.map { index in
        wrapped[index].isEmpty
          ? number == 0 ? row[index] : ""
          : number < wrapped[index].count ? wrapped[index][number] : ""
      }
      buffer.append(contentsOf: (line(cells, isColored: isColored) + "\n").utf8)
    }
  }

  /// Whether words are a reason, which must not be cut.
  private static func isOfReasons(_ column: ReportTable.Column) -> Bool {
    column.kind == .text && ["because", "cause", "why"].contains(column.name)
  }

  /// Returns a cell cut to the width of its column; numbers are never cut.
  private func fitted(_ cell: String, _ index: Int) -> String {
    let (column, width) = (columns[index], widths[index])
    if column.isNumeric { return cell }
    if Self.isOfPlaces(column) { return DisplayWidth.cutBeginning(cell, to: width) }
    if Self.isTime(cell) { return DisplayWidth.cut(cell, to: width) }
    // Names often differ in their last letters only.
    return column.kind == .key
      ? DisplayWidth.cutInside(cell, to: width, without: lostStarts[index])
      : DisplayWidth.cut(cell, to: width)
  }

  private func line(_ cells: [String], isColored: Bool = false) -> String {
    var (text, pending) = ("", 0)
    for (index, cell) in cells.enumerated() {
      let isAlignedRight = columns[index].isNumeric
      let cell = fitted(cell, index)
      let space = widths[index] - DisplayWidth.of(cell)
      if index > 0 { pending += Self.gap.utf8.count }
      if isAlignedRight { pending += space }
      if !cell.isEmpty {
        let color = isColored && columns[index].name == "state" ? Self.colors[cell] : nil
        text += String(repeating: " ", count: pending)
        text += color.map { "\u{1B}[\($0)m\(cell)\u{1B}[0m" } ?? cell
        pending = 0
      }
      if !isAlignedRight { pending += space }
    }
    return text
  }

  static func widths(_ header: [String], _ rows: [[String]]) -> [Int] {
    rows.reduce(header.map(DisplayWidth.of)) { widths, row in
      zip(widths, row).map { max($0, DisplayWidth.of($1)) }
    }
  }

  static func foldedWidths(_ names: [String], _ rows: [[String]]) -> [Int] {
    let lines = folded(names)
    return widths(lines[0], lines.dropFirst() + rows)
  }

  /// Returns names in two lines, each divided after the underscore nearest to its middle; one without stands below.
  private static func folded(_ names: [String]) -> [[String]] {
    let parts = names.map { name -> (first: String, last: String) in
      let ends = name.indices.filter { name[$0] == "_" }.map { name.index(after: $0) }
      let halves = ends.map { (first: String(name[..<$0]), last: String(name[$0...])) }
      let length = { (half: (first: String, last: String)) in max(half.first.count, half.last.count)
      }
      return halves.min { length($0) < length($1) } ?? (first: "", last: name)
    }
    return [parts.map(\.first), parts.map(\.last)]
  }

  private static func lineWidth(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap.utf8.count * max(0, widths.count - 1)
  }

  /// Narrows the widest column of words, one terminal column at a time, until the line fits.
  private static func fitting(_ widths: [Int], canBeCut: [Bool], into limit: Int?) -> [Int] {
    guard let limit else { return widths }
    var widths = widths
    var excess = lineWidth(widths) - limit
    while excess > 0 {
      let candidates = widths.indices.filter { canBeCut[$0] && widths[$0] > leastWidth }
      guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  static func visible(_ text: String) -> String { VisibleText.of(text) }
}

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

  /// Returns the names of the columns that fit, by their widths; of the rows only the keys matter.
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
