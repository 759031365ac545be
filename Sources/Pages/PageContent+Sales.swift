import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Net proceeds by SALES beside those of other sources.
extension PageContent {
  /// The number of currencies with a line in the comparison of sources.
  private static let comparedCurrencies = 3

  /// The lines of the comparison of sources with net proceeds: those of the headline's source and of SALES.
  var comparedProceeds: [[ReportTable.Cell]] {
    guard let month = headlines?.month, target == nil,
      let main = values.first(where: { $0.headline == .netProceeds })?.source,
      result.sources.count(where: { $0.source == .sales || $0.source == .subscribers }) > 1
    else { return [] }
    let name = months.name(month)
    let sources = result.sources.map(\.source).sorted()
    let currencies = salesRows(name).mainCurrencies(limit: Self.comparedCurrencies)
    return currencies.enumerated().compactMap { place, code -> [ReportTable.Cell]? in
      let cells = sources.map { source -> ReportTable.Cell in
        guard let cell = amount(code, source, name) else { return .missing }
        let change =
          source == main ? "" : difference(of: cell, from: amount(code, main, name), code)
        let report = result.sources.first { $0.source == source }?.completeness
        let state = report?.isPartial(month) ?? false ? ", incomplete" : ""
        return .text(HeadlineFigures.text(cell, currency: code) + state + change)
      }
      // The first currency stands for others that are equal too.
      let isEqual = amount(code, .sales, name) == amount(code, .subscribers, name)
      return place > 0 && isEqual ? nil : [.text("Net proceeds, \(code)")] + cells
    }
  }

  /// The products with net proceeds in SALES and without any charge in Subscriber reports, as a sentence in Markdown; `nil`
  /// without any.
  ///
  /// Example: an app whose SUBSCRIBER reports were not downloaded.
  var productsOfSalesOnly: String? {
    let main = Source.subscribers
    guard let month = headlines?.month, result.sources.contains(where: { $0.source == main }),
      let view = tables[.proceeds]?.first(where: { $0.dimensions == [Dimension.product.rawValue] })
    else { return nil }
    let rows = view.namedRows.filter { $0.text("month") == months.name(month) }
    let products = { (source: Source) in
      Set(rows.filter { $0.source == source.rawValue }.map { $0.text("product") })
    }
    let others = products(.sales).subtracting(products(main)).sorted { $0.precedes($1) }
    guard !others.isEmpty, !products(main).isEmpty else { return nil }
    let names = others.map { MarkdownText.escaped($0) }.listed(atMost: 5)
    return
      "Sales reports have \(counted(others.count, "product")) without a charge in Subscriber reports in this month: \(names)."
  }

  private func proceeds(_ source: Source, _ month: String) -> ReportTable? {
    tables[.proceeds]?.first(where: \.dimensions.isEmpty)?.filtered("month") { $0 == month }
      .filtered("source") { $0 == source.rawValue }
  }

  private func salesRows(_ month: String) -> ReportTable {
    proceeds(.sales, month) ?? ReportTable(name: "proceeds", dimensions: [], columns: [], rows: [])
  }

  /// Returns the net proceeds of a currency in a month; `nil` where the source does not have them.
  private func amount(_ currency: String, _ source: Source, _ month: String) -> ReportTable.Cell? {
    let row = proceeds(source, month)?.namedRows.first { $0.text("currency") == currency }
    guard let cell = row?.cell("net_proceeds"), case .money = cell else { return nil }
    return cell
  }
}
