import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// The numbers of a report as its page reads them: rows by table, source, month and value.
struct ReportData: Sendable {
  let content: PageContent
  let maker: HeadlineMaker
  /// The apps of the page, the one with most active subscriptions first.
  let apps: [AppPage]
  /// The refund rate of the last month whose charges are 60 days old.
  private(set) var settledRefunds: HeadlineValue?

  init?(_ content: PageContent, apps: [AppPage]) {
    guard let maker = content.headlines else { return nil }
    (self.content, self.maker, self.apps) = (content, maker, apps)
    settledRefunds = (0..<12).lazy.compactMap { maker.value(.refundRate, in: maker.month - $0) }
      .first { standing($0) == .settled }
  }

  var result: RunResult { content.result }
  /// The days with and without a report.
  var days: DayCoverage { content.health.days }
  var months: MonthSystem { content.months }
  var month: Month { maker.month }
  /// The source of active subscriptions, churn, renewals and movement.
  var source: Source? { maker.headlineSource }

  func name(_ month: Month) -> String { PageText.name(month, months) }

  func report(_ source: Source) -> SourceReport? {
    result.sources.first { $0.source == source }
  }

  /// The source that knows why subscriptions of the headline month churned; `nil` without one.
  var reasonsSource: Source? {
    [Source.events, .receipts].first { source in
      row(.churn, source, month)?.cell("churned_voluntary") ?? .missing != .missing
    }
  }

  // MARK: Rows

  typealias Row = ReportTable.NamedRow

  /// Returns the rows of a view from one source, of one month or of all; of refunds those dated by the sale.
  func rows(
    _ kind: TableKind, _ source: Source, by dimensions: [Dimension] = [], in month: Month? = nil,
    dated dating: String = "sale"
  ) -> [Row] {
    let names = dimensions.map(\.rawValue)
    guard let table = content.tables[kind]?.first(where: { $0.dimensions == names }) else {
      return []
    }
    let monthName = month.map(months.name)
    return table.namedRows.filter { row in
      row.source == source.rawValue && (monthName.map { row.text("month") == $0 } ?? true)
        && ["", dating].contains(row.text("dating"))
    }
  }

  /// Returns the only row of a source and a month; `nil` without one.
  func row(_ kind: TableKind, _ source: Source, _ month: Month) -> Row? {
    rows(kind, source, in: month).first
  }

  func month(of row: Row) -> Month? { months.month(named: row.text("month")) }

  /// Returns the sum of a count over rows; `nil` where one is not known, and without rows.
  static func sum(_ rows: [Row], _ column: ColumnName) -> Int? {
    let counts = rows.map { $0[column] }
    return counts.isEmpty || counts.contains(nil) ? nil : counts.compactMap(\.self).reduce(0, +)
  }

  // MARK: Headline numbers

  /// Returns a number of the headline month; of money that of one currency.
  func value(_ headline: Headline, _ currency: String? = nil) -> HeadlineValue? {
    content.values.first { value in
      value.headline == headline && (currency.map { $0 == value.currency } ?? true)
    }
  }

  /// Returns how far a headline number can be trusted.
  ///
  /// A month whose reports have no rows, or nearly none, shows losses that may not have happened.
  func standing(_ value: HeadlineValue) -> Standing {
    guard let report = report(value.source) else { return .noData }
    let own = maker.standing(value.headline, report, in: value.month)
    return own.isCompared && emptyReports(value.source, value.month) != nil ? .incomplete : own
  }

  /// Returns whether a number of an incomplete month is a limit: renewals of its missing days look like losses.
  ///
  /// Where the reports end inside the month, later losses are missing too: the number is so far.
  func isLimit(_ value: HeadlineValue) -> Bool {
    standing(value) == .incomplete && mayBeLimit(value.source, in: value.month)
  }

  /// Returns whether numbers of a source in a month are limits if the month is incomplete.
  func mayBeLimit(_ source: Source, in month: Month) -> Bool {
    source == .subscribers && lastReport(source, in: month) == nil
  }

  /// Returns the day of the last report of a source, if it lies before the end of a month that is over; also if it is the
  /// last day and later reports should be there.
  func lastReport(_ source: Source, in month: Month) -> Day? {
    guard let days = report(source)?.completeness, source != .receipts else { return nil }
    let last = months.lastDay(of: month)
    let isEnd =
      days.asOf < last && result.isOver(month) || days.asOf == last && days.hasStopped
    return isEnd ? days.asOf : nil
  }

