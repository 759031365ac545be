import Pipeline
import Rendering
import Settlement
import SubscriptionModel
import Tables

extension IndexPage {
  /// The bridges that are drawn: the largest of the newest period.
  private static let shownBridges = 6

  /// From sales to settlement to the bank, the verdicts of all periods, and the payments due; `nil` without finance files.
  var reconciliationSection: PageSection? {
    guard let finance = content.finance, let newest = finance.periods.last else { return nil }
    let settled = finance.periods.last { period in
      finance.reconciliation.bridges.contains {
        $0.period == period && $0.amount(of: .totalOwed) != nil
      }
    }
    let shown = settled ?? newest
    return PageSection("reconciliation", "From sales to the bank") { page in
      page.list(markdown: finance.sectionSentences, linking: files)
      page.paragraph(
        markdown:
          "Shown is \(shown): \(finance.headline(shown)) \(finance.paymentSentences(shown)) Every line with its cause: `\(FinanceReport.pageName(shown))`.",
        linking: files)
      appendBridges(finance, shown, to: &page)
      append(explanation: content.explainBridge(shown), of: "a bridge", to: &page)
      append(finance.periodTable(), "All periods: what nothing explains", to: &page)
      page.paragraph(markdown: finance.dueSentences().joined(separator: " "), linking: files)
      let toCome = finance.toComeTable()
      if !toCome.rows.isEmpty { append(toCome, "Still to come, and when", to: &page) }
      append(
        newestFirst(finance.readersDueTable()), "Each period: what is owed, and what became of it",
        to: &page)
      page.paragraph(
        markdown:
          "All lines: `reconcile.csv`, `reconcile-by-product.csv`, `verdicts.csv`, `payments_due.csv`.",
        linking: files, class: "note")
    }
  }

  private func appendBridges(
    _ finance: FinanceReport, _ period: FiscalPeriod, to page: inout HTMLWriter
  ) {
    let frame = FigureFrame(
      months: .fiscal, files: ["reconcile.csv"].filter(files.contains),
      command: command.line("reconcile", "--month \(period) -f csv"))
    let bridges = finance.reconciliation.bridges.filter { $0.period == period }
    let bySize = bridges.sorted { left, right in
      let units = [left, right].map { bridge in
        bridge.entries(of: .salesGross).compactMap(\.count).reduce(0, +)
      }
      return units[0] != units[1] ? units[0] > units[1] : left.region < right.region
    }
    let figures = bySize.compactMap { Figures.bridge($0, finance.names, frame) }
    for figure in figures.prefix(Self.shownBridges) { append(figure, to: &page) }
    let more = bridges.count - min(figures.count, Self.shownBridges)
    if more > 0 {
      let reason =
        figures.isEmpty
        ? "No bridge can be drawn: \(unknownTotals(bridges)) not known. All lines"
        : "\(counted(more, "bridge")) more of the period"
      page.paragraph(
        markdown: "\(reason): `\(FinanceReport.pageName(period))`.",
        linking: files, class: "note")
    }
  }

  /// Returns which totals of the bridges are not known, such as `sales are` or `sales and the amount owed are`.
  private func unknownTotals(_ bridges: [Bridge]) -> String {
    let totals: [(line: Bridge.Line, name: String)] = [
      (.salesGross, "sales"), (.financeShare, "the settlement"), (.totalOwed, "the amount owed"),
    ]
    let names = totals.filter { total in bridges.contains { $0.amount(of: total.line) == nil } }
      .map(\.name)
    let verb = names.first == "sales" || names.count > 1 ? "are" : "is"
    let others = names.dropLast().joined(separator: ", ")
    return "\(others)\(others.isEmpty ? "" : " and ")\(names.last ?? "") \(verb)"
  }

  private func newestFirst(_ table: ReportTable) -> ReportTable {
    table.sorted(by: TableShape.Order(column: "period", isDescending: true))
  }
}
