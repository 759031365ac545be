import AppStoreReports
import Counting
import Files
package import Pipeline
import Storage
package import SubscriptionModel
import Tables

/// What one subscription or row adds on both sides, each contribution with the place of its column.
private struct ComparedPair<Element: ListedContribution>: Sendable {
  var after: [(column: Int, contribution: Element)] = []
  var before: [(column: Int, contribution: Element)] = []

  /// Adds the differences to the list of each column.
  func add(as key: ComparedKey, to lists: inout [DifferenceList<Element>]) {
    for place in lists.indices {
      let own = after.filter { $0.column == place }.map(\.contribution)
      let other = before.filter { $0.column == place }.map(\.contribution)
      if !own.isEmpty || !other.isEmpty { lists[place].add(own, other, of: key) }
    }
  }
}

/// Folds both sides on one thread, part by part, and pairs what each subscription adds.
///
/// A customer is in the same part on both sides, so memory holds the contributions of one part. Subscriptions that may
/// be in another part on the other side are paired at the end.
struct DifferenceFold<Source: ExplainedSource> {
  typealias Found = Contribution<Source>

  private let columns: [Set<Counted>]
  private let sides: [(customers: Source.Customers, runs: ComparedRuns, isAfter: Bool)]
  private var lists: [DifferenceList<Found>]
  private var pairedLater: [ComparedKey: ComparedPair<Found>] = [:]

  private init(
    _ after: ComparedSide<Source>, _ before: ComparedSide<Source>, _ columns: [Set<Counted>],
    _ empty: [DifferenceList<Found>]
  ) {
    (self.columns, lists) = (columns, empty)
    let counted = columns.reduce(into: Set<Counted>()) { $0.formUnion($1) }
    sides = [
      (after.customers(counted), after.runs, true), (before.customers(counted), before.runs, false),
    ]
  }

  /// Returns the differences of cells: a list for each column, given what each counts, and an empty list for each.
  static func lists(
    _ after: ComparedSide<Source>, _ before: ComparedSide<Source>, _ columns: [Set<Counted>],
    _ empty: [DifferenceList<Found>], jobs: Int
  ) -> [DifferenceList<Found>] {
    let parts = Workers.run(
      count: after.source.partCount, jobs: jobs,
      makeState: { DifferenceFold(after, before, columns, empty) },
      work: { $0.add(part: $1) }, finish: { ($0.lists, $0.pairedLater) })
    var merged = empty
    var pairedLater: [ComparedKey: ComparedPair<Found>] = [:]
    for part in parts {
      for (place, list) in part.0.enumerated() { merged[place].merge(list) }
      pairedLater.merge(part.1) {
        ComparedPair(after: $0.after + $1.after, before: $0.before + $1.before)
      }
    }
    for (key, own) in pairedLater { own.add(as: key, to: &merged) }
    return merged
  }

  private mutating func add(part: Int) {
    var found: [ComparedKey: ComparedPair<Found>] = [:]
    for (customers, runs, isAfter) in sides {
      let path = isAfter ? \ComparedPair<Found>.after : \ComparedPair<Found>.before
      customers.load(part: part, only: nil)
      while customers.next() {
        for one in customers.found {
          let contribution = customers.contribution(one, leftOutBy: nil)
          let key = customers.key(of: contribution, runs)
          for (place, counted) in columns.enumerated() where counted.contains(one.counted) {
            if key.isOfText {
              pairedLater[key, default: ComparedPair()][keyPath: path].append((place, contribution))
            } else {
              found[key, default: ComparedPair()][keyPath: path].append((place, contribution))
            }
          }
        }
      }
    }
    for (key, own) in found { own.add(as: key, to: &lists) }
  }
}

/// The rows of events or sales that only one side counts.
///
/// They name no subscription. A row of one file is the same row on both sides; all others came or went.
struct RowDifferences {
  private let question: Question
  private let columns: [AskedRow.Column]

  init(_ question: Question, _ columns: [AskedRow.Column]) {
    (self.question, self.columns) = (question, columns)
  }

