import AppStoreReports
package import Counting
package import Files
package import PriceImpact
import Scanning
import Storage
package import SubscriptionModel
package import Tables

/// The results of a run, from which tables and pages are made.
package struct RunResult: Sendable {
  package let plan: RunPlan
  /// Every file in path order.
  package let files: [FileReport]
  /// Inputs that could not be read at all.
  package let inputErrors: [InputError]
  /// The counts of each source.
  package let sources: [SourceReport]
  /// Sources that were left out because their rows lack a filtered dimension.
  package let unfilteredSources: [Source]
  /// The texts behind the symbols.
  package let names: Names
  /// Remarks of health.csv on all receipts; `nil` without receipts.
  package let receiptNote: String?
  /// The requested table of receipts; `nil` without receipts.
  package let customerTable: ReportTable?
  /// The price changes of each source; empty if the run did not look for any.
  package let prices: [PriceReport]
  /// The subscribers that planned prices would affect; `nil` without a plan.
  package let planReport: PlanReport?

  /// The content of finance files and of daily SALES reports beside them; `nil` without a finance file.
  package let finance: FinanceData?

  /// The values that filters can select; `nil` without filters.
  let values: InputValues?
  /// The filter values that no used row of the input has.
  package internal(set) var unmatchedFilters: [UnmatchedFilter] = []
  /// A message when each filter matches rows but no row matches all of them; `nil` otherwise.
  package internal(set) var emptyCombination: String?

  /// The number of subscribers changed or gone since the last run; `nil` when all were folded.
  package let changedSubscribers: Int?

  /// The charges of SUBSCRIBER reports; `nil` unless the plan keeps them, and without such reports.
  package let charges: KeptCharges?

  /// The customers of receipts; `nil` unless the plan keeps them, and without receipts.
  package let receipts: KeptReceipts?

  /// What the run was read with; `nil` unless the plan keeps it.
  package let context: ReadContext?

  /// The rows of dumps that hold only notifications of earlier rows.
  let repeatedRows: Set<DumpRow>

  /// The last report dates of vendors whose apps are now in other accounts: no later day is missing.
  package let closedVendors: [String: Day]

  package var rejectedRows: Int { files.map(\.rows.rejected).reduce(0, +) }

  /// Whether any table can be made.
  package var hasUsableInput: Bool { !sources.isEmpty || finance?.hasFiles == true }

  /// Whether none of the inputs can be opened, such as a path that does not exist.
  package var opensNoInput: Bool {
    files.isEmpty ? !inputErrors.isEmpty : files.allSatisfy(\.cannotBeOpened)
  }

  /// Whether any file is a good report, even if it gives no table.
  ///
  /// No table uses a pre-order report.
  package var hasGoodReport: Bool {
    files.contains { file in
      file.problem == nil && (file.isUsed && !file.isReceiptDump || file.isOtherReport)
    }
  }

  /// Returns a table maker for the results; the conversion adds converted columns beside the money columns.
  package func tableMaker(conversion: CurrencyConversion? = nil) -> TableMaker {
    TableMaker(
      sources: sources, views: plan.views, retentionViews: plan.retentionViews,
      moneyViews: plan.moneyViews, names: names, conversion: conversion)
  }

  package var priceTableMaker: PriceTableMaker { PriceTableMaker(prices, names: names) }

  /// Sources that cannot supply a view's dimensions, in the order of the views.
  package var missingViews: [(source: Source, view: [Dimension])] {
    let ofRetention = Definition.definition(of: .retention).sources
    let asked =
      shownViews.map { (view: $0, sources: sources.map(\.source)) }
      + plan.retentionViews.map { view in
        (view: view, sources: sources.map(\.source).filter(ofRetention.contains))
      }
    return asked.flatMap { view, sources in
      sources.filter { !$0.dimensions.isSuperset(of: view) }.map { ($0, view) }
    }
  }

  /// The views of every table that are shown.
  package var shownViews: [[Dimension]] {
    plan.views.filter { !isHidden($0) && !plan.moneyViews.contains($0) }
  }

  /// Returns whether no table shows a view: `app`, where it is a default and there is one app.
  package func isHidden(_ view: [Dimension]) -> Bool {
    view == [.app] && plan.omitsViewOfOneApp && appCount <= 1
  }

  /// The number of apps in the source that has most of them; 0 without the view `app`.
  ///
  /// Apps are not added up over sources, because receipts have other ids than reports.
  private var appCount: Int {
    guard let view = plan.views.firstIndex(of: [.app]) else { return 0 }
    return sources.map { report in
      report.tally.views[view].index.cohorts.count { ![.app(.blank), .unknown].contains($0[0]) }
    }.max() ?? 0
  }

  /// Returns the last month that is over on the newest day that any source has: PAGE.md, "Which source speaks".
  ///
  /// Days of other sources are missing up to that day: a kind of report that stopped coming is not finished. Of a
  /// table only its sources count. It is the first month of the data when none is over; `nil` without a source.
  package func lastCompleteMonth(for kind: TableKind? = nil) -> Month? {
    let possible = kind.map { Definition.definition(of: $0).sources } ?? Source.allCases
    let used = sources.filter { possible.contains($0.source) }
    guard let month = used.map(\.completeness.lastCompleteMonth).max(),
      let first = used.map(\.completeness.firstMonth).min()
    else { return nil }
    return max(month, first)
  }

  /// Returns whether a month is over on the newest day that any source has.
  package func isOver(_ month: Month) -> Bool {
    sources.contains { $0.completeness.isOver(month) }
  }

  /// Where the reports of each kind and vendor end.
  package var feedEnds: [FeedEnd] { FeedEnd.all(files, closed: closedVendors, plan) }

  /// Two versions of one report, with their numbers of rows.
  package struct Restatement: Equatable, Sendable {
    /// The file that was replaced.
    package let old: String
    /// The file that counts.
    package let new: String
    /// The number of rows in the file that was replaced.
    package let oldRows: Int
    /// The number of rows in the file that counts.
    package let newRows: Int
    /// Why it counts.
    package let reason: DownloadOrder.Reason
  }

  /// The reports replaced by a later version, in path order.
  package var restatements: [Restatement] {
    let replaced = files.filter { $0.replacement?.reason == .restated }
    let order = DownloadOrder(replaced.isEmpty ? [] : files.map(\.file))
    return replaced.compactMap { file in
      guard let winner = file.replacement.map({ files[$0.file] }) else { return nil }
      return Restatement(
        old: file.file.relativePath, new: winner.file.relativePath, oldRows: file.rows.read,
        newRows: winner.rows.read, reason: order.reason(for: winner.file, over: file.file))
    }
  }
}

