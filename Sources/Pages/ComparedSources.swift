import AppStoreReports
import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// The counts of each source by month: reports and receipts of one business should agree.
package struct SourceComparison: Sendable {
  /// The numbers that several sources can count.
  private static let measures: [(label: String, table: TableKind, column: String)] = [
    ("Paid charges", .refunds, "charges"),
    ("Full refunds, by their own day", .refunds, "refunds_full"),
    ("Active at the month's beginning", .churn, "active_start"),
  ]

  /// Months whose difference exceeds both limits are named in the health section.
  private static let largeShare = 0.02
  private static let largeCount = 10

  private let sources: [Source]
  /// A line of the comparison: the count of each source, and whether all sources cover the whole month.
  private struct Row {
    var month: Month
    var label: String
    var counts: [Int?]
    var isWhole: Bool
  }

  private let rows: [Row]
  private let last: Month?
  private let months: MonthSystem

  init(_ result: RunResult, _ tables: [TableKind: [ReportTable]]) {
    let sources = result.sources.map(\.source).sorted()
    self.sources = sources
    last = result.lastCompleteMonth()
    months = result.plan.monthSystem
    guard sources.contains(.receipts), sources.count > 1 else {
      rows = []
      return
    }
    var rows: [Row] = []
    for measure in Self.measures {
      guard var table = tables.whole(measure.table) else { continue }
      table = table.filtered("dating") { $0 == "refund" }
      let found = Self.counts(of: measure.column, in: table, months)
      for month in Set(found.keys.map(\.month)) {
        let own = sources.map { found[Key(source: $0.rawValue, month: month)] }
        guard own.compactMap({ $0 }).count > 1 else { continue }
        rows.append(
          Row(
            month: month, label: measure.label, counts: own.map { $0?.count },
            isWhole: own.allSatisfy { $0?.isWhole ?? true }))
      }
    }
    self.rows = rows.sorted { ($0.month, $0.label) < ($1.month, $1.label) }
  }

  private struct Key: Hashable {
    var source: String
    var month: Month
  }

  /// Returns the sums of a column by source and month; months without a count are left out.
  private static func counts(
    of column: String, in table: ReportTable, _ months: MonthSystem
  ) -> [Key: (count: Int, isWhole: Bool)] {
    var counts: [Key: (count: Int, isWhole: Bool)] = [:]
    for row in table.namedRows {
      guard let month = months.month(named: row.text("month")), let count = row[column] else {
        continue
      }
      let key = Key(source: row.source, month: month)
      let before = counts[key] ?? (0, true)
      counts[key] = (before.count + count, before.isWhole && row.text("state") != "partial")
    }
    return counts
  }

  private static func difference(_ counts: [Int?]) -> (count: Int, largest: Int) {
    let known = counts.compactMap { $0 }
    let largest = known.max() ?? 0
    return (largest - (known.min() ?? 0), largest)
  }

  /// Lines on large differences between sources, for months that all sources cover completely.
  var problems: [Problem] {
    guard let last else { return [] }
    return rows.filter { $0.month <= last && $0.isWhole }.compactMap { row in
      let difference = Self.difference(row.counts)
      let share = Double(difference.count) / Double(max(1, difference.largest))
      guard difference.count > Self.largeCount, share > Self.largeShare else { return nil }
      let seen = zip(sources, row.counts).compactMap { source, count in
        count.map { "\(ReportData.words(source)) \(PageText.count($0))" }
      }
      return
        Problem(
          "Sources differ",
          "\(row.label.lowercased()) of \(PageText.long(row.month, months)): \(seen.joined(separator: ", "))."
        )
    }
  }
}

extension PageContent {
  /// The numbers of the table of all sources, with the headline whose state they have.
  private static let comparedHeadlines: [String: Headline] = [
    "close_observed": .active, "churned": .churnRate, "churn_rate": .churnRate,
    "renewal_rate": .renewalRate, "conversion_rate": .conversionRate,
  ]

  /// The sources that the filters leave out altogether: no row passes, or their rows lack what a filter names.
  private var sourcesLeftOut: [Source] {
    guard result.plan.filters.isByRow else { return [] }
    let withoutRows = result.sources.map(\.source).filter { source in
      !tables.keys.contains { kind in
        tables.whole(kind)?.namedRows.contains { $0.source == source.rawValue } ?? false
      }
    }
    return (result.unfilteredSources + withoutRows).sorted()
  }

