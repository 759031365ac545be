public import SubscriptionModel

/// The results of one source in a finished run.
public struct SourceReport: Sendable {
  /// The counts, settled on as-of.
  public let tally: Tally
  /// The days that the data cover.
  public let completeness: Completeness
  /// The changes of standard prices, found or given by the user; empty if the run did not look for any.
  public var priceChanges: [PriceChange] = []
  /// The results of the source's price increases; `nil` without an increase or without chains.
  public var impact: ImpactTally?
  /// Which charges count as instalments; `nil` for sources that do not infer it from prices.
  public let plans: BillingPlans?
  /// Products sold in monthly instalments, according to the source.
  public let soldInInstalments: Set<Symbol>

  /// Creates the report of a source.
  ///
  /// - Parameters:
  ///   - tally: The counts.
  ///   - completeness: The days that the data cover.
  ///   - plans: Which charges count as instalments.
  ///   - commitmentProducts: Products that records describe as sold in instalments.
  public init(
    tally: Tally, completeness: Completeness, plans: BillingPlans? = nil,
    commitmentProducts: Set<Symbol> = []
  ) {
    self.tally = tally.settled(on: completeness.asOf)
    self.completeness = completeness
    self.plans = plans
    soldInInstalments = commitmentProducts.union(plans?.soldInInstalments ?? [])
  }

  /// The source.
  public var source: Source { tally.source }

  /// Products that may be sold in instalments, although the source does not say.
  ///
  /// Each of their charges counts as what it looks like.
  public var doubtfulProducts: Set<Symbol> { tally.lengths.doubtful.union(plans?.doubtful ?? []) }

  /// The whole population's churn by month whose renewal was not due: instalments in the middle of a term.
  public var churnedInTerm: [Month: Int] {
    guard let whole = tally.views.first(where: \.index.dimensions.isEmpty),
      let months = whole.facts.usedMonths
    else { return [:] }
    var churned: [Month: Int] = [:]
    for cohort in whole.index.cohorts.indices {
      var month = months.lowerBound
      while month <= months.upperBound {
        churned[month, default: 0] += whole.facts.count(
          .churnedInTerm, cohort: cohort, month: month)
        month = month + 1
      }
    }
    return churned
  }

  /// Terms of known position first seen after their first instalment, less those no longer seen, by month.
  public var termsSeen: [Month: Int] {
    let whole = tally.views.first(where: \.index.dimensions.isEmpty)
    return (whole?.commitments.counts ?? [:]).reduce(into: [:]) { seen, entry in
      seen[entry.key.month, default: 0] += entry.value.termsSeen
    }
  }

  /// Returns a month as the `month` column writes it.
  func name(_ month: Month) -> String { completeness.monthSystem.name(month) }

  /// The words of the `state` column, the worst first.
  enum State: String, CaseIterable, Comparable {
    case partial, provisional, final

    var cell: ReportTable.Cell { .text(rawValue) }

    static func < (left: State, right: State) -> Bool {
      allCases.prefix { $0 != right }.contains(left)
    }
  }

  /// Returns the state of a month's row: METRICS.md section 5.
  ///
  /// - Parameters:
  ///   - month: The row's month.
  ///   - isUndecided: Whether the row has pending or provisional counts.
  ///   - isAtLeftEdge: Whether active chains of the row may not have been seen yet.
  /// - Returns: The first state that holds.
  func state(
    of month: Month, isUndecided: Bool, isAtLeftEdge: Bool = false
  ) -> State {
    if completeness.isPartial(month) || tally.isDoubtful(month) || isAtLeftEdge { return .partial }
    return isUndecided || !completeness.isOver(month) ? .provisional : .final
  }
}

/// A row with its keys, for sorting.
struct KeyedRow {
  enum Key {
    case text(String)
    case number(Int)
    /// A price; a missing one comes first.
    case milliunits(Int64?)
  }

  var keys: [Key]
  var cells: [ReportTable.Cell]

  /// All cells of the row, the keys first.
  ///
  /// Keys print as they sort: text by its UTF-8 bytes, numbers by their value.
  var allCells: [ReportTable.Cell] {
    keys.map { key in
      switch key {
      case .text(let text): .text(text)
      case .number(let number): .count(number)
      case .milliunits(let price): price.map { .money(milliunits: Int128($0)) } ?? .missing
      }
    } + cells
  }

  static func precedes(_ left: KeyedRow, _ right: KeyedRow) -> Bool {
    for (leftKey, rightKey) in zip(left.keys, right.keys) {
      switch (leftKey, rightKey) {
      case (.number(let first), .number(let second)) where first != second: return first < second
      case (.text(let first), .text(let second)) where first != second:
        return first.utf8.lexicographicallyPrecedes(second.utf8)
      case (.milliunits(let first), .milliunits(let second)) where first != second:
        return (first ?? .min) < (second ?? .min)
      default: continue
      }
    }
    return false
  }
}

