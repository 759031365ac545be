import Pipeline
package import PriceImpact
import Scanning
import SubscriptionModel
import Tables

/// The row of `price_impact.csv` that a question is about, with the columns to explain.
struct AskedImpact {
  let row: ExplainedImpact
  /// The same row of the table.
  let cells: ReportTable.NamedRow
  /// The view that has the row.
  let view: ImpactView
  /// The asked column, or all that have a number.
  let columns: [ImpactColumn]
  /// The file that `report` writes the table to.
  let fileName: String

  /// The columns of every view whose values choose a row, besides the source.
  static let keys = [
    "product", "country", "currency", "plan", "effective", "effective_existing", "old_price",
    "new_price",
  ]

  /// Finds the row in a run that has looked for price changes.
  ///
  /// - Throws: ``QuestionError`` when there is no such row, several, or the cell is empty.
  init(_ question: Question, _ result: RunResult) throws(QuestionError) {
    view = question.view
    let (source, name) = (question.source, question.about.name)
    let table = result.priceTableMaker.impactTable(view: view)
    fileName = table.fileStem + ".csv"
    let rows = table.namedRows.filter { $0.source == source.rawValue }
    guard !rows.isEmpty else {
      throw QuestionError(
        "\(name) has no row of \(source == .receipts ? "receipts" : "Subscriber reports")")
    }
    let text = { (row: ReportTable.NamedRow, key: String) in row.value(key) ?? "" }
    let found = try question.row(
      among: rows, of: name, question.forRow(), text: text,
      choice: { rows in
        let values = rows.map { row in Self.keys.map { text(row, $0) } }
        let telling = Nearest.keysTellingApart(values).map { Self.keys[$0] }
        return question.choice(of: rows, by: telling, text)
      })
    guard let cells = found else {
      throw QuestionError("\(name) has no row\(question.forRow())")
    }
    let inOrder = table.columns.map { cells.cell($0.name) }
    let explained = result.priceTableMaker.explainedRows(view: view, of: source)
    guard let row = explained.first(where: { $0.cells == inOrder }) else {
      preconditionFailure("each row of the table can be explained")
    }
    (self.row, self.cells) = (row, cells)
    let asked = ImpactColumn.columns(of: source).filter { question.asks(for: $0.name) }
    columns = asked.filter { cells.cell($0.name) != .missing }
    if columns.isEmpty {
      let names = asked.map { "\(name).\($0.name)" }.joined(separator: " and ")
      throw QuestionError(
        "\(names) \(asked.count == 1 ? "is" : "are") empty in this row: not known, so there is nothing to explain"
      )
    }
  }

  /// Returns an empty list for each column whose contributions are listed, in the order of the table.
  func empty<Source: ExplainedSource>(_ listing: Listing) -> [RenewalList<Source>] {
    let wanted = Set(columns.flatMap(\.inputs))
    return (ImpactColumn.all + [.oldProceeds]).compactMap { column in
      guard let part = column.part, wanted.contains(column.name) else { return nil }
      return RenewalList(column, part, limit: listing.limit, listing.order, row.oldPrice)
    }
  }

  /// The formulas to show, each once.
  var formulas: [ImpactFormula] {
    let shown = Set(columns.flatMap(\.inputs))
    return ImpactFormula.allCases.filter { shown.contains($0.rawValue) }
  }
}

/// A question about `price_impact`.
extension Question {
  /// The view that has the row.
  package var view: ImpactView { views.first ?? .whole }

  var views: [ImpactView] { conditions.compactMap { ImpactView(rawValue: $0.key) } }
}
