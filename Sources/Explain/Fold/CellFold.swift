import AppStoreReports
import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Folds the data of a run once more for the cells of a row.
struct CellFold {
  /// The contributions to some cells.
  struct Found {
    /// The rows that list them, or what the cells leave out.
    let table: LongTable
    /// The number and the sum of each column; for a rank the value at it.
    let sums: [(count: Int, sum: Int128)]
    /// How many rows each column leaves out; `nil` if they are not listed.
    let leftOut: [Int]?
  }

  /// Makes the row in terms of a fold of a run.
  typealias MakeRow = (RunResult, Filter, Registries) -> CountedRow

  let source: Source
  let result: RunResult
  let listing: Listing

  /// Returns the contributions to cells of a month; with a day, only those of the rows up to it.
  ///
  /// `ignored` is a run whose contributions to the row are left out of this one's.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func contributions(
    to columns: [AskedRow.Column], in month: Month, knownOn day: Day? = nil,
    ignored: RunResult? = nil, _ makeRow: MakeRow
  ) throws -> Found {
    switch source {
    case .receipts:
      let receipts = result.keptReceipts
      let other = ignored.map { (result: $0, kept: $0.keptReceipts) }
      return try contributions(to: columns, in: month, receipts, besides: other) {
        var row = makeRow($0, $1, $2)
        row.knownOn = day
        return row
      }
    case .subscribers:
      let charges = result.keptCharges
      return try contributions(to: columns, in: month, day.map(charges.known) ?? charges, makeRow)
    case .events, .sales:
      let context = result.keptContext
      let row = makeRow(result, context.rowFilter, context.registries)
      let lists = try RowFold.lists(row, columns, source, listing, result, context)
      let table = RowTable(result, context.registries, isOfProceeds: row.isOfProceeds).table(
        zip(columns, lists.shown).map { ($0.name, $1) })
      return Found(
        table: table, sums: lists.counted.map { ($0.count, $0.sum) },
        leftOut: lists.leftOut?.map(\.count))
    }
  }

  private func contributions<Kept: ExplainedSource>(
    to columns: [AskedRow.Column], in month: Month, _ kept: Kept,
    besides other: (result: RunResult, kept: Kept)? = nil, _ makeRow: MakeRow
  ) throws -> Found {
    let counted = columns.map(\.counted)
    let (isNamed, jobs) = (listing.naming != nil, result.plan.jobs)
    let empty = { (measure: Measure) in
      ContributionList<Contribution<Kept>>(measure, limit: listing.limit, listing.order)
    }
    let none = columns.map { _ in empty(.count) }
    let row = makeRow(result, kept.filter, kept.registries)
    let table = { (result: RunResult, kept: Kept) in
      ContributionTable(result.names, kept, listing.naming, month, of: row, jobs: jobs)
    }
    let lists = kept.contributions(
      to: row, counted, columns.map { empty($0.measure) }, named: isNamed, jobs: jobs)
    var shown =
      listing.leavingOut
      ? kept.leftOut(of: row, counted, none, named: isNamed, jobs: jobs) : lists
    if let other {
      let row = makeRow(other.result, other.kept.filter, other.kept.registries)
      shown.merge(
        other.kept.contributions(
          to: row, counted, none, named: isNamed, leftOutBy: .otherEnvironment, jobs: jobs))
    }
    return Found(
      table: try table(result, kept).table(
        zip(columns, shown).map { ($0.name, $1) }, others: other.map(table)),
      sums: lists.map { ($0.count, $0.result) },
      leftOut: listing.leavingOut ? shown.map(\.count) : nil)
  }
}

extension CountedRow {
  /// Creates the row of a source's table with the values of some dimensions, as the table prints them.
  init(
    _ month: Month, _ values: [(dimension: Dimension, text: String)], _ filter: Filter,
    of source: Source, _ result: RunResult
  ) {
    let (names, texts) = (result.names, values.map { ExactText($0.text) })
    self.init(month: month, dimensions: values.map(\.dimension), filter: filter) {
      $0.map { ExactText($0.text(names)) } == texts
    }
    let report = result.sources.first { $0.source == source }
    usualTerms = report?.tally.usualTerms ?? UsualTerms()
  }
}
