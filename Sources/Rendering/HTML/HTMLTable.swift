package import Storage
package import Tables

/// Prints a table as HTML: a caption, header cells with their scope, and numbers to the right.
///
/// Numbers are grouped and rounded for people, as in Markdown; a missing cell is empty.
package struct HTMLTable {
  private let table: ReportTable
  private let caption: String
  private let isSortable: Bool
  /// The pages of values of the first column.
  private let links: [ExactText: String]

  /// Creates the printed form of a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - caption: What the rows are, in words; not escaped.
  ///   - isSortable: Whether the script may sort and filter the rows.
  ///   - links: The page of a value of the first column, by the value's text.
  package init(
    _ table: ReportTable, caption: String, isSortable: Bool = true, links: [ExactText: String] = [:]
  ) {
    self.table = table
    self.caption = caption
    self.isSortable = isSortable
    self.links = links
  }

  /// Writes the table in a box of its own, which scrolls sideways where the table is wider than the page.
  ///
  /// - Parameter page: Receives the HTML.
  package func append(to page: inout HTMLWriter) {
    // Without a tab stop, a keyboard could not scroll the box.
    page.element(.div, [.class: "scroll", .tabindex: "0", .role: "group", .ariaLabel: caption]) {
      appendTable(to: &$0)
    }
  }

  private func appendTable(to page: inout HTMLWriter) {
    let isLong = table.rows.count > 1
    let use = isSortable && isLong ? "sort" : nil
    page.element(.table, [.use: use, .cellpadding: "4"]) { page in
      page.element(.caption, text: caption)
      page.element(.thead) { page in
        page.element(.tr) { page in
          for column in table.columns {
            page.element(
              .th, [.scope: "col", .class: column.isNumeric ? "n" : nil],
              text: Self.heading(column))
          }
        }
      }
      page.element(.tbody) { appendRows(to: &$0) }
    }
  }

  private func appendRows(to page: inout HTMLWriter) {
    let isHeaded = table.columns.first?.isNumeric == false
    for cells in CellText.rows(table, words: { $0 }) {
      page.element(.tr) { page in
        for (index, cell) in cells.enumerated() {
          // An empty header would name nothing.
          if index == 0, isHeaded, !cell.isEmpty {
            page.element(.th, [.scope: "row"]) { page in
              if let link = links[cell] {
                page.element(.a, [.href: link], text: cell)
              } else {
                page.text(cell)
              }
            }
          } else {
            // Most cells are numbers: words are marked, not they. An empty cell needs no mark.
            let isWords = !table.columns[index].isNumeric && !cell.isEmpty
            page.element(.td, [.class: isWords ? "w" : nil], text: cell)
          }
        }
      }
    }
  }

  /// Returns a column's name in words, such as `churn rate`; the CSV file has `churn_rate`.
  ///
  /// - Parameter column: The column.
  /// - Returns: The heading.
  package static func heading(_ column: ReportTable.Column) -> String {
    column.name.replacing("_", with: " ")
  }
}