  /// Returns the differences of cells: a list for each column.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func lists(
    _ after: DifferenceSide, _ before: DifferenceSide, _ rows: AskedRow.Pair,
    _ empty: [DifferenceList<RowContribution>]
  ) throws -> [DifferenceList<RowContribution>] {
    var found: [ComparedKey: ComparedPair<RowContribution>] = [:]
    try forEachRow(of: after, rows.after) { found[$0, default: ComparedPair()].after.append($1) }
    try forEachRow(of: before, rows.before) {
      found[$0, default: ComparedPair()].before.append($1)
    }
    return found.reduce(into: empty) { $1.value.add(as: $1.key, to: &$0) }
  }

  private func forEachRow(
    of side: DifferenceSide, _ asked: AskedRow,
    _ body: (ComparedKey, (column: Int, contribution: RowContribution)) -> Void
  ) throws {
    let (result, context) = (side.result, side.result.keptContext)
    let row = asked.countedRow(
      question, month: side.month, result, context.rowFilter, context.registries)
    let lists = try RowFold.lists(row, columns, question.source, Listing(), result, context)
    for (column, list) in lists.counted.enumerated() {
      for one in list.printed {
        let path = result.files[one.file].file.path
        body(ComparedKey(number: UInt64(one.row.line), text: path), (column, one))
      }
    }
  }

  func table(
    _ lists: [DifferenceList<RowContribution>], _ after: DifferenceSide, _ before: DifferenceSide
  ) -> ReportTable {
    let tables = [after, before].map { side in
      RowTable(
        side.result, side.result.keptContext.registries,
        isOfProceeds: question.value(of: "basis") == "proceeds")
    }
    return DifferenceList.table(lists, of: columns) { one, place in
      let (side, table) = one.after == nil ? (before, tables[1]) : (after, tables[0])
      let cells = table.cells(columns[place].name, columns[place].measure, one.main)
      return (cells, "\(side.name): \(ExplanationTable.because(of: cells))", nil)
    }
  }
}

/// One side of a difference: a month of a run's tables.
package struct DifferenceSide: Sendable {
  /// The name in sentences, such as `2026-08` or `run of 2026-08-31`.
  package let name: String
  package let month: Month
  /// The result of a run that has kept its charges, its receipts, or for events and sales its context.
  package let result: RunResult

  package init(_ name: String, _ month: Month, _ result: RunResult) {
    (self.name, self.month, self.result) = (name, month, result)
  }

  /// For each file of the run, its place among the files of another run, by its path.
  ///
  /// Call it only if the other run has all files of this one.
  func filePlaces(in other: RunResult) -> [UInt64] {
    let places = Dictionary(
      other.files.enumerated().map { ($1.file.path, UInt64($0)) }, uniquingKeysWith: { $1 })
    return result.files.enumerated().map { places[$1.file.path] ?? UInt64($0) }
  }
}

extension AskedRow {
  /// The rows of both sides of a difference.
  ///
  /// A table of countries has no row for DE before its first customer there. If only one side has the row, and the
  /// other side's data have its month from the first day on, the other one's numbers are 0.
  struct Pair {
    let (after, before): (AskedRow, AskedRow)
    /// Says which side has no row; `nil` when both have one.
    let note: String?

    /// Finds both rows.
    ///
    /// - Throws: ``QuestionError`` when neither side has the row, one lacks it and its data do not cover the month, there
    ///   are several, or the cell is empty; or an error of the tables.
    init(_ question: Question, after: DifferenceSide, before: DifferenceSide) throws {
      let (after, before) = (try Side(question, after), try Side(question, before))
      switch (after.row, before.row) {
      case (let row?, let other?): (self.after, self.before, note) = (row, other, nil)
      case (let row?, nil) where before.isOfData:
        (self.after, self.before, note) = (row, row.withoutCounts(), before.note)
      case (nil, let row?) where after.isOfData:
        (self.after, self.before, note) = (row.withoutCounts(), row, after.note)
      case (nil, _): throw after.error
      case (_, nil): throw before.error
      }
    }

    /// The row of one side, and the sentences for a side without it.
    private struct Side {
      let row: AskedRow?
      /// Whether the data have the month from its first day on.
      let isOfData: Bool
      let error: QuestionError
      let note: String

