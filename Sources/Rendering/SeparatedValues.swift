import Tables

/// Lines of cells with a separator between them: CSV and TSV.
///
/// Words that begin with `=`, `+`, `-`, `@`, a tab or a carriage return get a `'` before them, so that
/// a spreadsheet shows them instead of running them.
package enum SeparatedValues {
  /// RFC 4180: a cell with a comma, a quote or a line end is quoted, and its quotes are doubled.
  case csv
  /// Tab, LF, CR and backslash in words are written `\t`, `\n`, `\r` and `\\`; nothing is quoted.
  case tsv

  func append(_ table: ReportTable, to buffer: inout [UInt8]) {
    appendLine(table.columns.map { .words($0.name) }, to: &buffer)
    appendRows(of: table, to: &buffer)
  }

  func appendRows(of table: ReportTable, to buffer: inout [UInt8]) {
    for row in table.rows { appendLine(row.map { CellText($0) }, to: &buffer) }
  }

  private func appendLine(_ cells: [CellText], to buffer: inout [UInt8]) {
    let start = buffer.count
    for (index, cell) in cells.enumerated() {
      if index > 0 { buffer.append(separator) }
      switch cell {
      case .missing: break
      case .number(let digits): buffer.append(contentsOf: digits.utf8)
      case .words(let words): append(words, to: &buffer)
      }
    }
    // Most readers skip an empty line, so a row with a single empty cell is written as `""`.
    if self == .csv, buffer.count == start { buffer.append(contentsOf: "\"\"".utf8) }
    buffer.append(UInt8(ascii: "\n"))
  }

  private var separator: UInt8 { self == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t") }

  private func append(_ words: String, to buffer: inout [UInt8]) {
    let guarded = Self.isFormula(words) ? "'" + words : words
    switch self {
    case .csv: Self.appendQuoted(guarded, to: &buffer)
    case .tsv: Self.appendEscaped(guarded, to: &buffer)
    }
  }

  /// Returns a text without the apostrophe that CSV puts before what a spreadsheet would run: `'=Pro` is `=Pro`.
  package static func withoutGuard(_ text: String) -> String {
    let rest = String(decoding: text.utf8.dropFirst(), as: UTF8.self)
    return text.utf8.first == UInt8(ascii: "'") && isFormula(rest) ? rest : text
  }

  /// Looks at the first byte, because a combining mark after `=` would hide it from `Character`.
  private static func isFormula(_ words: String) -> Bool {
    switch words.utf8.first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "\t"), UInt8(ascii: "\r"):
      true
    default: false
    }
  }

  private static func appendQuoted(_ words: String, to buffer: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    guard mustBeQuoted(words) else {
      buffer.append(contentsOf: words.utf8)
      return
    }
    buffer.append(quote)
    for byte in words.utf8 {
      if byte == quote { buffer.append(quote) }
      buffer.append(byte)
    }
    buffer.append(quote)
  }

  private static func mustBeQuoted(_ words: String) -> Bool {
    let bytes = words.utf8.span
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return true
      default: continue
      }
    }
    return false
  }

  private static func appendEscaped(_ words: String, to buffer: inout [UInt8]) {
    for byte in words.utf8 {
      switch byte {
      case UInt8(ascii: "\t"): buffer.append(contentsOf: "\\t".utf8)
      case UInt8(ascii: "\n"): buffer.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\r"): buffer.append(contentsOf: "\\r".utf8)
      case UInt8(ascii: "\\"): buffer.append(contentsOf: "\\\\".utf8)
      default: buffer.append(byte)
      }
    }
  }
}
