package import Pipeline
package import Tables

extension HeadlineFigures {
  /// A headline number of the whole population in a month.
  package typealias Past = (name: PastName, value: ReportTable.Cell)

  /// Identifies a headline number.
  package struct PastName: Hashable {
    package var label: String
    package var source: String
    package var month: String

    package init(label: String, source: String, month: String) {
      self.label = label
      self.source = source
      self.month = month
    }
  }

  /// Returns the headline numbers of the whole population for every month in the tables.
  package static func ofAllMonths(_ result: RunResult) throws(ConversionError) -> [Past] {
    let maker = result.tableMaker()
    guard let whole = result.plan.views.firstIndex(of: []) else { return [] }
    var all: [Past] = []
    for figure in figures + moneyFigures + commitmentFigures
    where maker.allows(figure.table) {
      let table = try maker.table(figure.table, view: whole)
      all += rows(of: figure, in: table)
    }
    return all
  }

  /// Reads one number from each row; a table with a row for each currency gives one number for each.
  private static func rows(of figure: Figure, in table: ReportTable) -> [Past] {
    func index(_ name: String) -> Int? { table.columns.firstIndex { $0.name == name } }
    guard let source = index("source"), let month = index("month"), let value = index(figure.column)
    else { return [] }
    let (currency, dating) = (index("currency"), index("dating"))
    let (running, unknown) = (index("running"), index("position_unknown"))
    return table.rows.compactMap { row in
      guard case .text(let source) = row[source], case .text(let month) = row[month],
        dating.map({ row[$0] == .text("sale") }) != false
      else { return nil }
      var label = figure.label
      if let currency, case .text(let code) = row[currency] { label += ", " + code }
      // The amount owed for terms that all began before the data is not known, and not 0.
      var cell = row[value]
      if figure.column.hasPrefix("remaining"), let running, let unknown,
        row[running] == row[unknown], row[running] != .count(0)
      {
        cell = .missing
      }
      return (PastName(label: label, source: source, month: month), cell)
    }
  }
}