      init(_ question: Question, _ side: DifferenceSide) throws {
        let month = side.result.plan.monthSystem.name(side.month)
        let table = try side.result.table(question.table, by: question.dimensions)
        row = try AskedRow(question, ifIn: table, month: month)
        let own = side.result.sources.first { $0.source == question.source }?.completeness
        isOfData =
          question.table != .retention
          && side.result.monthsOfData(for: question.table, from: question.source)?
            .contains(side.month) == true
          && own.map { $0.firstDay <= $0.monthSystem.firstDay(of: side.month) } == true
        let noRow = "\(table.name) has no row\(AskedRow.forRow(question, month))"
        error = QuestionError(noRow)
        note = "note: \(noRow), so its numbers are 0"
      }
    }
  }
}

/// What two sides may both have: a subscription; or a row of events or sales, which name none.
struct ComparedKey: Hashable, Sendable {
  /// The id of the subscriber, or the number of the customer; the line of a row.
  var number: UInt64 = 0
  /// The index of the chain, where both sides have the same customers.
  var chain = 0
  /// An id that is no number; the path of a row's file.
  var text = ""
  var group = ""

  /// Whether each run has a number of its own for it, so that it may be in another part of the customers on each side.
  var isOfText: Bool { !text.isEmpty }
}

/// How the two sides of a difference name subscriptions.
struct ComparedRuns: Sendable {
  /// Whether the sides are of two runs, not two months of one.
  let areTwo: Bool
  let names: Names
}

/// One side of a difference in terms of a fold, with the source to fold.
struct ComparedSide<Source: ExplainedSource>: Sendable {
  let side: DifferenceSide
  let source: Source
  let runs: ComparedRuns
  private let row: CountedRow
  /// How subscriptions are named; `nil` for the place of their first row.
  private let naming: CustomerTable.Naming?

  init(
    _ side: DifferenceSide, _ question: Question, _ asked: AskedRow, _ source: Source,
    isOfOtherRun: Bool, _ naming: CustomerTable.Naming?
  ) {
    (self.side, self.source, self.naming) = (side, source, naming)
    runs = ComparedRuns(areTwo: isOfOtherRun, names: side.result.names)
    row = asked.countedRow(
      question, month: side.month, side.result, source.filter, source.registries)
  }

  /// Returns the customers of the side, for one thread.
  func customers(_ counted: Set<Counted>) -> Source.Customers {
    source.customers(row, counted, named: naming != nil)
  }

  /// The table that lists the contributions of the side.
  var table: ContributionTable<Source> {
    ContributionTable(
      side.result.names, source, naming, side.month, of: row, jobs: side.result.plan.jobs)
  }

  /// What the side has of a subscription besides its contributions.
  struct Trace: Sendable {
    /// By the index of the column: the last period or refund of the explained table row that does not count.
    var leftOut: [Int: Contribution<Source>] = [:]
    let files: Set<Int>
  }

  /// Returns what the side has of subscriptions, to say why it does not count them; nothing for one without rows.
  func traces(
    of wanted: Set<ComparedKey>, _ columns: [Set<Counted>], jobs: Int
  ) -> [ComparedKey: Trace] {
    guard !wanted.isEmpty else { return [:] }
    let numbers = source.customers(having: wanted)
    let leftOut = LeftOutColumns(columns)
    let empty = columns.map { _ in ContributionList<Contribution<Source>>(.count) }
    return source.fold(
      row, leftOut.kinds, only: numbers, jobs: jobs, into: [ComparedKey: Trace]()
    ) { traces, customers in
      let files = customers.files(of: wanted, runs)
      guard !files.isEmpty else { return }
      for (key, files) in files { traces[key] = Trace(files: files) }
      var lists = empty
      leftOut.add(customers, to: &lists)
      for (column, list) in lists.enumerated() {
        for one in list.printed { traces[customers.key(of: one, runs)]?.leftOut[column] = one }
      }
    }.reduce(into: [:]) { $0.merge($1) { $1 } }
  }
}
