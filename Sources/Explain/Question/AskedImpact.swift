import Counting
import Pipeline
import PriceImpact
import Rendering
import Scanning
import Storage
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

  /// Finds the row.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - result: A run that has looked for price changes.
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
    let values = question.conditions.map { "\($0.key) \($0.value)" }.joined(separator: " and ")
    let forRow = values.isEmpty ? "" : " for \(values)"
    let found = try question.row(
      among: rows, of: name, forRow, text: Self.text, choice: Self.choice)
    guard let cells = found else { throw QuestionError("\(name) has no row\(forRow)") }
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

  /// Returns the value of a key as the CSV has it; empty for an empty cell.
  private static func text(_ row: ReportTable.NamedRow, _ name: String) -> String {
    row.cell(name).machineText
  }

  /// Returns the options that choose one of several rows, such as `--where country=… (DE, US)`.
  private static func choice(of rows: [ReportTable.NamedRow]) -> String {
    let all = ExplainedTable.keysOfIncreases
    let values = rows.map { row in all.map { text(row, $0) } }
    return Nearest.keysTellingApart(values).map { place in
      Nearest.condition(all[place], Set<ExactText>(of: values.map { $0[place] }).inOrder)
    }.joined(separator: " and ")
  }

  // MARK: Lists and formulas

  /// The columns whose contributions are listed, in the order of the table.
  private var lists: [ImpactColumn] {
    let names = Set(columns.flatMap(\.lists))
    let own = ImpactColumn.all.filter { names.contains($0.name) && $0.part != nil }
    return names.contains(ImpactColumn.oldProceeds.name) ? own + [.oldProceeds] : own
  }

  /// Returns an empty list for each of these columns.
  func empty<Source: ExplainedSource>(_ listing: Listing) -> [RenewalList<Source>] {
    lists.compactMap { column in
      column.part.map {
        RenewalList(column, $0, limit: listing.limit, listing.order, row.oldPrice)
      }
    }
  }

  /// The formulas to show, each once.
  var formulas: [ImpactFormula] {
    let shown = Set(columns.flatMap(\.formulas))
    return ImpactFormula.allCases.filter(shown.contains)
  }
}