  /// Returns the day after which a number lacks its source's reports, as ``lastReport(_:in:)`` says.
  func lastReport(_ value: HeadlineValue) -> Day? { lastReport(value.source, in: value.month) }

  /// Returns the words before and after a number of an incomplete month: its limit, or `so far`.
  func limitWords(_ value: HeadlineValue, _ limit: String) -> (before: String, after: String) {
    if isLimit(value) { return (limit, "") }
    return ("", standing(value) == .incomplete && lastReport(value) != nil ? "so far" : "")
  }

  /// Returns the day of the Subscription report without which a number of `events` in the headline month is not known:
  /// the month's last day, or the day before its first.
  func missingSnapshot(for headline: Headline) -> Day? {
    guard source == .events, let report = report(.events), !lacksFiles,
      !report.isAfterMonthWithoutFiles(month)
    else { return nil }
    let isKnown = report.tally.snapshotMonths.contains
    if headline != .churnRate, result.isOver(month), !isKnown(month + 1) {
      return months.lastDay(of: month)
    }
    return headline == .active || isKnown(month) ? nil : months.firstDay(of: month) - 1
  }

  /// The day on which receipts end, if it lies before the end of the headline month, which is over, and numbers of the
  /// first screen are made from them.
  var endOfReceipts: Day? {
    guard usedSources.contains(.receipts), result.isOver(month),
      let end = report(.receipts)?.completeness.asOf, end < months.lastDay(of: month)
    else { return nil }
    return end
  }

  /// Returns the day of the counts of a source, by its name in `status`, where that is not the headline month's last day.
  func dayOfCounts(_ name: String) -> Day? {
    let report = result.sources.first { TableKind.status.name(of: $0.source) == name }
    let snapshots = report?.tally.snapshotDays.filter { months.month(of: $0) == month }
    let day = report?.source == .events ? snapshots?.max() : report?.completeness.asOf
    return day.flatMap { $0 < months.lastDay(of: month) ? $0 : nil }
  }

  /// Returns until when a source counts the subscriptions of a month, such as `at the end of October`.
  func endInWords(_ name: String) -> String {
    dayOfCounts(name).map { "on \(PageText.day($0, year: false)), the day of the last report" }
      ?? "at the end of \(self.name(month))"
  }

  /// Returns how many days of the headline month a source has no report of, such as `3 days`; `nil` for none.
  func lackedDays(_ source: Source) -> String? {
    guard let days = report(source)?.completeness, source != .receipts else { return nil }
    let (first, last) = (months.firstDay(of: month), months.lastDay(of: month))
    let missing = days.missingDays.count { first <= $0 && $0 <= last }
    let count = missing + (result.isOver(month) ? max(0, last - max(days.asOf, first - 1)) : 0)
    return count == 0 ? nil : count == 1 ? "a day" : "\(count) days"
  }

  /// Returns which reports of a source have no rows in a month, such as `nearly all Subscriber reports of September are
  /// empty`; `nil` where they have some.
  func emptyReports(_ source: Source, _ month: Month) -> String? {
    guard content.health.days.emptyReports(in: month).sources.contains(source) else { return nil }
    return "nearly all \(Self.words(source)) of \(name(month)) are empty"
  }

  /// Returns why numbers of a source lack something although no day of the headline month is missing, such as `Sales
  /// reports stop on 31 August 2026`; `nil` where nothing says it.
  func gapWords(_ source: Source) -> String? {
    guard let days = report(source)?.completeness else { return nil }
    if days.hasStopped { return "\(Self.words(source)) stop on \(PageText.day(days.asOf))" }
    switch days.gap(in: month) {
    case .leftOutRecords:
      let count = days.leftOut?.records ?? 0
      return
        "\(PageText.counted(count, "record")) of receipts made after \(PageText.day(days.asOf)) \(count == 1 ? "is" : "are") left out"
    case .sharedFiles:
      return "a report of its first or last days covers days of another month too"
    case .missingDays, nil: return nil
    }
  }

  /// Returns the currencies of the charges of a month, those with most charges first.
  func chargedCurrencies(_ kind: TableKind, _ source: Source, _ month: Month) -> [String] {
    let name = months.name(month)
    let table = content.tables.whole(kind)
    return table?.filtered("source") { $0 == source.rawValue }.filtered("month") { $0 == name }
      .filtered("dating") { $0 == "sale" }.mainCurrencies(limit: .max).filter { !$0.isEmpty } ?? []
  }

  /// The currency of money on the page: that of the conversion, else the one with most charges.
  var mainCurrency: String? { currencies.first }

