import AppStoreReports
import Counting
import Files
package import Pipeline
import Storage
package import SubscriptionModel
import Tables

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
        let table = try AskedRow.table(question, side.result)
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
      side.result.names, source, naming, side.month, jobs: side.result.plan.jobs)
  }

  /// What the side has of a subscription besides its contributions.
  struct Trace: Sendable {
    /// By the index of the column: the last period or refund of the explained table row that does not count.
    var leftOut: [Int: Contribution<Source>] = [:]
    /// The files with rows of the subscription.
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
    return Workers.run(
      count: source.partCount, jobs: jobs,
      makeState: {
        let customers = source.customers(row, leftOut.kinds, named: false)
        return (customers: customers, traces: [ComparedKey: Trace]())
      },
      work: { state, part in
        let customers = state.customers
        customers.load(part: part, only: numbers)
        while customers.next() {
          let files = customers.files(of: wanted, runs)
          guard !files.isEmpty else { continue }
          for (key, files) in files { state.traces[key] = Trace(files: files) }
          var lists = empty
          leftOut.add(customers, to: &lists)
          for (column, list) in lists.enumerated() {
            for one in list.printed {
              state.traces[customers.key(of: one, runs)]?.leftOut[column] = one
            }
          }
        }
      }, finish: { $0.traces }
    ).reduce(into: [:]) { $0.merge($1) { $1 } }
  }
}
