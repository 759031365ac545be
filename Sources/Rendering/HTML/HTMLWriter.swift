package import Tables

/// Writes HTML into one growing buffer, and escapes all words.
///
/// Names of elements and attributes are cases of enums, so only values and texts can come from data. Example:
///
///     var page = HTMLWriter()
///     page.element(.p, [.class: "note"]) { page in
///       page.text("a < b, ")
///       page.element(.code, text: "churn.csv")
///     }
///     // <p class="note">a &lt; b, <code>churn.csv</code></p>
package struct HTMLWriter: Sendable {
  /// The HTML so far, as UTF-8.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Writes an element; attributes without a value are left out.
  package mutating func element(
    _ element: HTMLElement, _ attributes: KeyValuePairs<HTMLAttribute, String?> = [:],
    _ content: (inout HTMLWriter) -> Void
  ) {
    open(element, attributes)
    content(&self)
    close(element)
  }

  /// Writes an element that holds nothing but words.
  package mutating func element(
    _ element: HTMLElement, _ attributes: KeyValuePairs<HTMLAttribute, String?> = [:],
    text: String
  ) {
    open(element, attributes)
    self.text(text)
    close(element)
  }

  /// Writes a table: its caption, if not blank, its headings, and a line for each row.
  package mutating func table<Row>(
    _ attributes: KeyValuePairs<HTMLAttribute, String?> = [:], caption: String = "",
    headings: (inout HTMLWriter) -> Void, rows: some Sequence<Row>,
    row write: (Row, inout HTMLWriter) -> Void
  ) {
    element(.table, attributes) { page in
      if !caption.isEmpty { page.element(.caption, text: caption) }
      page.element(.thead) { $0.element(.tr, [:], headings) }
      page.element(.tbody) { page in
        for row in rows { page.element(.tr) { write(row, &$0) } }
      }
    }
  }

  /// Writes the start of an element, which ``close(_:)`` ends; one such as `meta` has no end.
  package mutating func open(
    _ element: HTMLElement, _ attributes: KeyValuePairs<HTMLAttribute, String?> = [:]
  ) {
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: element.rawValue.utf8)
    for (attribute, value) in attributes {
      guard let value else { continue }
      bytes.append(UInt8(ascii: " "))
      bytes.append(contentsOf: attribute.rawValue.utf8)
      bytes.append(contentsOf: "=\"".utf8)
      HTMLText.append(value, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
  }

  /// Writes the end of the element that was opened last.
  package mutating func close(_ element: HTMLElement) {
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: element.rawValue.utf8)
    bytes.append(UInt8(ascii: ">"))
    if element.endsLine { bytes.append(UInt8(ascii: "\n")) }
  }

  /// Writes words, which are escaped here.
  package mutating func text(_ words: String) { HTMLText.append(words, to: &bytes) }

  /// Writes a name, which may be broken after each dot: ids of products have no spaces.
  package mutating func name(_ name: String) {
    for (place, part) in name.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
      if place > 0 {
        text(".")
        open(.wbr)
      }
      text(String(part))
    }
  }

  /// Writes markup that is escaped already: pictures, style sheet and script, never a text of the data.
  package mutating func markup(_ markup: some Sequence<UInt8>) {
    bytes.append(contentsOf: markup)
  }

}

/// The elements of pages; a name is never made from data.
package enum HTMLElement: String, Sendable {
  case html, head, meta, link, title, style, script
  case body, header, nav, main, section, footer
  case h1, h2, h3, h4
  case p, ul, li, dl, dt, dd, div, figure, figcaption, details, summary
  case table, caption, thead, tbody, tr, th, td
  case a, b, i, small, strong, em, code, span, wbr

  /// Whether a line ends after the element, so that two versions of a page can be compared line by line.
  var endsLine: Bool {
    switch self {
    case .th, .td, .a, .b, .i, .small, .strong, .em, .code, .span, .wbr: false
    default: true
    }
  }
}

