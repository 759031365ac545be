package import Tables

/// Prints finished tables; it computes nothing.
///
/// The same table gives the same bytes, whatever the locale. A header is always printed, even without rows
/// (JSON has no header and gives `[]`). The kind of a cell's value decides how it is escaped: words from the data
/// are guarded, numbers never are.
package struct TableRenderer: Sendable {
  private let format: OutputFormat
  private let isColored: Bool
  private let width: Int?
  private let csv: SeparatedValues

  /// Creates a renderer.
  ///
  /// Only ``OutputFormat/table`` has `isColored`, for its header, and `width`: words are cut with `…` to fit it,
  /// numbers never are. Only ``OutputFormat/csv`` has `marks`.
  package init(
    _ format: OutputFormat, isColored: Bool = false, width: Int? = nil, marks: CSVMarks = .usual
  ) {
    (self.format, csv, self.isColored, self.width) = (format, .csv(marks), isColored, width)
  }

  /// Appends a table to a buffer of UTF-8: whole lines, the last one ended too.
  package func append(_ table: ReportTable, to buffer: inout [UInt8]) {
    switch format {
    case .table:
      if let heading = table.heading?.text {
        buffer.append(contentsOf: (TerminalTable.visible(heading) + "\n").utf8)
      }
      TerminalTable(table, isColored: isColored, width: width).append(to: &buffer)
    default:
      appendHeader(table, to: &buffer)
      appendRows(of: table, to: &buffer)
      appendEnd(isEmpty: table.rows.isEmpty, to: &buffer)
    }
  }

  /// Appends the lines before the rows; not for ``OutputFormat/table``.
  func appendHeader(_ table: ReportTable, to buffer: inout [UInt8]) {
    switch format {
    case .csv: csv.appendHeader(of: table, to: &buffer)
    case .tsv: SeparatedValues.tsv.appendHeader(of: table, to: &buffer)
    case .md: MarkdownTable.appendHeader(of: table, to: &buffer)
    case .json: buffer.append(UInt8(ascii: "["))
    case .jsonl: break
    case .table, .html, .svg, .sqlite, .xlsx: preconditionFailure("a format of rows and of text")
    }
  }

  /// Appends the end of a JSON array.
  func appendEnd(isEmpty: Bool, to buffer: inout [UInt8]) {
    if format == .json { buffer.append(contentsOf: (isEmpty ? "]\n" : "\n]\n").utf8) }
  }

  /// Appends the next rows of a table that is printed piece by piece; not for ``OutputFormat/table``.
  package func appendRows(
    of table: ReportTable, areFirst: Bool = true, to buffer: inout [UInt8]
  ) {
    switch format {
    case .csv: csv.appendRows(of: table, to: &buffer)
    case .tsv: SeparatedValues.tsv.appendRows(of: table, to: &buffer)
    case .md: MarkdownTable.appendRows(of: table, to: &buffer)
    case .json: JSONTable.appendElements(of: table, areFirst: areFirst, to: &buffer)
    case .jsonl: JSONTable.appendLines(table, to: &buffer)
    case .table, .html, .svg, .sqlite, .xlsx: preconditionFailure("a format of rows and of text")
    }
  }

  package func bytes(of table: ReportTable) -> [UInt8] {
    var buffer: [UInt8] = []
    append(table, to: &buffer)
    return buffer
  }

  package func text(of table: ReportTable) -> String {
    String(decoding: bytes(of: table), as: UTF8.self)
  }
}

/// A way to write a table, as `--format` names it.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// Aligned columns for a terminal.
  case table
  /// Comma-separated values, RFC 4180 with LF line ends.
  case csv
  /// Tab-separated values with backslash escapes.
  case tsv
  /// A Markdown pipe table.
  case md
  /// One JSON array of objects.
  case json
  /// One JSON object a line.
  case jsonl
  /// A page with the table and its figures.
  case html
  /// The figure of the table alone.
  case svg
  /// An SQLite database.
  case sqlite
  /// A workbook for spreadsheets.
  case xlsx

  /// Whether it has nothing but the rows; a page and a figure need more than the table.
  package var isOfRows: Bool { self != .html && self != .svg }

  /// Whether it is no text: ``TableRenderer`` does not print it, and a terminal cannot show it.
  package var isBinary: Bool { self == .sqlite || self == .xlsx }

  /// Whether people read it rather than programs, so that columns and sources are chosen for them.
  package var isForReaders: Bool { [.table, .md, .html, .svg].contains(self) }

  /// Creates the format that a file name's extension stands for.
  ///
  /// `txt` means ``table``, `markdown` means ``md``, `ndjson` means ``jsonl``, `htm` means ``html``, and
  /// `db` and `sqlite3` mean ``sqlite``; upper and lower case are the same. Any other extension gives `nil`.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "txt": self = .table
    case "markdown": self = .md
    case "ndjson": self = .jsonl
    case "htm": self = .html
    case "db", "sqlite3": self = .sqlite
    case let name: self.init(rawValue: name)
    }
  }
}