/// Builds tables from the counts of a run's sources.
public struct TableMaker: Sendable {
  let sources: [SourceReport]
  let views: [[Dimension]]
  /// The number of views at the end of `views` that only `retention` has.
  private let retentionViewCount: Int
  let names: Names
  let conversion: CurrencyConversion?

  /// Creates a maker.
  ///
  /// - Parameters:
  ///   - sources: The run's sources.
  ///   - views: The dimensions of each view, as the tallies have them.
  ///   - retentionViews: Those of the views of `retention` alone.
  ///   - names: The texts behind the symbols.
  ///   - conversion: Adds converted columns beside the money columns.
  public init(
    sources: [SourceReport], views: [[Dimension]], retentionViews: [[Dimension]] = [],
    names: Names, conversion: CurrencyConversion? = nil
  ) {
    self.sources = sources.sorted { $0.source < $1.source }
    self.views = views + retentionViews
    retentionViewCount = retentionViews.count
    self.names = names
    self.conversion = conversion
  }

  /// Returns whether any source can supply a view of a table; `commitments` also needs an instalment.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - dimensions: The view's dimensions; none for the whole population.
  /// - Returns: Whether at least one source has what the view needs.
  public func allows(_ kind: TableKind, by dimensions: [Dimension] = []) -> Bool {
    hasSource(for: kind, by: dimensions)
      && (kind != .commitments || sources.contains(where: \.tally.hasInstalments))
  }

  /// Returns the views of a table that some source can supply, as indices for ``table(_:view:)``.
  ///
  /// - Parameter kind: The table.
  /// - Returns: The indices, ascending.
  public func views(of kind: TableKind) -> [Int] {
    let all = kind == .retention ? views.indices : views.indices.dropLast(retentionViewCount)
    return all.filter { allows(kind, by: views[$0]) }
  }

  /// Returns whether any source can supply a view of a table.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - dimensions: The view's dimensions; none for the whole population.
  /// - Returns: Whether at least one source has what the view needs.
  public func hasSource(for kind: TableKind, by dimensions: [Dimension] = []) -> Bool {
    let possible = Definition.definition(of: kind).sources
    return sources.contains {
      possible.contains($0.source) && $0.source.dimensions.isSuperset(of: dimensions)
    }
  }

  /// Returns one view of a table.
  ///
  /// Sources that lack one of the view's dimensions are left out of it.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - view: The view's index.
  /// - Returns: The table, with a header even when it has no row.
  /// - Throws: ``ConversionError`` when a rate is missing.
  public func table(_ kind: TableKind, view: Int) throws(ConversionError) -> ReportTable {
    let definition = Definition.definition(of: kind)
    let dimensions = views[view]
    var rows: [KeyedRow] = []
    for report in sources where definition.sources.contains(report.source) {
      guard report.source.dimensions.isSuperset(of: dimensions) else { continue }
      rows += self.rows(of: kind, report, view)
    }
    let table = ReportTable(
      name: kind.rawValue, dimensions: dimensions.map(\.rawValue),
      columns: definition.columns(for: dimensions),
      rows: rows.sorted(by: KeyedRow.precedes).map(\.allCells))
    guard let conversion else { return table }
    return try conversion.addingColumns(to: table)
  }

  private func rows(of kind: TableKind, _ report: SourceReport, _ view: Int) -> [KeyedRow] {
    switch kind {
    case .churn: churnRows(report, view)
    case .renewals: renewalRows(report, view)
    case .lapses: lapseRows(report, view)
    case .refunds: refundRows(report, view)
    case .retention: retentionRows(report, view)
    case .movement: movementRows(report, view)
    case .proceeds: proceedsRows(report, view)
    case .trials: trialRows(report, view)
    case .commitments: commitmentRows(report, view)
    }
  }

  // MARK: What the tables share

  func cohortKeys(_ cohort: Int, _ view: ViewTally) -> [KeyedRow.Key] {
    view.index.cohorts[cohort].map { .text($0.text(names)) }
  }

  /// Returns a row for each cohort and month, up to as-of's month, for which there are cells.
  func monthlyRows(
    _ report: SourceReport, _ view: Int, from first: Month? = nil,
    cells: (_ cohort: Int, _ month: Month) -> [ReportTable.Cell]?
  ) -> [KeyedRow] {
    let tally = report.tally.views[view]
    guard var month = first ?? tally.facts.usedMonths?.lowerBound else { return [] }
    let last = report.completeness.lastMonth
    var rows: [KeyedRow] = []
    while month <= last {
      for cohort in tally.index.cohorts.indices {
        guard let cells = cells(cohort, month) else { continue }
        let keys: [KeyedRow.Key] = [.text(report.source.rawValue), .text(report.name(month))]
        rows.append(KeyedRow(keys: keys + cohortKeys(cohort, tally), cells: cells))
      }
      month = month + 1
    }
    return rows
  }

  func intervalCells(_ successes: Int, of trials: Int) -> [ReportTable.Cell] {
    guard let interval = Statistics.wilson(successes, of: trials) else {
      return [.missing, .missing]
    }
    return [.fraction(interval.low), .fraction(interval.high)]
  }
}
