import FigurePages
import Rendering
import Tables

/// The words and figures around a table that is printed as a page, or whose figure is printed.
struct TablePage {
  /// The title, in Markdown.
  let title: String
  /// What the table says, in Markdown.
  var lead: [String] = []
  var figures = TableFigures.empty

  /// Returns the page with some tables, as UTF-8.
  func html(_ tables: [ReportTable]) -> [UInt8] {
    figures.html(title: title, lead: lead.filter { !$0.isEmpty }, tables: tables)
  }

  /// Returns a table without a figure in a format: as a page, or row by row.
  func bytes(of table: ReportTable, _ format: OutputFormat) -> [UInt8] {
    format == .html ? html([table]) : TableRenderer(format).bytes(of: table)
  }
}
