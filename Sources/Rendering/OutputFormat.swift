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
  ///
  /// - Parameter fileExtension: The extension without its dot, such as `csv`.
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
