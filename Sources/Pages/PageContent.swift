import Counting
package import Pipeline
import PriceImpact
import Rendering
package import SubscriptionModel
package import Tables

/// The content that the pages for readers share: `summary.md` and `index.html`.
///
/// It chooses which source and months of a table are shown, and has the sentences that both pages print, in Markdown.
package struct PageContent: Sendable {
  package let result: RunResult
  package let tables: [TableKind: [ReportTable]]
  package let headlines: HeadlineMaker?
  package let values: [HeadlineValue]
  /// What changed the numbers, since the month and the year before.
  package let drivers: Drivers?
  package let health: HealthSection
  package let prices: PriceImpactPage?
  package let finance: FinanceReport?
  /// The currency to which money is converted; `nil` without a conversion.
  package let target: String?
  /// The app of the page, as tables print it; `nil` for all apps together.
  package let app: String?
  let appID: String?
  /// The recurring revenue of the headline month and those before; `nil` without any.
  package let revenue: RevenueHeadlines?
  /// What the run says otherwise than the one before; `nil` without a ledger, and on the page of an app.
  package var changes: ChangedNumbers?

  package init(
    _ result: RunResult, tables: [TableKind: [ReportTable]], checks: Checks,
    headlines: HeadlineMaker?, drivers: Drivers?,
    prices: PriceImpactPage?, finance: FinanceReport?, convertedTo target: String? = nil
  ) {
    (app, appID) = (nil, nil)
    (self.result, self.tables) = (result, tables)
    (self.headlines, values, self.drivers) = (headlines, headlines?.values ?? [], drivers)
    (self.prices, self.finance, self.target) = (prices, finance, target)
    health = HealthSection(result, checks, SourceComparison(result, tables), finance)
    revenue = headlines.flatMap { RevenueHeadlines(tables, $0, convertedTo: target) }
  }

  /// Creates the content of one app, from the tables by app.
  ///
  /// What other apps have in common with it, such as the health of the data, stays; price increases and settlements are
  /// those of all apps and are left out.
  init(
    _ app: AppPage, _ tables: [TableKind: [ReportTable]], of whole: PageContent,
    conversion: CurrencyConversion?
  ) {
    (self.app, appID) = (app.name, app.id)
    self.tables = tables
    result = whole.result
    headlines = whole.headlines.map { all in
      HeadlineMaker(
        whole.result.tableMaker(conversion: conversion), tables: tables, month: all.month,
        months: whole.months, headlineSource: all.headlineSource, app: app.name)
    }
    values = headlines?.values ?? []
    drivers = whole.drivers?.products(of: app.name, result.names.appsOfProducts, in: values)
    (prices, finance) = (nil, nil)
    (target, health) = (whole.target, whole.health)
    revenue = headlines.flatMap { RevenueHeadlines(tables, $0, convertedTo: whole.target) }
  }

  /// What moved recurring revenue: that of ``revenue``, or of the first source that follows single subscriptions, because
  /// a snapshot says only how much there is; `nil` without any.
  var movedRevenue: RevenueHeadlines? {
    guard let revenue, revenue.source == "snapshot" else { return revenue }
    return headlines.flatMap {
      RevenueHeadlines(
        tables, $0, from: $0.sourceOrder.map(\.rawValue), convertedTo: target)
    }
  }

  /// ``revenue`` by proceeds; `nil` where its source does not know them.
  var revenueByProceeds: RevenueHeadlines? {
    guard let headlines, let source = revenue?.source else { return nil }
    return RevenueHeadlines(
      tables, headlines, basis: "proceeds", from: [source], convertedTo: target)
  }

  package var months: MonthSystem { result.plan.monthSystem }

  /// The dimensions by which changes are split: the app where there are several, then those of PAGE.md.
  package var splitDimensions: [Dimension] {
    ([.app] + RunResult.driverDimensions).filter(result.splitDimensions.contains)
  }

  // MARK: Tables

  /// The number of months in which a source must have rows of a table to be shown.
  private static let recentMonths = 6

  /// Returns the source that a table is shown from, and its rows of the last months without `source` and `dating`.
  ///
  /// It is the headline source where that has recent rows with the table's main number, or that of `column`, else the
  /// first other one.
  package func table(
    of kind: TableKind, months count: Int, having column: String? = nil
  ) -> (source: Source, table: ReportTable)? {
    guard let whole = tables.whole(kind) else { return nil }
    let recent = rows(of: whole, lastMonths: min(count, Self.recentMonths))
    let shown = rows(of: whole, lastMonths: count)
    for source in headlines?.sourceOrder ?? [] {
      let known = { (table: ReportTable) in table.filtered("source") { $0 == source.rawValue } }
      let own = known(recent)
      // A rate or an amount that the source does not have is another source's to show.
      guard !own.rows.isEmpty, Self.has(column ?? Self.neededColumns[kind], own) else { continue }
      return (source, known(shown).keeping { $0 != "source" && $0 != "dating" })
    }
    return nil
  }

  /// The numbers without which a source's rows answer nothing.
  private static let neededColumns: [TableKind: String] = [
    .trials: "conversion_rate", .proceeds: "net_proceeds",
  ]

  private static func has(_ name: String?, _ table: ReportTable) -> Bool {
    guard let name, let column = table.columns.firstIndex(where: { $0.name == name }) else {
      return true
    }
    return table.rows.contains { $0[column] != .missing }
  }

  /// Returns the rows of the last months up to the headline month, with refunds by date of sale.
  package func rows(of table: ReportTable, lastMonths count: Int) -> ReportTable {
    var table = table
    if let last = headlines?.month {
      let names = Set((0..<count).map { months.name(last - $0) })
      table = result.withoutMonthsWithoutFiles(table.filtered("month") { names.contains($0) })
    }
    return table.filtered("dating") { $0 == "sale" }
  }
}
