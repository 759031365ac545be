import AppStoreReports
public import Metrics
public import SubscriptionModel

/// Everything a run has found; tables and pages are made from it.
public struct RunResult: Sendable {
  /// What was asked for.
  public let plan: RunPlan
  /// Every file in path order.
  public let files: [FileReport]
  /// Inputs that could not be read at all.
  public let inputErrors: [InputError]
  /// What was counted, by source.
  public let sources: [SourceReport]
  /// Sources that were left out because a filter asks for what their rows do not say.
  public let unfilteredSources: [Source]
  /// The texts behind the symbols.
  public let names: Names
  /// What health says of receipts that belongs to no file; `nil` without receipts.
  public let receiptNote: String?
  /// The table of receipts that the plan wished for; `nil` without receipts.
  public let customerTable: ReportTable?
  /// Whom planned prices would meet; `nil` without a plan.
  public let planReport: PlanReport?

  /// What the finance files say, and the daily SALES reports beside them; `nil` without a finance file.
  public let finance: FinanceRecords?

  /// What filters can select; `nil` when there is none.
  let values: InputValues?
  /// The filter values that no used row of the input has.
  public internal(set) var unmatchedFilters: [UnmatchedFilter] = []
  /// Why filters that each have rows leave none together; `nil` where they leave some.
  public internal(set) var emptyCombination: String?

  /// Of how many subscribers something has changed since the last run, gone ones too; `nil` when all were
  /// folded.
  public let changedSubscribers: Int?

  /// Rows rejected in all files.
  public var rejectedRows: Int { files.map(\.rows.rejected).reduce(0, +) }

  /// Whether any table can be made.
  public var hasUsableInput: Bool { !sources.isEmpty || finance?.hasFiles == true }

  /// Whether any file is a good report, whether or not a table can be made of it: a snapshot alone has no
  /// table, and no table uses a pre-order report.
  public var hasGoodReport: Bool {
    files.contains { file in
      file.problem == nil && (file.isUsed && !file.isReceiptDump || file.isOtherReport)
    }
  }

  /// Makes tables of what was counted.
  ///
  /// - Parameter conversion: Adds converted columns beside the money columns.
  /// - Returns: The maker of the tables.
  public func tableMaker(conversion: CurrencyConversion? = nil) -> TableMaker {
    TableMaker(sources: sources, views: plan.views, names: names, conversion: conversion)
  }

  /// Sources that cannot supply a view's dimensions, in the order of the views.
  public var missingViews: [(source: Source, view: [Dimension])] {
    plan.views.flatMap { view in
      sources.filter { !$0.source.dimensions.isSuperset(of: view) }.map { ($0.source, view) }
    }
  }

  /// The last month that is over in every source of reports; as-of's month when none is.
  ///
  /// Receipts decide only where there are no reports: a dump is as old as it is, and must not take the
  /// newest month from a page about reports.
  ///
  /// - Parameter kind: The table the month is wanted for; its sources decide.
  /// - Returns: The month, or `nil` without a source.
  public func lastCompleteMonth(for kind: TableKind? = nil) -> Month? {
    let possible = kind.map { Definition.definition(of: $0).sources } ?? Source.allCases
    let able = sources.filter { possible.contains($0.source) }
    let reports = able.filter { $0.source != .receipts }
    let used = reports.isEmpty ? able : reports
    guard let month = used.map(\.completeness.lastCompleteMonth).min(),
      let first = used.map(\.completeness.firstMonth).min()
    else { return nil }
    return max(month, first)
  }

  /// Whether a month is over in every source of reports, or in receipts where there are no reports.
  ///
  /// - Parameter month: The month.
  /// - Returns: Whether no day of it is to come.
  public func isOver(_ month: Month) -> Bool {
    let reports = sources.filter { $0.source != .receipts }
    return (reports.isEmpty ? sources : reports).allSatisfy { $0.completeness.isOver(month) }
  }

  /// Two versions of one report, and how their rows differ.
  public struct Restatement: Equatable, Sendable {
    /// The file that was replaced.
    public let old: String
    /// The file that counts.
    public let new: String
    /// Rows of the two files.
    public let oldRows: Int
    /// Rows of the file that counts.
    public let newRows: Int
  }

  /// Reports of which a later version was found, in path order.
  public var restatements: [Restatement] {
    files.compactMap { file in
      guard let replacement = file.replacement, replacement.reason == ReportResolution.restated
      else { return nil }
      let winner = files[replacement.file]
      return Restatement(
        old: file.file.relativePath, new: winner.file.relativePath, oldRows: file.rows.read,
        newRows: winner.rows.read)
    }
  }
}
