import Tables

/// Aligned columns for a terminal: two spaces between them, numbers to the right, no trailing spaces.
///
/// Control characters in words are shown (`\n`, `\u{1B}`) and never sent, so that data cannot move the
/// cursor or colour the screen; so are the marks that reverse the direction of text.
struct TerminalTable {
  /// No column of words is cut below this many terminal columns.
  private static let leastWidth = 8
  static let gap = "  "
  /// The colours of states that are not final: yellow and cyan.
  private static let colors = ["partial": "33", "provisional": "36"]

  private let header: [String]
  private let rows: [[String]]
  private let columns: [ReportTable.Column]
  private let widths: [Int]
  private let isColored: Bool

  init(_ table: ReportTable, isColored: Bool, width: Int?) {
    let rows = CellText.rows(table, words: Self.visible)
    self.init(
      table.columns, rows,
      widths: Self.widths(table.columns.map { Self.visible($0.name) }, rows),
      isColored: isColored, width: width)
  }

  /// Creates a table whose rows are printed one after another, given the widths of all columns.
  init(_ columns: [ReportTable.Column], widths: [Int], isColored: Bool, width: Int?) {
    self.init(columns, [], widths: widths, isColored: isColored, width: width)
  }

  private init(
    _ columns: [ReportTable.Column], _ rows: [[String]], widths: [Int], isColored: Bool,
    width: Int?
  ) {
    (self.columns, self.rows, self.isColored) = (columns, rows, isColored)
    header = columns.map { Self.visible($0.name) }
    self.widths = Self.fitting(
      widths, canBeCut: columns.map { !$0.isNumeric && $0.name != Trend.column },
      into: width)
  }

  func append(to buffer: inout [UInt8]) {
    appendHeader(to: &buffer)
    for row in rows { append(row, to: &buffer) }
  }

  func appendHeader(to buffer: inout [UInt8]) {
    let names = line(header)
    buffer.append(contentsOf: (isColored ? "\u{1B}[1m\(names)\u{1B}[0m\n" : names + "\n").utf8)
  }

  func append(_ row: [String], to buffer: inout [UInt8]) {
    buffer.append(contentsOf: (line(row, isColored: isColored) + "\n").utf8)
  }

  private func line(_ cells: [String], isColored: Bool = false) -> String {
    var (text, pending) = ("", 0)
    for (index, cell) in cells.enumerated() {
      let isAlignedRight = columns[index].isNumeric
      let cell =
        isAlignedRight
        ? cell
        // Names often differ in their last letters only.
        : columns[index].kind == .key
          ? DisplayWidth.cutInside(cell, to: widths[index])
          : DisplayWidth.cut(cell, to: widths[index])
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

  /// Narrows the widest column of words, one terminal column at a time, until the line fits.
  private static func fitting(_ widths: [Int], canBeCut: [Bool], into limit: Int?) -> [Int] {
    guard let limit else { return widths }
    var widths = widths
    var excess = widths.reduce(0, +) + gap.utf8.count * max(0, widths.count - 1) - limit
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