  var comparedSources: [SourceReport] {
    let leftOut = sourcesLeftOut
    return result.sources.filter { !leftOut.contains($0.source) }
  }

  /// Which sources the filters leave out altogether, as a sentence; blank for none.
  var leftOutByFilters: String {
    let names = sourcesLeftOut.map(\.rawValue)
    return names.isEmpty ? "" : "No row of \(names.inWords()) passes the filters."
  }

  /// The most days or ranges of days in a sentence.
  private static let shownRanges = 6

  /// The headline month's rates, churn and active subscriptions in each source, each with its state and its difference
  /// from the headline's source; `nil` with one source.
  ///
  /// Such as `13.2%, final (+1.8 points)`; `no data` where all reports of the month are empty. Where only SALES has the
  /// whole month, also the net proceeds.
  package var otherSources: ReportTable? {
    guard let headlines else { return nil }
    let empty = health.days.emptyReports(in: headlines.month)
    let reports = result.sources.sorted { $0.source < $1.source }
    let line = {
      (label: String, headline: Headline, own: (SourceReport) -> ReportTable.Cell)
        -> [ReportTable.Cell]? in
      let source = values.first { $0.headline == headline }?.source
      let main = reports.first { $0.source == source }
      let cells = reports.map { report -> ReportTable.Cell in
        let cell = own(report)
        guard cell != .missing else { return .missing }
        let name = headlines.month.longName(months)
        if empty.reason([headline], report.source, of: name) != nil {
          return .text("no data")
        }
        let state = AnswerLines.words(headlines.standing(headline, report, in: headlines.month))
        let words = [Self.shown(cell), state].filter { !$0.isEmpty }
          .joined(separator: ", ")
        guard let main, main.source != report.source else { return .text(words) }
        return .text(words + difference(of: cell, from: own(main)))
      }
      guard cells.count(where: { $0 != .missing }) > 1 else { return nil }
      return [.text(label)] + cells
    }
    let rows = HeadlineFigures.figures.compactMap { figure -> [ReportTable.Cell]? in
      guard let headline = Self.comparedHeadlines[figure.column],
        let table = tables.whole(figure.table),
        let column = table.columns.firstIndex(where: { $0.name == figure.column })
      else { return nil }
      let month = table.filtered("month") { $0 == months.name(headlines.month) }
      return line(figure.label, headline) { report in
        month.filtered("source") { $0 == report.source.rawValue }.rows.first?[column] ?? .missing
      }
    }
    let refunds = line("Refund rate", .refundRate) {
      headlines.rate(.refundRate, $0, in: headlines.month)
    }
    let lines = rows + [refunds].compactMap { $0 } + comparedProceeds
    guard !lines.isEmpty else { return nil }
    return ReportTable(
      name: "sources", dimensions: [],
      columns: [.init("number", .text)] + reports.map { .init(ReportData.words($0.source), .rate) },
      rows: lines
    ).withoutEmptyColumns
  }

  /// Returns a number as the page has it: of a rate one decimal.
  private static func shown(_ cell: ReportTable.Cell) -> String {
    let rate = PageText.rate(cell)
    return rate.isEmpty ? HeadlineFigures.text(cell) : rate
  }

  /// Returns the difference of a number from that of the headline's source, such as ` (+1.8 points)`; blank for none.
  func difference(
    of cell: ReportTable.Cell, from main: ReportTable.Cell?, _ currency: String = ""
  ) -> String {
    guard let main,
      case .text(let change) = HeadlineFigures.change(from: main, to: cell, currency: currency)
    else { return "" }
    guard change != HeadlineFigures.unchanged else { return " (equal)" }
    if case .ratio = cell, let now = PageText.value(cell), let then = PageText.value(main) {
      return " (\(PageText.signedPoints(now - then)) points)"
    }
    return " (\(change.replacing("-", with: "\u{2212}")))"
  }

  /// Why the numbers of sources differ, and which reports of the headline month are missing, in Markdown.
  func sourceReasons(_ report: SourceReport) -> [String] {
    [reason(report)].compactMap(\.self) + missingReports(report)
  }

