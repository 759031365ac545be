package import Tables

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
