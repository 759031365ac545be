import Tables

/// Escapes words from the data for Markdown.
package enum MarkdownText {
  /// Returns text that Markdown shows as it is, on one line, inside a table cell or a sentence.
  ///
  /// Markup characters get a backslash: `|`, `` ` ``, `<`, `>`, `&`, `*`, `~`, `[`, `]`, the backslash
  /// itself, and `_` at the edge of a word (`pro_monthly` stays as it is). Control characters become
  /// numeric references: a line feed is `&#10;`. Marks that reverse the direction of text are shown, such as `\u{202E}`.
  package static func escaped(_ text: String) -> String {
    var buffer: [UInt8] = []
    let bytes = Array(
      VisibleText.of(text, where: { $0.value >= 0x80 && VisibleText.isControl($0) }).utf8)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "|"), UInt8(ascii: "`"), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "["),
        UInt8(ascii: "]"), UInt8(ascii: "\\"):
        buffer.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case UInt8(ascii: "_") where !isInsideWord(index, of: bytes):
        buffer.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0x00..<0x20, 0x7F:
        buffer.append(contentsOf: "&#\(byte);".utf8)
      default: buffer.append(byte)
      }
    }
    return String(decoding: buffer, as: UTF8.self)
  }

  private static func isInsideWord(_ index: Int, of bytes: [UInt8]) -> Bool {
    guard index > 0, index + 1 < bytes.count else { return false }
    return isWord(bytes[index - 1]) && isWord(bytes[index + 1])
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

/// A pipe table: numbers to the right and grouped, rates as percentages, missing as an empty cell.
enum MarkdownTable {
  static func appendHeader(of table: ReportTable, to buffer: inout [UInt8]) {
    appendLine(table.columns.map { MarkdownText.escaped($0.name) }, to: &buffer)
    appendLine(table.columns.map { $0.isNumeric ? "---:" : "---" }, to: &buffer)
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