  private func reason(_ report: SourceReport) -> String? {
    switch report.source {
    case .subscribers:
      "Subscriber reports begin on \(PageText.day(report.completeness.firstDay)): subscriptions from before may not have been charged yet."
    case .events:
      "Event reports date the end of a subscription whose payment failed when Apple stops trying, up to 60 days later than the others, and take active subscriptions from Apple's daily counts."
    case .receipts:
      "Receipts end on \(PageText.day(report.completeness.asOf)), count in UTC, and know only customers whose receipts are in the input.\(result.noteOnCountries.map { " \($0.capitalizedFirst)." } ?? "")"
    case .sales: productsOfSalesOnly
    }
  }

  /// Returns such as `Subscriber reports of 8 to 14 Sep 2026 are missing.` of the headline month.
  private func missingReports(_ report: SourceReport) -> [String] {
    guard let month = headlines?.month else { return [] }
    let first = months.firstDay(of: month)
    var lines: [String] = []
    if report.source != .subscribers, report.source != .receipts,
      report.completeness.firstDay > first
    {
      lines.append(
        "\(ReportData.words(report.source).capitalizedFirst) begin on \(PageText.day(report.completeness.firstDay))."
      )
    }
    let empty = health.days.emptyReports(in: month)
    let headlines: [Headline] = [.churnRate, .active]
    for headline in report.source == .events ? headlines : Array(headlines.prefix(1)) {
      let reason = empty.reason([headline], report.source, of: month.longName(months))
      if let reason { lines.append("\(reason.capitalizedFirst).") }
    }
    for kind in Self.kinds(report.source) {
      // A charge that follows a period may be in a file of two days later; who is active before a month, in that of the
      // day before.
      let (before, after) =
        switch kind {
        case .subscriber: (2, 2)
        case .subscription: (1, 0)
        default: (0, 0)
        }
      let shown = (first - before)...(months.lastDay(of: month) + after)
      for group in health.days.groups(in: .missing, withStops: true)
      where group.kind == kind.rawValue {
        let days = group.days.filter(shown.contains)
        guard !days.isEmpty else { continue }
        let vendor = HealthSection.ofVendor(group.vendor)
        let shown = ReportData.text(days, year: true, atMost: Self.shownRanges)
        lines.append(
          "\(kind.nameInSentences) \(days.count == 1 ? "report" : "reports")\(vendor) of \(shown) \(days.count == 1 ? "is" : "are") missing."
        )
      }
    }
    return lines
  }

  /// Returns the numbers of the page that each kind of report gives, such as `trials` of `Subscriber`.
  static func numbers(from source: Source?) -> [(report: String, numbers: [String])] {
    let ofEvents = source == .events
    return [
      (
        "Subscriber",
        (source == .subscribers ? ["churn", "retention"] : []) + ["trials", "refunds"]
      ),
      ("Subscription", ofEvents ? ["active subscriptions"] : []),
      ("Subscription Event", [ofEvents ? "churn" : "reasons"]),
      ("Sales", ["net proceeds"]),
    ]
  }

  /// Returns whether numbers in words, such as `churn` or `trials`, take a verb in the singular.
  static func isOne(_ numbers: [String]) -> Bool {
    numbers.count == 1 && !numbers[0].hasSuffix("s")
  }

  static func kinds(_ source: Source) -> [ReportKind] {
    switch source {
    case .subscribers: [.subscriber]
    case .events: [.subscriptionEvent, .subscription]
    case .sales: [.sales]
    case .receipts: []
    }
  }
}

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
    let currencies = proceeds(.sales, name)?.mainCurrencies(limit: Self.comparedCurrencies) ?? []
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
    tables.whole(.proceeds)?.filtered("month") { $0 == month }
      .filtered("source") { $0 == source.rawValue }
  }

  /// Returns the net proceeds of a currency in a month; `nil` where the source does not have them.
  private func amount(_ currency: String, _ source: Source, _ month: String) -> ReportTable.Cell? {
    let row = proceeds(source, month)?.namedRows.first { $0.text("currency") == currency }
    return row?.cell("net_proceeds").milliunits.map { .money(milliunits: $0) }
  }
}
