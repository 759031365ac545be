import AppStoreReports
import Counting
package import Pipeline
package import SubscriptionModel
package import Tables

extension RunResult {
  /// The dimensions by which drivers split a change, in this order, where the run has their views.
  package static let driverDimensions: [Dimension] = [.product, .country, .offer, .startMonth]

  /// Returns the source of active subscriptions, churn, renewals and movement: PAGE.md, "Which source speaks".
  ///
  /// The kinds of report in the whole input decide, and never what a month lacks.
  ///
  /// - Parameter month: The headline month; `nil` for the last month that is over.
  /// - Returns: The source; `nil` when no source has them.
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
  ///
  /// - Parameters:
  ///   - tables: The tables of the run.
  ///   - month: The headline month.
  ///   - conversion: Makes net proceeds one amount in its currency.
  /// - Returns: The maker.
  package func headlineMaker(
    _ tables: [TableKind: [ReportTable]], month: Month, conversion: CurrencyConversion? = nil
  ) -> HeadlineMaker {
    HeadlineMaker(
      tableMaker(conversion: conversion), tables: tables, month: month, months: plan.monthSystem,
      headlineSource: headlineSource())
  }

  /// Returns a maker for the last complete month; `nil` without a source.
  ///
  /// - Parameters:
  ///   - tables: The tables of the run.
  ///   - conversion: Makes net proceeds one amount in its currency.
  /// - Returns: The maker.
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
  ///
  /// - Parameter tables: The views of the table, with the months to show.
  /// - Returns: The source; `nil` when no source has a row.
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
