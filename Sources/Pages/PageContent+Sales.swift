import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// Net proceeds by SALES where those of the headline source are only a part of the month.
extension PageContent {
  /// The number of currencies with a line in the comparison of sources.
  private static let comparedCurrencies = 3

  /// The net proceeds by SALES, in Markdown, where the headline's source lacks days of the month and SALES has them all;
  /// blank otherwise.
  package var proceedsOfSales: String {
    guard let month = headlines?.month, let source = partialProceedsSource else { return "" }
    let name = months.name(month)
    // Converted amounts have other currencies than the tables.
    let amounts =
      target == nil
      ? salesRows(name).mainCurrencies(limit: .max).compactMap { code in
        amount(code, .sales, name).map { "\(HeadlineWords.text($0, currency: code)) \(code)" }
      } : []
    let more = amounts.count - HeadlineWords.shownCurrencies
    let shown =
      amounts.prefix(HeadlineWords.shownCurrencies).joined(separator: ", ")
      + (more > 0 ? " and \(more) more \(more == 1 ? "currency" : "currencies")" : "")
    let net = amounts.isEmpty ? "" : " By SALES net proceeds were \(shown);"
    let place = app == nil && otherSources != nil ? "The other sources" : "`proceeds.csv`"
    return
      "SALES reports have every day of \(month.longName(months)), `\(source.rawValue)` lacks some.\(net.isEmpty ? " See" : net + " see") \(place)."
  }

  /// The lines of the comparison of sources with net proceeds: those of the headline's source and of SALES.
  var comparedProceeds: [[ReportTable.Cell]] {
    guard let month = headlines?.month, target == nil, let words,
      let main = values.first(where: { $0.headline == .netProceeds })?.source, main != .sales,
      words.empty.sources.isDisjoint(with: [main, .sales])
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
        let state = report?.isPartial(month) ?? false ? ", partial" : ""
        return .text(HeadlineWords.text(cell, currency: code) + state + change)
      }
      // The first currency stands for others that are equal too.
      let isEqual = amount(code, .sales, name) == amount(code, main, name)
      return place > 0 && isEqual ? nil : [.text("Net proceeds, \(code)")] + cells
    }
  }

  /// The products with net proceeds in SALES and without any in the headline's source, as a sentence in Markdown; `nil`
  /// without any.
  ///
  /// Example: an app whose SUBSCRIBER reports were not downloaded.
  var productsOfSalesOnly: String? {
    guard let month = headlines?.month,
      let main = values.first(where: { $0.headline == .netProceeds })?.source, main != .sales,
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
      "`sales` has \(counted(others.count, "product")) without a charge in `\(main.rawValue)` in this month: \(names)."
  }

  /// The source of the headline's net proceeds where it lacks days of the month and SALES has them all; `nil` otherwise.
  private var partialProceedsSource: Source? {
    guard let month = headlines?.month, let words,
      let source = values.first(where: { $0.headline == .netProceeds })?.source, source != .sales,
      words.gap(source) == .missingDays,
      let sales = result.sources.first(where: { $0.source == .sales })?.completeness,
      sales.isOver(month), !sales.isPartial(month), !words.empty.sources.contains(.sales),
      !salesRows(months.name(month)).rows.isEmpty
    else { return nil }
    return source
  }

  /// Returns the currencies with the most charges in the headline month.
  ///
  /// - Parameter table: A table of money, with all months.
  /// - Returns: All currencies of the month, in their order.
  package func currencies(of table: ReportTable) -> [String] {
    rows(of: table, lastMonths: 1).mainCurrencies(limit: .max)
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
