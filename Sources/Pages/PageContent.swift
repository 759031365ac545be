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
  /// Why there is no churn rate; blank when there is one.
  package let missingChurn: String
  package let words: HeadlineWords?
  /// The events of each month in a few words, marks on lines over time.
  package let events: [Month: String]
  /// The app of the page, as tables print it; `nil` for all apps together.
  package let app: String?
  /// What the run says otherwise than the one before; `nil` without a ledger, and on the page of an app.
  package var changes: ChangedNumbers?

  package init(
    _ result: RunResult, tables: [TableKind: [ReportTable]], checks: Checks,
    headlines: HeadlineMaker?, values: [HeadlineValue], drivers: Drivers?,
    prices: PriceImpactPage?, finance: FinanceReport?, convertedTo target: String? = nil
  ) {
    app = nil
    self.result = result
    self.tables = tables
    self.headlines = headlines
    self.prices = prices
    self.finance = finance
    self.target = target
    let health = HealthSection(result, checks, SourceComparison(result, tables), finance)
    self.health = health
    let empty = headlines.map { health.emptyReports(in: $0.month) } ?? EmptyReports()
    self.values = values
    missingChurn = result.missingChurn(values, headlines?.month)
    // What changed a month without rows did not happen.
    let isEmpty = headlines?.headlineSource.map { empty.sources.contains($0) } ?? false
    self.drivers = isEmpty ? nil : drivers
    events = Self.events(prices?.impacts ?? [], health.days, result.plan.monthSystem)
    words = headlines.map { headlines in
      let name = result.plan.monthSystem.name(headlines.month)
      let proceeds = tables[.proceeds]?.first?.filtered("month") { $0 == name }
      let main = proceeds?.mainCurrencies(limit: HeadlineWords.shownCurrencies) ?? []
      return HeadlineWords(
        result, headlines.month, values, drivers: drivers?.rows ?? [],
        currencies: target.map { [$0] } ?? main, isConverted: target != nil, tables: tables,
        empty: empty, sourceOrder: headlines.sourceOrder)
    }
  }

  /// Creates the content of one app, from the tables by app.
  ///
  /// What other apps have in common with it, such as the health of the data, stays; drivers, price increases and
  /// settlements are those of all apps and are left out.
  ///
  /// - Parameters:
  ///   - app: The app, as tables print it.
  ///   - tables: Its tables, each of the whole population of the app.
  ///   - whole: The content of all apps.
  ///   - conversion: Makes net proceeds one amount in its currency.
  package init(
    _ app: String, _ tables: [TableKind: [ReportTable]], of whole: PageContent,
    conversion: CurrencyConversion?
  ) {
    self.app = app
    self.tables = tables
    result = whole.result
    let maker = whole.headlines.map { all in
      HeadlineMaker(
        whole.result.tableMaker(conversion: conversion), tables: tables, month: all.month,
        months: whole.months, primary: all.headlineSource, app: app)
    }
    headlines = maker
    values = maker?.values ?? []
    (drivers, prices, finance) = (nil, nil, nil)
    (target, missingChurn, health) = (whole.target, "", whole.health)
    events = whole.events
    let proceeds = tables[.proceeds]?.first
    words = maker.map { headlines in
      let name = whole.months.name(headlines.month)
      let ofMonth = proceeds?.filtered("month") { $0 == name }
      let main = ofMonth?.mainCurrencies(limit: HeadlineWords.shownCurrencies) ?? []
      return HeadlineWords(
        whole.result, headlines.month, headlines.values, drivers: [],
        currencies: whole.target.map { [$0] } ?? main, isConverted: whole.target != nil,
        tables: tables, empty: whole.health.emptyReports(in: headlines.month))
    }
  }

  /// How months are written.
  package var months: MonthSystem { result.plan.monthSystem }

  /// The dimensions by which changes are split: the app where there are several, then those of PAGE.md.
  package var splitDimensions: [Dimension] {
    ([.app] + RunResult.driverDimensions).filter(result.splitDimensions.contains)
  }

  // MARK: Title

  package var title: String {
    (app.map { MarkdownText.escaped($0) + ": " } ?? "") + titleOfMonth
  }

  private var titleOfMonth: String {
    guard let month = headlines?.month else {
      return finance.map { "Settlements\($0.newest)\($0.result.settlementTitleEnd)" }
        ?? "Subscriptions\(result.titleEnd)"
    }
    let name = month.longName(months)
    return
      "Subscriptions in \(name)\(result.isOver(month) ? "" : ", which is not over")\(result.titleEnd)"
  }

  /// The last day of the data and the source of the headlines.
  package var dataLine: String {
    let reports = result.sources.filter { $0.source != .receipts }
    let used = reports.isEmpty ? result.sources : reports
    let own = result.sources.first { $0.source == headlines?.headlineSource }
    guard let last = own?.completeness.asOf ?? used.map(\.completeness.asOf).min() else {
      return finance.map { "Settlements of \($0.periodText)." } ?? ""
    }
    guard let headlines, let source = headlines.headlineSource else {
      return "Data until \(last).\(monthNotShown(last, used))"
    }
    let passedOver = HeadlineMaker.possibleSources.prefix { $0 != source }
      .filter { other in result.sources.contains { $0.source == other } }
    let why = passedOver.first.map { whyPassedOver($0, in: headlines.month) } ?? ""
    let ofReceipts = source == .receipts ? countriesOfReceipts + notOver(own) : ""
    return
      "Data until \(last); headline source `\(source.rawValue)`\(result.plan.primary == nil ? why : "").\(monthNotShown(last, used))\(ofReceipts)"
  }

  /// That receipts without a country are left out, as a sentence with a blank before it; blank where none are.
  var countriesOfReceipts: String {
    result.noteOnCountries.map { " \($0.capitalizedFirst)." } ?? ""
  }

  /// Returns that receipts end before the headline month is over, with a blank before it; blank where they do not.
  ///
  /// Beside reports the month is shown when it is over in these.
  private func notOver(_ report: SourceReport?) -> String {
    guard let month = headlines?.month, result.isOver(month), let report,
      !report.completeness.isOver(month)
    else { return "" }
    return
      " The data of `\(report.source.rawValue)` end before the last day of \(month.longName(months)) is over."
  }

  /// Returns why a source that comes before the headline source is not the headline source, with a blank before it.
  private func whyPassedOver(_ source: Source, in month: Month) -> String {
    let name = months.name(month)
    let churn = tables[.churn]?.first(where: \.dimensions.isEmpty)
    let rows = (churn?.namedRows ?? []).filter {
      $0.source == source.rawValue && $0.text("month") == name
    }
    // On the page of an app the source is that of all apps, and the rows are the app's.
    guard let row = rows.first else {
      return app == nil ? " (`\(source.rawValue)` has no churn of this month)" : ""
    }
    guard row.text("state") == "partial" else { return "" }
    return " (`\(source.rawValue)` is `partial` in this month)"
  }

  /// Returns why the month after the headline month is not shown although the data reach its last day, with a blank before
  /// it; blank where they do not.
  ///
  /// A month is shown when it is over in every source. Receipts of the last day go until a time of this day.
  private func monthNotShown(_ last: Day, _ used: [SourceReport]) -> String {
    guard let month = headlines?.month else { return "" }
    let next = month + 1
    let end = months.lastDay(of: next)
    guard last >= end,
      let days = used.first(where: { !$0.completeness.isOver(next) })
    else { return "" }
    let why =
      days.completeness.asOf < end
      ? "end on \(days.completeness.asOf)" : "end before its last day is over"
    return
      " \(next.longName(months).capitalizedFirst) is not shown: the data of `\(days.source.rawValue)` \(why)."
  }

  // MARK: Tables

  /// The number of months in which a source must have rows of a table to be shown.
  private static let recentMonths = 6

  /// Returns the source that a table is shown from, and its rows of the last months.
  ///
  /// It is the headline source where that has recent rows with the table's main number, else the first other one.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - count: The number of months, the last one the headline month. A table without months has all rows.
  ///   - column: The number that the source must have in a recent row; `nil` for the table's main one.
  /// - Returns: The rows without the columns `source` and `dating`; `nil` when no source has any.
  package func table(
    of kind: TableKind, months count: Int, having column: String? = nil
  ) -> (source: Source, table: ReportTable)? {
    guard let whole = tables[kind]?.first(where: \.dimensions.isEmpty) else { return nil }
    let recent = rows(of: whole, lastMonths: min(count, Self.recentMonths))
    let shown = rows(of: whole, lastMonths: count)
    let lastMonth = headlines.map { months.name($0.month) }
    for source in headlines?.sourceOrder ?? [] {
      let isUnknown = !monthWithoutRows(kind, source).isEmpty
      let known = { (table: ReportTable) in
        let own = table.filtered("source") { $0 == source.rawValue }
        return isUnknown ? own.filtered("month") { $0 != lastMonth } : own
      }
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
  ///
  /// - Parameters:
  ///   - table: A table; one without months keeps all rows.
  ///   - count: The number of months.
  /// - Returns: The rows.
  package func rows(of table: ReportTable, lastMonths count: Int) -> ReportTable {
    var table = table
    if let last = headlines?.month {
      let names = Set((0..<count).map { months.name(last - $0) })
      table = result.withoutMonthsWithoutFiles(table.filtered("month") { names.contains($0) })
    }
    return table.filtered("dating") { $0 == "sale" }
  }

  // MARK: Meaning

  /// Returns the title of each table with its source, and what defines its number in that source and in others.
  ///
  /// - Parameter kinds: The tables, each with the source that it is shown from.
  /// - Returns: Title and sentences, both in Markdown.
  package func meanings(of kinds: [(kind: TableKind, source: Source)]) -> [(
    title: String, sentence: String
  )] {
    let hasOthers = app == nil && otherSources != nil
    let compared = hasOthers ? Set(comparedSources.map(\.source)) : []
    return kinds.map { kind, source in
      let definition = Definition.definition(of: kind, for: [source], convertedTo: target)
      let others = Definition.difference(of: kind, shown: source, others: compared)
      return (
        "\(definition.title) (`\(source.rawValue)`)",
        definition.sentence + (others.isEmpty ? "" : " In other sources: \(others)")
      )
    }
  }

  /// The meaning of states and cells, and how currencies are added up, in Markdown.
  package var readingHints: [String] {
    let cells = "An empty cell means not known; 0 means zero. \(ofCurrencies)"
    let rules = "Every rule: `subreport metrics -f md`."
    guard !result.sources.isEmpty else { return Self.settlementHints + [cells, rules] }
    let hasLapses = [TableKind.churn, .lapses].contains { kind in
      tables[kind]?.contains { !$0.rows.isEmpty } == true
    }
    let lapse = hasLapses ? Definition.lapse(for: Set(result.sources.map(\.source))) : ""
    let hints = [
      "**States:** `partial`: days of the month's data are missing, or subscriptions from before the data may not have been seen yet. `provisional`: the number can still change. `final`: nothing known is outstanding.",
      lapse, rowsOfReceipts,
      hasIntervals ? "\(cells) `low` and `high` bound a 95 % interval." : cells,
    ]
    return hints.filter { !$0.isEmpty } + (finance == nil ? [] : Self.settlementHints) + [rules]
  }

  /// The words of settlements, in Markdown.
  private static let settlementHints = [
    "A **bridge** leads from the sales of a fiscal period, region and currency to what Apple settles, owes and pays; each line is a cause of the difference.",
    "**Owed** is the amount that Apple's payments report states for the bridge. **Unexplained** is what remains of a difference after all lines with a cause; it should be 0.",
  ]

  private var ofCurrencies: String {
    guard let target else { return "Currencies are never added up." }
    return
      "Currencies are added up only in headline numbers and their drivers, converted to \(MarkdownText.escaped(target))."
  }
}

extension PageContent {
  /// Returns the events of each month in a few words: price increases and restated reports, marks on lines over time.
  ///
  /// - Parameters:
  ///   - impacts: The price increases of all sources.
  ///   - days: The days of reports.
  ///   - months: How months are counted.
  /// - Returns: Such as `2 price increases, 1 restated day`, by month.
  static func events(
    _ impacts: [PriceImpact], _ days: DayCoverage, _ months: MonthSystem
  ) -> [Month: String] {
    let single = impacts.filter { !$0.isPooled }
    // Every source finds the same increases; the one with most of them stands for all.
    let bySource = Dictionary(grouping: single, by: \.source).sorted { $0.key < $1.key }
    let own = bySource.max { $0.value.count < $1.value.count }?.value ?? []
    let increases = counts(own.map { months.month(of: $0.effective) })
    let restated = Set(days.entries.filter(\.isRestated).map(\.day))
    let replaced = counts(restated.map { months.month(of: $0) })
    var events = increases.mapValues { counted($0, "price increase") }
    for (month, count) in replaced {
      let words = [events[month], counted(count, "restated day")].compactMap { $0 }
      events[month] = words.joined(separator: ", ")
    }
    return events
  }

  private static func counts(_ months: [Month]) -> [Month: Int] {
    months.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

/// The retention curve of the periods of one length.
package struct DurationCurve: Sendable {
  /// The length, such as `1 Month`.
  package let name: String
  package let source: Source
  /// The rows of the curve, without the source.
  package let curve: ReportTable
  /// The subscriptions at risk in the first period.
  let atRisk: Int
}

extension PageContent {
  /// The number of lengths of periods with a curve; the others are in the files.
  package static let shownDurations = 2

  /// The curve of each length of periods, those with most subscriptions first, from the first source that has any.
  ///
  /// A week's and a year's periods do not mix: k = 12 is twelve weeks or twelve years. Empty where no source knows the
  /// length, and on the page of an app.
  package var durationCurves: [DurationCurve] {
    guard let view = tables[.retention]?.first(where: { $0.dimensions == ["duration"] }) else {
      return []
    }
    for source in headlines?.sourceOrder ?? [] {
      let own = view.filtered("source") { $0 == source.rawValue }
      guard !own.rows.isEmpty else { continue }
      let names = Set(own.namedRows.map { $0.text("duration") })
      let found = names.map { name in
        let rows = own.filtered("duration") { $0 == name }
        return DurationCurve(
          name: name, source: source, curve: rows.keeping { $0 != "source" },
          atRisk: rows.namedRows.first?["at_risk"] ?? 0)
      }
      return found.sorted { ($1.atRisk, $0.name) < ($0.atRisk, $1.name) }
    }
    return []
  }

  /// The curves of the lengths of periods with most subscriptions in one table; `nil` without any.
  var retentionByDuration: (source: Source, table: ReportTable)? {
    let curves = durationCurves.prefix(Self.shownDurations)
    guard let first = curves.first else { return nil }
    var table = first.curve
    table.rows = curves.flatMap(\.curve.rows)
    return (first.source, table)
  }
}
