import Evidence
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
  /// The view that has the row.
  let view: ImpactView
  /// The asked column, or all that have a number.
  let columns: [ImpactColumn]
  /// The cells of the row by their columns.
  let cells: [String: ReportTable.Cell]
  /// The file that `report` writes the table to.
  let fileName: String

  /// Finds the row.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - result: A run that has looked for price changes.
  /// - Throws: ``QuestionError`` when there is no such row, several, or the cell is empty.
  init(_ question: ImpactQuestion, _ result: RunResult) throws(QuestionError) {
    let source = question.source
    view = question.view
    let table = result.priceTableMaker.impactTable(view: question.view)
    let rows = table.rows.map { cells in
      Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), cells))
    }.filter { Self.text($0, "source") == source.rawValue }
    let cells = try Self.found(question, rows)
    (self.cells, fileName) = (cells, table.fileStem + ".csv")
    let inOrder = table.columns.compactMap { cells[$0.name] }
    let explained = result.priceTableMaker.explainedRows(view: question.view, of: source)
    guard let row = explained.first(where: { $0.cells == inOrder }) else {
      preconditionFailure("each row of the table can be explained")
    }
    self.row = row
    let asked = ImpactColumn.columns(of: source).filter {
      question.chosen?.contains($0.name) ?? true
    }
    columns = asked.filter { cells[$0.name] != .missing }
    if columns.isEmpty {
      let names = asked.map { "\(ImpactQuestion.table).\($0.name)" }.joined(separator: " and ")
      throw QuestionError(
        "\(names) \(asked.count == 1 ? "is" : "are") empty in this row: not known, so there is nothing to explain"
      )
    }
  }

  /// The columns whose contributions are listed, in the order of the table.
  var lists: [ImpactColumn] {
    let names = Set(columns.flatMap(\.lists))
    let own = ImpactColumn.all.filter { names.contains($0.name) && $0.part != nil }
    return names.contains(ImpactColumn.oldProceeds.name) ? own + [.oldProceeds] : own
  }

  /// Returns an empty list for each of these columns.
  ///
  /// - Parameters:
  ///   - limit: How many renewals of each column are printed; `nil` for all.
  ///   - order: Their order.
  /// - Returns: The lists.
  func empty<Element>(limit: Int?, _ order: ContributionOrder) -> [RenewalList<Element>] {
    lists.compactMap { column in
      column.part.map { RenewalList(column, $0, limit: limit, order, row.oldPrice) }
    }
  }

  /// The formulas to show, each once.
  var formulas: [ImpactFormula] {
    let shown = Set(columns.flatMap(\.formulas))
    return ImpactFormula.allCases.filter(shown.contains)
  }

  // MARK: Rows

  private typealias Row = [String: ReportTable.Cell]

  /// Returns the only row with the values of a question.
  private static func found(
    _ question: ImpactQuestion, _ rows: [Row]
  ) throws(QuestionError) -> Row {
    guard !rows.isEmpty else {
      let what = question.source == .receipts ? "receipts" : "Subscriber reports"
      throw QuestionError("\(ImpactQuestion.table) has no row of \(what)")
    }
    for condition in question.conditions {
      let values = rows.map { text($0, condition.key) }
      guard !values.contains(where: condition.value.isSame) else { continue }
      let advice = Nearest.advice(condition.value, of: condition.key, among: values)
      throw QuestionError(
        "--where \(condition.key)=\(condition.value): no row of \(ImpactQuestion.table) has this value\(advice)"
      )
    }
    let found = rows.filter { row in
      question.conditions.allSatisfy { text(row, $0.key).isSame(as: $0.value) }
    }
    let values = question.conditions.map { "\($0.key) \($0.value)" }.joined(separator: " and ")
    let forRow = values.isEmpty ? "" : " for \(values)"
    guard let row = found.first else {
      throw QuestionError("\(ImpactQuestion.table) has no row\(forRow)")
    }
    guard found.count == 1 else {
      throw QuestionError(
        "\(ImpactQuestion.table) has \(counted(found.count, "row"))\(forRow); choose one with \(choice(of: found))"
      )
    }
    return row
  }

  /// Returns the value of a key as the CSV has it; empty for an empty cell.
  private static func text(_ row: Row, _ name: String) -> String {
    switch row[name] {
    case .text(let text): text
    case .money(let milliunits): NumberStyle.money(milliunits: milliunits)
    default: ""
    }
  }

  /// Returns the options that choose one of several rows, such as `--where country=… (DE, US)`.
  private static func choice(of rows: [Row]) -> String {
    let values = rows.map { row in ImpactQuestion.keys.map { text(row, $0) } }
    let keys = Nearest.keysTellingApart(values).map { ImpactQuestion.keys[$0] }
    return keys.map { key in
      Nearest.condition(key, Set<ExactText>(of: rows.map { text($0, key) }).inOrder)
    }.joined(separator: " and ")
  }
}
