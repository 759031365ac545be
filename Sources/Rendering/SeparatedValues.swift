import Tables

/// The marks of CSV for spreadsheets of other languages: `;` between cells and `,` in numbers.
package struct CSVMarks: Equatable, Sendable {
  /// The byte between cells: ASCII, and in no number.
  package let delimiter: UInt8
  /// The byte before the decimals.
  package let decimal: UInt8

  /// RFC 4180, with decimal points.
  package static let usual = Self(delimiter: UInt8(ascii: ","), decimal: UInt8(ascii: "."))

  package init(delimiter: UInt8, decimal: UInt8) {
    (self.delimiter, self.decimal) = (delimiter, decimal)
  }

  /// Returns whether a byte can stand between cells: ASCII, seen or a tab, and in no number and no quotes.
  package static func canDelimit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\t"): true
    case _ where byte.isLetterOrDigit || "+-\"'".utf8.contains(byte): false
    default: (0x20...0x7E).contains(byte)
    }
  }
}

/// Lines of cells with a separator between them: CSV and TSV.
///
/// Words that begin with `=`, `+`, `-`, `@`, a tab or a carriage return get a `'` before them, so that
/// a spreadsheet shows them instead of running them.
package enum SeparatedValues {
  /// RFC 4180: a cell with the delimiter, a quote or a line end is quoted, and its quotes are doubled.
  case csv(CSVMarks)
  /// Tab, LF, CR and backslash in words are written `\t`, `\n`, `\r` and `\\`; nothing is quoted.
  case tsv

  func appendHeader(of table: ReportTable, to buffer: inout [UInt8]) {
    appendLine(table.columns.map { .words($0.name) }, to: &buffer)
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
      case .number(let digits): append(digits: digits, to: &buffer)
      case .words(let words): append(words, to: &buffer)
      }
    }
    // Most readers skip an empty line, so a row with a single empty cell is written as `""`.
    if marks != nil, buffer.count == start { buffer.append(contentsOf: "\"\"".utf8) }
    buffer.append(UInt8(ascii: "\n"))
  }

  /// The marks of CSV; `nil` for TSV.
  private var marks: CSVMarks? { if case .csv(let marks) = self { marks } else { nil } }

  private var separator: UInt8 { marks?.delimiter ?? UInt8(ascii: "\t") }

  private func append(digits: String, to buffer: inout [UInt8]) {
    let point = UInt8(ascii: ".")
    guard let decimal = marks?.decimal, decimal != point else {
      return buffer.append(contentsOf: digits.utf8)
    }
    for byte in digits.utf8 { buffer.append(byte == point ? decimal : byte) }
  }

  private func append(_ words: String, to buffer: inout [UInt8]) {
    let guarded = Self.isFormula(words) ? "'" + words : words
    switch self {
    case .csv(let marks): Self.appendQuoted(guarded, marks.delimiter, to: &buffer)
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

  private static func appendQuoted(
    _ words: String, _ delimiter: UInt8, to buffer: inout [UInt8]
  ) {
    let quote = UInt8(ascii: "\"")
    guard mustBeQuoted(words, delimiter) else {
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

  private static func mustBeQuoted(_ words: String, _ delimiter: UInt8) -> Bool {
    let bytes = words.utf8.span
    for index in bytes.indices {
      switch bytes[index] {
      case delimiter, UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
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