extension RunResult {
  /// Returns the first and last month for which a table, or any, can have rows of a source, or any; `nil` without a
  /// source.
  package func monthsOfData(
    for kind: TableKind? = nil, from source: Source? = nil
  ) -> ClosedRange<Month>? {
    let possible = kind.map { Definition.definition(of: $0).sources } ?? Source.allCases
    return Self.months(
      of: sources.filter { report in
        possible.contains(report.source) && source.map { $0 == report.source } ?? true
      })
  }

  /// Returns the last `count` months that are over in every source of reports; `nil` without a source.
  package func lastCompleteMonths(_ count: Int) -> ClosedRange<Month>? {
    lastCompleteMonth().map { $0 - (count - 1)...$0 }
  }

  /// Returns a range of months in words, such as `2026-01 to 2026-09`, or one month.
  package func text(_ months: ClosedRange<Month>) -> String {
    let first = plan.monthSystem.name(months.lowerBound)
    let last = plan.monthSystem.name(months.upperBound)
    return first == last ? first : "\(first) to \(last)"
  }

  /// Returns the end of a message about a month outside the data.
  ///
  /// Of `2062-09` `did you mean "2026-09"? The data cover 2026-01 to 2026-09`. A month within two years of the data
  /// is no slip, so it has the second half alone, as one that looks like no month of the data.
  package func advice(
    outside asked: ClosedRange<Month>, _ data: ClosedRange<Month>
  ) -> String {
    let cover = "data cover \(text(data))"
    let month = asked.lowerBound.number
    let isFar = month > data.upperBound.number + 24 || month < data.lowerBound.number - 24
    guard asked.lowerBound == asked.upperBound, isFar else { return "the \(cover)" }
    let months = (data.lowerBound.number...data.upperBound.number).map { Month(number: $0) }
    let near = Nearest.advice(
      plan.monthSystem.name(asked.lowerBound), among: months.map(plan.monthSystem.name), limit: 0)
    return near.isEmpty ? "the \(cover)" : "\(near) The \(cover)"
  }

  private static func months(of sources: [SourceReport]) -> ClosedRange<Month>? {
    let data = sources.map(\.completeness)
    guard let first = data.map(\.firstMonth).min(), let last = data.map(\.lastMonth).max() else {
      return nil
    }
    return min(first, last)...last
  }
}
