import Metrics
import Rendering
import SubscriptionModel

/// The page for readers, `summary.md`.
///
/// Health first, then the month's headline numbers, then a short table for each metric with the sentence that
/// defines it.
struct SummaryPage {
  private let result: RunResult
  private let tables: [TableKind: [ReportTable]]
  private let checks: Checks
  private let comparison: SourceComparison
  private let prices: PriceImpactPage?
  private let finance: FinanceReport?
  private var page = ""

  /// The number of months in a table; fewer in tables of money, which have a row for each currency.
  private static let shownMonths = (counts: 6, money: 2)
  /// The number of currencies in a table: those with the most charges.
  private static let shownCurrencies = 5
  /// The paid periods of a retention curve that are shown.
  private static let shownPeriods: Set<Int> = [1, 2, 3, 4, 6, 9, 12, 24]

  init(
    _ result: RunResult, tables: [TableKind: [ReportTable]], checks: Checks,
    prices: PriceImpactPage?, finance: FinanceReport?
  ) {
    self.result = result
    self.prices = prices
    self.finance = finance
    self.tables = tables
    self.checks = checks
    comparison = SourceComparison(result, tables)
  }

  /// Returns the page.
  consuming func text() -> String {
    writeTitle()
    page += HealthSection(result, checks, comparison, finance).text()
    page += HeadlineFigures(result, tables).text()
    page += comparison.text
    for kind in TableKind.allCases { writeMetric(kind) }
    page += prices?.summary() ?? ""
    if let finance { page += finance.summary() }
    writeReadingGuide()
    return page
  }

  private mutating func writeTitle() {
    page += "# Subscriptions"
    if let month = result.lastCompleteMonth() {
      page += " to \(month.longName(result.plan.monthSystem))"
      if !result.isOver(month) { page += ", which is not over" }
    }
    page += "\(result.titleEnd)\n\n"
    let spans = result.sources.map { report in
      "`\(report.source.rawValue)` from \(report.completeness.firstDay) to \(report.completeness.asOf)"
    }
    page += spans.isEmpty ? "" : "Data: " + spans.joined(separator: ", ") + ".\n\n"
  }

  // MARK: Metrics

  private mutating func writeMetric(_ kind: TableKind) {
    guard let views = tables[kind], let whole = views.first(where: \.dimensions.isEmpty) else {
      return
    }
    let definition = Definition.definition(of: kind, for: Set(result.sources.map(\.source)))
    page += "## \(definition.title)\n\n\(definition.sentence)\n\n"
    let ofMonths = rowsOfShownMonths(of: whole)
    let shown = shownRows(of: ofMonths)
    if shown.rows.isEmpty {
      page += "Nothing to show for these months.\n\n"
    } else {
      page += TableRenderer(.md).text(of: shown) + "\n"
    }
    if kind == .refunds { page += refundsOfEarlierSales(whole) }
    page += "\(definition.caveat)\n\n"
    let currencies = ofMonths.mainCurrencies(limit: Self.shownCurrencies)
    if let hidden = ofMonths.hiddenCurrencies(besides: currencies) { page += hidden + "\n\n" }
    let files = views.map { "`\($0.fileStem).csv`" }.joined(separator: ", ")
    page += "\(Self.extent(of: kind)) All of it: \(files).\n\n"
  }

  /// Returns a sentence on the part of a table that the page shows.
  private static func extent(of kind: TableKind) -> String {
    switch kind {
    case .retention: "Shown: some k up to 24."
    case .refunds:
      "Shown: \(shownMonths.money) months by date of sale, up to \(shownCurrencies) currencies."
    case .proceeds, .commitments:
      "Shown: \(shownMonths.money) months, up to \(shownCurrencies) currencies."
    default: "Shown: \(shownMonths.counts) months."
    }
  }

  /// Returns a sentence on refunds of sales that are not in the data.
  ///
  /// They have no row by date of sale, but count wherever refunds count by their own date.
  private func refundsOfEarlierSales(_ whole: ReportTable) -> String {
    let sum = { (source: String, dating: String) -> Int in
      let rows = whole.filtered("source") { $0 == source }.filtered("dating") { $0 == dating }
      let columns = whole.columns.indices.filter {
        ["refunds_full", "refunds_partial"].contains(whole.columns[$0].name)
      }
      return rows.rows.flatMap { row in columns.map { row[$0] } }.reduce(0) { sum, cell in
        if case .count(let count) = cell { return sum + count }
        return sum
      }
    }
    return result.sources.map(\.source.rawValue).compactMap { source -> String? in
      let earlier = sum(source, "refund") - sum(source, "sale")
      guard earlier > 0 else { return nil }
      let isOne = earlier == 1
      return
        "\(counted(earlier, "refund")) in `\(source)` \(isOne ? "is of a sale that is" : "are of sales that are") not in the data: \(isOne ? "it has its" : "they have their") row under dating `refund` only, in `refunds.csv`, and \(isOne ? "counts" : "count") in net proceeds.\n\n"
    }.joined()
  }

  /// Returns the rows of the last months, with refunds by date of sale.
  private func rowsOfShownMonths(of whole: ReportTable) -> ReportTable {
    var table = whole
    if let last = result.lastCompleteMonth() {
      let isMoney = table.columns.contains { $0.name == "currency" }
      let count = isMoney ? Self.shownMonths.money : Self.shownMonths.counts
      let months = Set((0..<count).map { result.plan.monthSystem.name(last - $0) })
      table = table.filtered("month") { months.contains($0) }
    }
    return table.filtered("dating") { $0 == "sale" }
  }

  /// Returns the rows and columns that fit on a page: main periods, main currencies, and no empty columns.
  private func shownRows(of ofMonths: ReportTable) -> ReportTable {
    var table = ofMonths
    if let column = table.columns.firstIndex(where: { $0.name == "k" }) {
      table.rows = table.rows.filter { row in
        guard case .count(let k) = row[column] else { return false }
        return Self.shownPeriods.contains(k)
      }
    }
    let currencies = Set(table.mainCurrencies(limit: Self.shownCurrencies))
    return table.filtered("currency") { currencies.contains($0) }.withoutEmptyColumns
  }

  private mutating func writeReadingGuide() {
    page += "## How to read this\n\n"
    let sources = result.sources.map(\.source)
    if sources.contains(where: { $0 != .receipts }) {
      page += """
        - `partial`: days of the month's data are missing, or subscriptions from before the data may \
        not have been seen yet.

        """
    }
    page += """
      - `provisional`: the number can still change: the month is not over, or Apple may still collect.
      - `final`: nothing that is known to be outstanding.
      - An empty cell means not known; 0 means zero. Currencies are never added up.
      - `low` and `high` are the bounds of a 95 % interval.

      """
    if sources.contains(.receipts) {
      page += """
        - `receipts`: months are months of UTC, and customers of whom no receipt is in the dumps are in \
        no number.

        """
    }
  }
}