  /// The currencies of net proceeds, those with most charges first; only the target of a conversion.
  var currencies: [String] {
    if let target = content.target { return [target] }
    return value(.netProceeds).map { chargedCurrencies(.proceeds, $0.source, $0.month) } ?? []
  }

  /// Returns what each value of a dimension adds to a change since the month before, the largest first.
  func parts(
    _ headline: Headline, by dimension: Dimension, _ currency: String = ""
  ) -> [Driver] {
    (content.drivers?.rows ?? []).filter { row in
      row.headline == headline && row.split == .of(dimension) && row.currency == currency
        && row.against == row.month - 1 && !row.isNone
    }
  }

  // MARK: Words

  /// Returns the reports of a source in words, such as `Subscriber reports`.
  static func words(_ source: Source) -> String {
    switch source {
    case .subscribers: "Subscriber reports"
    case .events: "event reports"
    case .receipts: "receipts"
    case .sales: "Sales reports"
    }
  }

  /// The first month of reports; of receipts alone that of their first charge.
  var firstMonth: Month {
    let reports = result.sources.filter { $0.source != .receipts }
    return (reports.isEmpty ? result.sources : reports).map(\.completeness.firstMonth).min()
      ?? month
  }
}

extension Driver {
  /// Whether the part is that of a product or country, and not an unknown one or the rest outside the view.
  var isNamed: Bool { !value.isEmpty && value != HeadlineMaker.notInView }

  /// The part as a number: points of a rate as a fraction, an amount in units.
  var size: Double { PageText.value(total) ?? 0 }
}

/// The folded tables of a section by product and by country.
extension ReportData {
  /// A column of a table with its cells, each of all rows of a product or country: refunds have one for each currency.
  private typealias Column = (heading: String, cell: ([Row]) -> String)

  /// Returns the numbers of a table in one month by product, and by country; the largest first.
  func split(_ kind: TableKind, _ source: Source, in month: Month) -> [Fold.Table] {
    let columns = Self.columns(kind)
    guard let size = Self.sizes[kind] else { return [] }
    return [Dimension.product, .country].compactMap { dimension -> Fold.Table? in
      let rows = rows(kind, source, by: [dimension], in: month)
      let groups = Dictionary(grouping: rows) { ExactText($0.text(dimension.rawValue)) }
        .map { (name: $0, rows: $1, size: Self.sum($1, size) ?? 0) }
        .sorted { ($1.size, $0.name) < ($0.size, $1.name) }
      guard groups.count > 1 else { return nil }
      return Fold.Table(
        "By \(dimension.words), \(PageText.long(month, months))",
        by: dimension.words, numbers: columns.map(\.heading),
        rows: groups.prefix(Self.foldedRows).map { name, rows, _ in
          [name.text.isEmpty ? "unknown" : name.text] + columns.map { $0.cell(rows) }
        }
      ).withoutZeros(in: Flows.besides)
    }
  }

  /// The column that says how large a row is.
  private static let sizes: [TableKind: ColumnName] = [
    .movement: .closeObserved, .churn: .activeStart, .trials: .trials, .refunds: .charges,
  ]

  private static func columns(_ kind: TableKind) -> [Column] {
    let count = { (heading: String, column: ColumnName) -> Column in
      (heading, { sum($0, column).map(PageText.count) ?? "" })
    }
    let share = { (above: ColumnName, below: ColumnName) -> Column in
      (
        "share",
        { rows in
          guard let above = sum(rows, above), let below = sum(rows, below), below > 0 else {
            return ""
          }
          return PageText.percent(above, of: below)
        }
      )
    }
    let flow = { (heading: String, size: @escaping (Flows) -> Int) -> Column in
      (heading, { Flows($0.first).map { PageText.count(size($0)) } ?? "" })
    }
    return switch kind {
    case .movement:
      [
        count("start", .open), flow("came", \.came), flow("went", \.went),
        (Flows.besides[0], { Flows($0.first).map { PageText.signed($0.changed) } ?? "" }),
        (Flows.besides[1], { Flows($0.first).map { PageText.signed($0.unexplained) } ?? "" }),
        count("end", .closeObserved),
      ]
    case .churn:
      [count("at start", .activeStart), count("left", .churned), share(.churned, .activeStart)]
    case .trials:
      [count("trials", .trials), count("became paying", .converted), count("undecided", .pending)]
    case .refunds:
      [count("charges", .charges), count("refunded", .refundsFull), share(.refundsFull, .charges)]
    default: []
    }
  }
}
