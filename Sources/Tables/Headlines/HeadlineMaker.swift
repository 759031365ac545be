package import Counting
import Storage
package import SubscriptionModel

/// Finds the source of each headline in the finished tables, and its numbers in a month: PAGE.md.
///
/// Only a rate of an earlier month at the same age comes from the tallies: its counts as of as many days after that
/// month's end as as-of is after the headline month's. If the maker of the tables converts money, net proceeds are one
/// amount in that currency.
package struct HeadlineMaker: Sendable {
  /// The sources that can be the headline source, the preferred one first.
  package static let possibleSources: [Source] = [.subscribers, .events, .receipts]

  /// The tables that it reads.
  package static let tables = TableKind.allCases.filter(
    Set(Headline.allCases.map(\.table)).contains)

  let maker: TableMaker
  /// The headline month.
  package let month: Month
  let months: MonthSystem
  /// The app whose numbers these are, as tables print it; `nil` for all apps together.
  let app: String?
  /// The number of parts of a milliunit in which net proceeds are counted here: 1, or more with exchange rates, so that
  /// no converted amount is rounded.
  let partsOfMilliunit: Int128
  /// The source of active subscriptions, movement and churn; `nil` when no source has a churn row of the month with
  /// numbers.
  package let headlineSource: Source?
  private var tables: [TableKind: [[Dimension]: KeyedTable]] = [:]

  /// Creates a maker for a month.
  ///
  /// - Parameters:
  ///   - maker: The maker of the tables.
  ///   - tables: All tables of the headlines: the whole population, and views of one dimension.
  ///   - month: The headline month.
  ///   - months: Calendar or fiscal months.
  ///   - primary: The source that the user prefers.
  ///   - app: The app that the tables are limited to, as tables print it; `nil` for all apps together.
  package init(
    _ maker: TableMaker, tables: [TableKind: [ReportTable]], month: Month,
    months: MonthSystem, primary: Source? = nil, app: String? = nil
  ) {
    self.maker = maker
    self.month = month
    self.months = months
    self.app = app
    partsOfMilliunit = maker.conversion?.partsOfMilliunit ?? 1
    for kind in Self.tables {
      for table in tables[kind] ?? [] where table.dimensions.count < 2 {
        let view = table.dimensions.compactMap(Dimension.init(rawValue:))
        self.tables[kind, default: [:]][view] = KeyedTable(table)
      }
    }
    let name = months.name(month)
    let churn = self.tables[.churn]?[[]]
    let state = { (source: Source) in
      churn?.cells("state", source: source.rawValue, month: name).first?.cell
    }
    let possible = Self.possibleSources.filter { source in
      let report = maker.sources.first { $0.source == source }
      return state(source) != nil && report?.completeness.isWithoutFiles(month) == false
    }
    headlineSource =
      possible.first { $0 == primary }
      ?? possible.first { state($0) != SourceReport.State.partial.cell } ?? possible.first
  }

  /// The sources in order of preference: the headline source first.
  package var sourceOrder: [Source] {
    [headlineSource].compactMap { $0 } + [.subscribers, .receipts, .events, .sales]
  }

  /// Returns the days from the end of the headline month to a source's as-of; 0 for a month that is not over.
  private func age(_ report: SourceReport) -> Int {
    max(0, report.completeness.asOf - months.lastDay(of: month))
  }

  /// Returns the day on which an earlier month was as old as the headline month is at as-of.
  ///
  /// - Parameters:
  ///   - month: The earlier month.
  ///   - report: The source.
  /// - Returns: The day; `nil` if it is not before as-of, so that the numbers are those of the tables.
  package func dayOfSameAge(_ month: Month, _ report: SourceReport) -> Day? {
    let day = months.lastDay(of: month) + age(report)
    return day < report.completeness.asOf ? day : nil
  }

  /// Returns the source that a number is taken from; `nil` if no source has it.
  ///
  /// Active subscriptions, their change and churn come from the headline source alone.
  func report(for headline: Headline) -> SourceReport? {
    let needsHeadlineSource =
      [.active, .netChange, .churnRate].contains(headline) && headlineSource != nil
    let order = needsHeadlineSource ? Array(sourceOrder.prefix(1)) : sourceOrder
    return order.lazy.compactMap { source in maker.sources.first { $0.source == source } }
      .first { has(headline, $0) }
  }

  /// Returns whether a source has a number in the headline month.
  func has(_ headline: Headline, _ report: SourceReport) -> Bool {
    guard !headline.isRate else {
      return (ratios(headline, report, by: [], in: month)?[""]?.denominator ?? 0) > 0
    }
    return amounts(headline, report, by: [], in: month)?.isEmpty == false
  }

  // MARK: Rates

  /// Returns the numerator and denominator of a rate in a month, by value of the view's dimension; the whole population
  /// has the value `""`.
  ///
  /// - Parameters:
  ///   - headline: A rate.
  ///   - report: The source.
  ///   - view: The view's dimensions, at most one.
  ///   - month: The month.
  ///   - isAtSameAge: Whether to return the counts at the age that the headline month has at as-of.
  /// - Returns: `nil` when a count is not known.
  func ratios(
    _ headline: Headline, _ report: SourceReport, by view: [Dimension], in month: Month,
    atSameAge isAtSameAge: Bool = false
  ) -> [ExactText: TwoMonths.Ratio]? {
    guard let columns = headline.ratio, let table = tables[headline.table]?[view] else {
      return nil
    }
    let (source, name) = (report.source.rawValue, months.name(month))
    guard let numerators = table.counts(columns.numerator, source: source, month: name),
      let denominators = table.counts(columns.denominator, source: source, month: name)
    else { return nil }
    var ratios = numerators.reduce(into: [ExactText: TwoMonths.Ratio]()) { ratios, entry in
      ratios[entry.key] = .init(
        numerator: entry.value, denominator: denominators[entry.key] ?? 0)
    }
    guard isAtSameAge, let day = dayOfSameAge(month, report),
      let index = maker.views.firstIndex(of: app == nil ? view : [.app])
    else { return ratios }
    let tally = report.tally.views[index]
    for (values, counts) in zip(tally.index.cohorts, tally.rateCounts(of: month, on: day)) {
      let (numerator, denominator) = headline.counts(counts)
      var value = values.first?.text(maker.names) ?? ""
      if let app {
        guard value.isSame(as: app) else { continue }
        value = ""
      }
      guard ratios[value] != nil || numerator != 0 || (denominator ?? 0) != 0 else { continue }
      ratios[value, default: .init()].numerator = numerator
      if let denominator { ratios[value]?.denominator = denominator }
    }
    return ratios
  }

  /// Returns a rate of the whole population in a month, of any source; missing where it is not known.
  ///
  /// - Parameters:
  ///   - headline: A rate.
  ///   - report: The source.
  ///   - month: The month.
  /// - Returns: The rate with its counts.
  package func rate(
    _ headline: Headline, _ report: SourceReport, in month: Month
  ) -> ReportTable.Cell {
    guard let counts = ratios(headline, report, by: [], in: month)?[""], counts.denominator > 0
    else { return .missing }
    return .ratio(numerator: Int128(counts.numerator), denominator: Int128(counts.denominator))
  }

  // MARK: Counts and money

  /// A value of a view's dimension, and a currency; both may be empty.
  struct AmountKey: Hashable {
    var value: ExactText
    var currency: String
  }

  /// Returns counts or amounts in a month by value and currency, amounts in parts of a milliunit.
  ///
  /// - Parameters:
  ///   - headline: A count, or an amount of money.
  ///   - report: The source.
  ///   - view: The view's dimensions, at most one.
  ///   - month: The month.
  ///   - column: The column; `nil` for that of the headline.
  /// - Returns: `nil` when one is not known.
  func amounts(
    _ headline: Headline, _ report: SourceReport, by view: [Dimension], in month: Month,
    column: String? = nil
  ) -> [AmountKey: Int128]? {
    guard let table = tables[headline.table]?[view] else { return nil }
    let column = column ?? (headline == .netProceeds ? "net_proceeds" : "close_observed")
    var amounts: [AmountKey: Int128] = [:]
    for (value, currency, cell) in table.cells(
      column, source: report.source.rawValue, month: months.name(month))
    {
      var key = AmountKey(value: ExactText(value), currency: currency)
      switch cell {
      case .count(let count): amounts[key] = Int128(count)
      case .money(let milliunits):
        guard let amount = converted(milliunits, &key, in: month) else { return nil }
        amounts[key, default: 0] += amount
      default: return nil
      }
    }
    return amounts
  }

  /// Returns an amount in parts of a milliunit, and gives its key the currency to which it is converted.
  private func converted(_ milliunits: Int128, _ key: inout AmountKey, in month: Month) -> Int128? {
    guard let conversion = maker.conversion else { return milliunits }
    let amount = conversion.exact(milliunits, from: key.currency, in: month)
    key.currency = conversion.target
    return amount
  }

  // MARK: States

  /// Returns the state of a number in a month; `nil` when the source has no row of the month.
  ///
  /// Counts and money have the state of the source's churn row; without one, days alone decide.
  package func state(
    _ headline: Headline, _ report: SourceReport, by view: [Dimension] = [], value: String = "",
    in month: Month
  ) -> SourceReport.State? {
    let kind = !headline.isRate ? TableKind.churn : headline.table
    let cells = tables[kind]?[view]?.cells(
      "state", source: report.source.rawValue, month: months.name(month), of: value)
    let states = (cells ?? []).compactMap { entry in
      if case .text(let text) = entry.cell { return SourceReport.State(rawValue: text) }
      return nil
    }
    if let state = states.min() { return state }
    guard !headline.isRate || !view.isEmpty else { return nil }
    // Counts and money have the state of churn, so the left edge matters for them as it does for churn.
    let whole = !headline.isRate ? maker.views.firstIndex(of: []) : nil
    return report.state(
      of: month, isUndecided: false,
      isAtEdge: whole.map { report.isChurnAtEdge(month, cohort: 0, report.tally.views[$0]) }
        ?? false)
  }

  /// Returns the worse state of a number in the headline month and in an earlier one.
  ///
  /// - Returns: `nil` if they cannot be compared: a month has no row, is partial, or is before the data.
  func comparedState(
    _ headline: Headline, _ report: SourceReport, with earlier: Month
  ) -> SourceReport.State? {
    guard earlier >= report.completeness.firstMonth,
      let now = state(headline, report, in: month),
      let then = state(headline, report, in: earlier), min(now, then) != .partial
    else { return nil }
    return min(now, then)
  }
}