/// The attributes of elements; a name is never made from data.
package enum HTMLAttribute: String, Sendable {
  case id, `class`, lang, title, href, rel, name, content, charset, type, role, scope, tabindex
  case httpEquiv = "http-equiv"
  case ariaLabel = "aria-label"
  case ariaLabelledBy = "aria-labelledby"
  case ariaCurrent = "aria-current"
  /// What the script may do with the element: `sort`, `copy` or the id of a block of data.
  case use = "data-use"
}

/// Escapes words from the data for HTML.
enum HTMLText {
  /// Appends words so that HTML shows them as they are, between tags and in a quoted attribute.
  ///
  /// `&`, `<`, `>`, `"` and `'` become references. They are compared byte by byte: a quote followed by a combining mark
  /// is one `Character`, and still ends an attribute. Control characters are written out (``VisibleText``), because
  /// HTML forbids them, even as references.
  static func append(_ words: String, to buffer: inout [UInt8]) {
    for byte in VisibleText.of(words).utf8 {
      switch byte {
      case UInt8(ascii: "&"): buffer.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): buffer.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): buffer.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): buffer.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): buffer.append(contentsOf: "&#39;".utf8)
      default: buffer.append(byte)
      }
    }
  }
}

/// Prints a table as HTML: a caption, header cells with their scope, and numbers to the right.
///
/// Numbers are grouped and rounded for people, as in Markdown; a missing cell is empty.
package struct HTMLTable {
  private let table: ReportTable
  private let caption: String

  /// Creates the printed form of a table; the caption is escaped here.
  package init(_ table: ReportTable, caption: String) {
    (self.table, self.caption) = (table, caption)
  }

  /// Writes the table in a box of its own, which scrolls sideways where the table is wider than the page.
  package func append(to page: inout HTMLWriter) {
    // Without a tab stop, a keyboard could not scroll the box.
    page.element(.div, [.class: "scroll", .tabindex: "0", .role: "region", .ariaLabel: caption]) {
      $0.table(
        [.class: "data", .use: table.rows.count > 1 ? "sort" : nil], caption: caption,
        headings: { page in
          for column in table.columns {
            page.element(
              .th, [.scope: "col", .class: column.isNumeric ? "n" : nil],
              text: Self.heading(column))
          }
        }, rows: CellText.rows(table, words: { $0 }), row: append)
    }
  }

  private func append(_ cells: [String], to page: inout HTMLWriter) {
    let isHeaded = table.columns.first?.isNumeric == false
    for (index, cell) in cells.enumerated() {
      let column = table.columns[index]
      // An empty header would name nothing.
      if index == 0, isHeaded, !cell.isEmpty {
        page.element(.th, [.scope: "row"], text: Self.shown(cell, column))
      } else {
        // Most cells are numbers: words are marked, not they. Keys, such as months, are not broken. An empty cell needs
        // no mark.
        let mark = column.isNumeric || cell.isEmpty ? nil : column.kind == .key ? "k" : "w"
        page.element(.td, [.class: mark], text: Self.shown(cell, column))
      }
    }
  }

  /// The columns whose cells are words of this program, such as `more_churn`; others have words of the input.
  private static let ownWords = [
    "measure", "axis", "verdict", "break_even_verdict", "figure", "fact", "line",
  ]

  /// Returns a cell as pages have it: `−32.70` for `-32.70`, and `more churn` for `more_churn`.
  package static func shown(_ cell: String, _ column: ReportTable.Column) -> String {
    if ownWords.contains(column.name) { return cell.replacing("_", with: " ") }
    let isNegative = cell.utf8.first == UInt8(ascii: "-") && column.isNumeric
    return isNegative ? "\u{2212}" + cell.dropFirst() : cell
  }

  /// Returns a column's name in words, such as `churn rate`; the CSV file has `churn_rate`.
  package static func heading(_ column: ReportTable.Column) -> String {
    column.name.replacing("_", with: " ")
  }
}
