package import Counting
import Storage
package import SubscriptionModel

/// How far a number of a month can be trusted: PAGE.md, "States by days".
package enum Standing: Sendable {
  /// Nothing known is outstanding.
  case settled
  /// `provisional`.
  case canStillChange
  /// Days of the month are missing.
  case incomplete
  /// Subscriptions from before the data may not have been seen yet.
  case notAllSeen
  /// The month has no daily file of the source.
  case noData

  /// Whether the number is compared with others.
  package var isCompared: Bool { self == .settled || self == .canStillChange }
}

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
  /// The source of active subscriptions, churn, renewals and movement; `nil` when no source has them.
  package let headlineSource: Source?
  /// The only source whose numbers are wanted; `nil` for those of PAGE.md.
  private let only: Source?
  /// The newest day that is over in any source: until then days of daily reports are missing.
  private let lastDay: Day?
  private var tables: [TableKind: [[Dimension]: KeyedTable]] = [:]

  /// Creates a maker for a month.
  ///
  /// The tables are those of the whole population and of views of one dimension. `headlineSource` has active
  /// subscriptions, churn, renewals and movement. `only` is the only source whose numbers are wanted, `app` the app
  /// that the tables are limited to.
  package init(
    _ maker: TableMaker, tables: [TableKind: [ReportTable]], month: Month,
    months: MonthSystem, headlineSource: Source?, only: Source? = nil, app: String? = nil
  ) {
    self.maker = maker
    self.month = month
    self.months = months
    self.app = app
    (self.headlineSource, self.only) = (only ?? headlineSource, only)
    lastDay = maker.sources.map(\.completeness.lastFullDay).max()
    partsOfMilliunit = maker.conversion?.partsOfMilliunit ?? 1
    for kind in Self.tables {
      for table in tables[kind] ?? [] where table.dimensions.count < 2 {
        let view = table.dimensions.compactMap(Dimension.init(rawValue:))
        self.tables[kind, default: [:]][view] = KeyedTable(table)
      }
    }
  }

  /// The sources in order of preference: the headline source first.
  package var sourceOrder: [Source] {
    ([headlineSource].compactMap { $0 } + [.subscribers, .receipts, .events, .sales]).unique
  }

  /// Returns the day on which an earlier month was as old as a later one, or the headline month, is at as-of.
  ///
  /// A month that is not over has the age 0. `nil` if the day is not before as-of, so that the numbers are those of the
  /// tables.
  package func dayOfSameAge(
    _ month: Month, as later: Month? = nil, _ report: SourceReport
  ) -> Day? {
    let age = max(0, report.completeness.asOf - months.lastDay(of: later ?? self.month))
    let day = months.lastDay(of: month) + age
    return day < report.completeness.asOf ? day : nil
  }

  /// Returns the source that a number is taken from; `nil` if it has no such number.
  func report(for headline: Headline) -> SourceReport? {
    let order = only.map { [$0] } ?? headline.sources(headlineSource)
    var possible = order.compactMap { source in maker.sources.first { $0.source == source } }
    // The kinds of report in the whole input decide, not what a month lacks. Sales reports name no app.
    if headline != .netProceeds || app == nil { possible = Array(possible.prefix(1)) }
    return possible.first { has(headline, $0) }
  }

  /// Returns the month of a number: of conversions the last one whose trials are all decided, `nil` if none is; else
  /// the headline month.
  package func month(of headline: Headline, _ report: SourceReport) -> Month? {
    guard headline == .conversionRate else { return month }
    let first = report.completeness.firstMonth
    guard first <= month else { return nil }
    return (0...(month - first)).lazy.map { month - $0 }.first {
      state(.conversionRate, report, in: $0) == .final
    }
  }

  /// Returns whether a source has a number in its month.
  func has(_ headline: Headline, _ report: SourceReport) -> Bool {
    guard let month = month(of: headline, report) else { return false }
    guard !headline.isRate else {
      return (ratios(headline, report, by: [], in: month)?[""]?.denominator ?? 0) > 0
    }
    return amounts(headline, report, by: [], in: month)?.isEmpty == false
  }

  // MARK: Rates

  /// Returns the numerator and denominator of a rate in a month, by value of the view's dimension; the whole population
  /// has the value `""`.
  ///
  /// The counts are those of today, or those at the age that the month `later` has at as-of; `nil` when one is not
  /// known.
  func ratios(
    _ headline: Headline, _ report: SourceReport, by view: [Dimension], in month: Month,
    atAgeOf later: Month? = nil
  ) -> [ExactText: TwoMonths.Ratio]? {
    guard let columns = headline.ratio, let table = tables[headline.table]?[view] else {
      return nil
    }
    let (source, name) = (report.source.rawValue, months.name(month))
    guard let numerators = table.counts(columns.numerator, source: source, month: name),
      let denominators = table.counts(columns.denominator, source: source, month: name)
    else { return nil }
    var ratios = numerators.reduce(into: [ExactText: TwoMonths.Ratio]()) { ratios, entry in
      ratios[entry.key] = .init(numerator: entry.value, denominator: denominators[entry.key] ?? 0)
    }
    guard let later, let day = dayOfSameAge(month, as: later, report),
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
  package func rate(
    _ headline: Headline, _ report: SourceReport, in month: Month
  ) -> ReportTable.Cell {
    guard let counts = ratios(headline, report, by: [], in: month)?[""], counts.denominator > 0
    else { return .missing }
    return .ratio(numerator: Int128(counts.numerator), denominator: Int128(counts.denominator))
  }

  /// Returns a rate of the whole population in an earlier month, as it was at the age that the headline month has;
  /// `nil` where it is not known or the month is partial.
  func known(_ headline: Headline, from source: Source, in earlier: Month) -> TwoMonths.Ratio? {
    guard let report = maker.sources.first(where: { $0.source == source }),
      earlier >= report.completeness.firstMonth,
      let state = state(headline, report, in: earlier), state != .partial
    else { return nil }
    return ratios(headline, report, by: [], in: earlier, atAgeOf: month)?[""]
  }

  // MARK: Counts and money

  /// A value of a view's dimension, and a currency; both may be empty.
  struct AmountKey: Hashable {
    var value: ExactText
    var currency: String
  }

  /// Returns counts or amounts of a column, or of the headline's, in a month by value and currency; amounts in parts of
  /// a milliunit, `nil` when one is not known.
  func amounts(
    _ headline: Headline, _ report: SourceReport, by view: [Dimension], in month: Month,
    column: String? = nil
  ) -> [AmountKey: Int128]? {
    guard let table = tables[headline.table]?[view] else { return nil }
    var column = column ?? headline.comparedColumn ?? "close_observed"
    // The maker of the table has converted each charge.
    let target = headline == .mrr ? maker.conversion?.target : nil
    if let target { column += "_\(target)" }
    var amounts: [AmountKey: Int128] = [:]
    for (value, currency, cell) in table.cells(
      column, source: headline.name(of: report.source), month: months.name(month))
    {
      var key = AmountKey(value: ExactText(value), currency: currency)
      switch cell {
      case .count(let count): amounts[key] = Int128(count)
      case .money(let milliunits) where headline == .mrr:
        key.currency = target ?? currency
        amounts[key, default: 0] += milliunits * partsOfMilliunit
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
  /// A rate has the state of its row, active subscriptions and money one of their own: PAGE.md, "States by days". A source
  /// of daily reports that ends before a month that is over elsewhere lacks its last days.
  package func state(
    _ headline: Headline, _ report: SourceReport, by view: [Dimension] = [], value: String = "",
    in month: Month
  ) -> SourceReport.State? {
    let days = report.completeness
    let isOverElsewhere = lastDay.map { months.lastDay(of: month) <= $0 } == true
    // Counts of `events` are those of snapshots, whatever days their events lack.
    let isOfSnapshot = report.source == .events && [.active, .netChange, .mrr].contains(headline)
    if !isOfSnapshot, report.source != .receipts, !days.isOver(month), isOverElsewhere {
      return .partial
    }
    switch headline {
    case .active, .netChange:
      return stateOfActive(headline, report, in: month, isOver: isOverElsewhere)
    case .mrr where isOfSnapshot:
      let state = stateOfRow(.recurring, headline.name(of: report.source), in: month)
      // A snapshot of an earlier day than the last of a month that is over.
      return state == .provisional && isOverElsewhere ? .partial : state
    case .netProceeds:
      // Charges are complete with the month's last report, whether or not another one follows it.
      return days.isPartial(month, afterItsEnd: false)
        ? .partial : days.isOver(month) ? .final : .provisional
    case .churnRate, .renewalRate, .conversionRate, .conversionSoFar, .refundRate, .mrr:
      return stateOfRow(
        headline.table, headline.name(of: report.source), by: view, value: value, in: month)
    }
  }

  /// The days after a month's end in which a late charge can still continue a period that ended in it: METRICS.md 2.6.
  private static let tolerance = 2

  private func stateOfActive(
    _ headline: Headline, _ report: SourceReport, in month: Month, isOver: Bool
  ) -> SourceReport.State? {
    let days = report.completeness
    guard report.source.isOfChains else {
      // Snapshots of the month's last day and, of a change, of the day before its first.
      let needed = headline == .active ? ["close_observed"] : ["open", "close_observed"]
      let isKnown = needed.allSatisfy { column in
        amounts(.active, report, by: [], in: month, column: column)?.isEmpty == false
      }
      return isKnown ? .final : isOver ? .partial : .provisional
    }
    let churn = stateOfRow(.churn, report.source.rawValue, in: month)
    if churn == .partial || churn == nil && days.isPartial(month) { return .partial }
    return days.asOf <= months.lastDay(of: month) + Self.tolerance ? .provisional : .final
  }

  private func stateOfRow(
    _ kind: TableKind, _ source: String, by view: [Dimension] = [], value: String = "",
    in month: Month
  ) -> SourceReport.State? {
    let cells = tables[kind]?[view]?.cells(
      "state", source: source, month: months.name(month), of: value)
    return (cells ?? []).compactMap { entry in
      if case .text(let text) = entry.cell { return SourceReport.State(rawValue: text) }
      return nil
    }.min()
  }

  /// Returns how far a number of a month can be trusted, in the words of the page: the first that holds, from the
  /// worst.
  package func standing(_ headline: Headline, _ report: SourceReport, in month: Month) -> Standing {
    let days = report.completeness
    if days.isWithoutFiles(month) || month < days.firstMonth { return .noData }
    guard let state = state(headline, report, in: month) else {
      return days.isPartial(month) ? .incomplete : .settled
    }
    guard state == .partial else { return state == .final ? .settled : .canStillChange }
    if days.lacksDay(from: months.firstDay(of: month), to: months.lastDay(of: month)) {
      return .incomplete
    }
    let ofStock: Set<Headline> = [.active, .netChange, .churnRate]
    let whole = ofStock.contains(headline) ? maker.views.firstIndex(of: []) : nil
    let isAtEdge =
      report.source != .receipts && months.firstDay(of: month) < days.firstDay
      || whole.map { report.isChurnAtEdge(month, cohort: 0, report.tally.views[$0]) } ?? false
    return isAtEdge ? .notAllSeen : .incomplete
  }

  /// Returns the worse state of a number in a month and in an earlier one; `nil` if they cannot be compared, because a
  /// month has no row, is partial, or is before the data.
  func comparedState(
    _ headline: Headline, _ report: SourceReport, _ month: Month, with earlier: Month
  ) -> SourceReport.State? {
    guard earlier >= report.completeness.firstMonth,
      let now = state(headline, report, in: month),
      let then = state(headline, report, in: earlier), min(now, then) != .partial
    else { return nil }
    return min(now, then)
  }
}
