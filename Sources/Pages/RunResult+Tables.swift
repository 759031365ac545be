import AppStoreReports
import Counting
package import Pipeline
import Rendering
import Storage
package import SubscriptionModel
package import Tables

extension RunResult {
  /// The dimensions by which drivers split a change, in this order, where the run has their views.
  package static let driverDimensions: [Dimension] = [.product, .country, .offer, .startMonth]

  /// Returns the source of active subscriptions, churn, renewals and movement: PAGE.md, "Which source speaks".
  ///
  /// The kinds of report in the whole input decide, and never what a month lacks; without a month the last one that is
  /// over.
  package func headlineSource(of month: Month? = nil) -> Source? {
    let day = month.map(plan.monthSystem.lastDay)
    let hasStarted = { (report: SourceReport) in
      day.map { report.completeness.firstDay <= $0 } ?? true
    }
    let own = Set(sources.filter { hasStarted($0) && $0.has(.churn) }.map(\.source))
    if let primary = plan.primary, own.contains(primary) { return primary }
    let longestTerm = Term(months: 12)
    if let month = month ?? lastCompleteMonth(), own.contains(.subscribers),
      let first = sources.first(where: { $0.source == .subscribers })?.completeness.firstDay,
      first.adding(longestTerm) <= plan.monthSystem.firstDay(of: month)
    {
      return .subscribers
    }
    let used = files.filter { file in
      file.isUsed && (day.map { end in file.day.map { $0 <= end } ?? false } ?? true)
    }
    let kinds = Set(used.map(\.kind))
    let hasEvents = kinds.isSuperset(of: [.subscription, .subscriptionEvent])
    let order: [Source] = (hasEvents ? [.events] : []) + [.receipts, .subscribers, .events]
    return order.first(where: own.contains)
  }

  /// The headline source of the month before, with the data until its end, where it is another one.
  package var earlierHeadlineSource: Source? {
    guard let month = lastCompleteMonth(), let now = headlineSource(of: month) else { return nil }
    let before = headlineSource(of: month - 1)
    return before == now ? nil : before
  }

  /// Returns a maker of the headline numbers and their drivers.
  package func headlineMaker(
    _ tables: [TableKind: [ReportTable]], month: Month, conversion: CurrencyConversion? = nil
  ) -> HeadlineMaker {
    HeadlineMaker(
      tableMaker(conversion: conversion), tables: tables, month: month, months: plan.monthSystem,
      headlineSource: headlineSource())
  }

  /// Returns a maker for the last complete month; `nil` without a source.
  package func headlineMaker(
    _ tables: [TableKind: [ReportTable]], conversion: CurrencyConversion? = nil
  ) -> HeadlineMaker? {
    lastCompleteMonth().map { headlineMaker(tables, month: $0, conversion: conversion) }
  }

  /// Why the source that the user prefers cannot be the headline source, naming those that can; `nil` when it can.
  ///
  /// Such as: the input has no data of receipts; those that have: subscribers, events.
  package var primaryWithoutData: String? {
    let own = sources.filter { $0.has(.churn) }.map(\.source)
    guard let primary = plan.primary, !own.isEmpty, !own.contains(primary) else { return nil }
    if !plan.sources.contains(primary) { return "--source leaves it out" }
    let others = HeadlineMaker.possibleSources.filter(own.contains).map(\.rawValue)
    let named =
      others.isEmpty
      ? "no other source of churn has any" : "those that have: \(others.joined(separator: ", "))"
    return "the input has no data of \(primary.rawValue); \(named)"
  }

  /// Returns the source that a table is shown from: the headline source where it has the table's main number, else the
  /// first that has it, else the first that has rows.
  package func source(showing tables: [ReportTable]) -> Source? {
    let order = headlineMaker([:])?.sourceOrder ?? []
    let rows = tables.flatMap(\.namedRows)
    let name = { (source: Source) in
      TableKind(rawValue: tables.first?.name ?? "")?.name(of: source) ?? source.rawValue
    }
    let answering = Set(
      rows.filter { $0.cell(tables[0].mainColumn ?? "") != .missing }.map(\.source))
    let shown = Set(rows.map(\.source))
    return order.first { answering.contains(name($0)) }
      ?? order.first { shown.contains(name($0)) }
  }

  /// The dimensions of the run's views of one dimension, those of the page first.
  package var splitDimensions: [Dimension] {
    let single = shownViews.filter { $0.count == 1 }.flatMap { $0 }
    return Self.driverDimensions.filter(single.contains)
      + Dimension.allCases.filter { single.contains($0) && !Self.driverDimensions.contains($0) }
  }

