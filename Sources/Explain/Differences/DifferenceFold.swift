import AppStoreReports
import Counting
import Files
import Pipeline
import Storage
import SubscriptionModel
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
              pairedLater[key, default: ComparedPair()][keyPath: path].append(
                (place, contribution))
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

  /// Returns the table of the differences.
  func table(
    _ lists: [DifferenceList<RowContribution>], _ after: DifferenceSide, _ before: DifferenceSide
  ) -> ReportTable {
    let tables = [after, before].map { side in
      RowTable(side.result, side.result.keptContext.registries)
    }
    return DifferenceList.table(lists, of: columns) { one, place in
      let (side, table) = one.after == nil ? (before, tables[1]) : (after, tables[0])
      let cells = table.cells(columns[place].name, columns[place].measure, one.main)
      return (cells, "\(side.name): \(ExplanationTable.because(of: cells))", nil)
    }
  }
}
