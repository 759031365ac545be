import Metrics

extension HeadlineFigures {
  /// Returns the headline numbers of the whole population in every month that tables have.
  static func ofAllMonths(_ result: RunResult) throws(ConversionError) -> [RunRecord.Figure] {
    let maker = result.tableMaker()
    guard let whole = result.plan.views.firstIndex(of: []) else { return [] }
    var all: [RunRecord.Figure] = []
    for figure in figures + moneyFigures where maker.allows(figure.table) {
      let table = try maker.table(figure.table, view: whole)
      all += rows(of: figure, in: table)
    }
    return all
  }

  /// Reads one number a row; of tables with several rows a month, one a currency.
  private static func rows(of figure: Figure, in table: ReportTable) -> [RunRecord.Figure] {
    func index(_ name: String) -> Int? { table.columns.firstIndex { $0.name == name } }
    guard let source = index("source"), let month = index("month"), let value = index(figure.column)
    else { return [] }
    let (currency, dating) = (index("currency"), index("dating"))
    return table.rows.compactMap { row in
      guard case .text(let source) = row[source], case .text(let month) = row[month],
        dating.map({ row[$0] == .text("sale") }) != false
      else { return nil }
      var label = figure.label
      if let currency, case .text(let code) = row[currency] { label += ", " + code }
      return RunRecord.Figure(
        name: .init(label: label, source: source, month: month), value: row[value])
    }
  }
}