  /// What drivers split changes by: movements, and these dimensions.
  package var driverSplits: [DriverSplit] { [.movement] + splitDimensions.map(DriverSplit.of) }
}

extension Check {
  /// Creates a check that the totals of drivers add up to the change of the whole.
  init(_ check: Drivers.Check) {
    self.init(
      name: "drivers add up", scope: check.scope, expected: check.expected, found: check.found,
      state: check.holds ? .ok : .failed, isOfInput: false)
  }
}

extension RunResult {
  /// Returns why a month has no churn rate: `Sales reports do not say who stayed; add Subscriber reports`.
  func reasonWithoutChurn(_ month: Month?, from source: Source?) -> String {
    let own = Set(sources.map(\.source))
    let add =
      "add Subscriber reports, or Subscription Event with Subscription reports, or receipts."
    guard let month, !own.isEmpty else {
      return "settlements do not say who stayed; \(add)"
    }
    if own == [.sales] { return "Sales reports do not say who stayed; \(add)" }
    if sources.allSatisfy({ !$0.has(.churn) }) {
      return "Subscription reports do not say who left; \(add)"
    }
    let before = plan.monthSystem.firstDay(of: month) - 1
    if source == .receipts,
      let end = sources.first(where: { $0.source == .receipts })?.completeness,
      end.asOf <= before
    {
      return "receipts end on \(PageText.day(end.asOf)); take a new dump."
    }
    let ofReports = sources.filter { $0.source != .sales && $0.source != .receipts }
    for report in ofReports.filter({ $0.source == source }) + ofReports {
      guard let kind = PageContent.kinds(report.source).first?.nameInSentences else { continue }
      if isWithoutFiles(report.source, month) {
        return
          "no \(kind) report of \(month.longName(plan.monthSystem)) is there; download them (\(Self.keptDays))."
      }
      if report.isAfterMonthWithoutFiles(month) {
        return
          "no \(kind) report of \((month - 1).longName(plan.monthSystem)) is there, so who was active on \(PageText.day(before)) is not known."
      }
    }
    if source == .events,
      sources.first(where: { $0.source == .events })?
        .tally.snapshotMonths.contains(month) == false
    {
      return
        "Subscription Event reports do not say how many subscriptions were active before the month; add the Subscription report of \(PageText.day(before))\(own.contains(.subscribers) ? "" : ", or Subscriber reports")."
    }
    let first = sources.filter { $0.source != .sales }.map(\.completeness.firstDay).min()
    if let first, first > before {
      return
        "the data begin on \(PageText.day(first)), so who was active before the month is not known; add the reports of the month before."
    }
    return "no subscription is known to have been active at the end of \(PageText.day(before))."
  }
}

extension RunResult {
  /// Returns every view of every table that a source allows, the whole population first; a conversion adds columns.
  package func tables(
    _ kinds: [TableKind] = TableKind.allCases, conversion: CurrencyConversion? = nil
  ) throws(ConversionError) -> [TableKind: [ReportTable]] {
    let maker = tableMaker(conversion: conversion)
    let hidden = plan.views.indices.filter { isHidden(plan.views[$0]) }
    let wanted = kinds.flatMap { kind in
      maker.views(of: kind).filter { !hidden.contains($0) }.map { (kind, $0) }
    }
    let made = Workers.map(count: wanted.count, jobs: plan.jobs) { item in
      Result { () throws(ConversionError) in
        try maker.table(wanted[item].0, view: wanted[item].1)
      }
    }
    var tables: [TableKind: [ReportTable]] = [:]
    for (table, (kind, _)) in zip(made, wanted) {
      let table = try table.get()
      tables[kind, default: []].append(kind == .definitions ? inCompleteMonths(table) : table)
    }
    return tables
  }

  /// Returns the rows of months that are over at the as-of of their source.
  private func inCompleteMonths(_ table: ReportTable) -> ReportTable {
    var complete = table
    complete.rows = zip(table.rows, table.namedRows).filter { _, row in
      let report = sources.first { $0.source == Source.ofRows(row.source) }
      guard let report, let month = plan.monthSystem.month(named: row.text("month")) else {
        return false
      }
      return report.completeness.isOver(month)
    }.map(\.0)
    return complete
  }
}

extension Source {
  /// Returns the source of the input that rows are made from: those of `snapshot` are read with `events`.
  package static func ofRows(_ name: String) -> Source? {
    Source(rawValue: name == "snapshot" ? Source.events.rawValue : name)
  }
}
