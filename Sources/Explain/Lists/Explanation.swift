import AppStoreReports
import Counting
package import Pipeline
import Rendering
package import SubscriptionModel
package import Tables

/// The contributions to the cells of a row, and whether they add up to them.
package struct Explanation: Sendable {
  /// The sum of a column.
  package struct Sum: Equatable, Sendable {
    package let column: String
    package let count: Int
    /// Their sum, an amount in milliunits; for a rank the value at it.
    package let sum: Int128
    /// The number in the table; `nil` for an input of formulas that the table does not have.
    package let expected: Int128?
    let measure: Measure
    /// Whether the numbers are hundredths, as the gaps of receipts are.
    var isInHundredths = false
    /// The name of a contribution.
    private let unit: String
    /// Where the expected number is from, such as `the rows up to 2026-08-09 say`; `nil` for the explained table.
    private let whatSays: String?
    /// Sentences about the sum.
    private let details: [Formula]

    package init(
      column: String, count: Int, sum: Int128, expected: Int128?, measure: Measure,
      isInHundredths: Bool = false, unit: String = "contribution", whatSays: String? = nil,
      details: [Formula] = []
    ) {
      (self.column, self.count, self.sum) = (column, count, sum)
      (self.expected, self.measure, self.isInHundredths) = (expected, measure, isInHundredths)
      (self.unit, self.whatSays, self.details) = (unit, whatSays, details)
    }

    package var holds: Bool { expected.map { $0 == sum } ?? true }

    /// Returns such as `19 contributions add up to 19, as churn.csv says`, and the details.
    fileprivate func sentences(_ fileName: String, isNamed: Bool) -> [Formula] {
      let start = isNamed ? "\(column): " : ""
      let end = expected.map {
        ", \(Formula.end(holds, whatSays ?? "\(fileName) says", text($0)))"
      }
      return [Formula("\(start)\(words)\(end ?? "")", holds: holds)]
        + details.map { Formula("\(start)\($0)", holds: $0.holds) }
    }

    /// Such as `19 contributions add up to 19`, or `number 2 of 3 values in order is 13`.
    private var words: String {
      if let percent = measure.percent {
        let place = Statistics.rank(percent: percent, of: count)
        return "number \(place) of \(counted(count, "value")) in order is \(text(sum))"
      }
      return "\(counted(count, unit)) \(count == 1 ? "adds" : "add") up to \(text(sum))"
    }

    private func text(_ number: Int128) -> String {
      isInHundredths ? NumberStyle.hundredths(Int(number)) : measure.text(number)
    }
  }

  /// One row for each contribution.
  package var table: ReportTable { rows.table }
  /// The rows, if they are too many to be kept as texts; otherwise `nil`.
  package var longTable: LongTable? { rows.long }
  let rows: ListedRows
  package let sums: [Sum]
  /// How many periods or refunds of the row each column leaves out; `nil` if they are not listed.
  package let leftOut: [Int]?
  /// The computed numbers of the question, with the columns that they are computed from; none for sums.
  var computed: [Formula] = []
  /// The formulas of numbers that are computed from the sums.
  let formulas: [Formula]
  /// The state of the row, such as `final`; `nil` in tables without states.
  package private(set) var state: String?
  /// What else the reader must know.
  package var notes: [String] = []
  /// The file that `report` writes the explained table to, such as `churn.csv`.
  package let fileName: String

  init(
    _ rows: ListedRows, _ sums: [Sum], _ formulas: [Formula] = [], leftOut: [Int]? = nil,
    notes: [String] = [], fileName: String
  ) {
    (self.rows, self.sums, self.formulas) = (rows, sums, formulas)
    (self.leftOut, self.notes, self.fileName) = (leftOut, notes, fileName)
  }

  /// Explains a row of a run's tables.
  ///
  /// The run has the view of the question's dimensions, and has kept its charges, its receipts, or for events and sales
  /// its context. `ignored` is a run of the receipts that this one ignores because of their environment, whose
  /// contributions are left out of this one's. More than `mostKept` rows are made one after another.
  ///
  /// - Throws: ``QuestionError`` without such a row, ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    _ question: Question, month: Month, _ result: RunResult, _ listing: Listing = Listing(),
    ignored: RunResult? = nil, mostKept: Int = ListedRows.mostKept
  ) throws {
    let asked = try AskedRow(question, result, month: month)
    try asked.refuseEmptyNumber()
    try asked.refuseLargestOfRank(listing.order)
    let fold = CellFold(source: question.source, result: result, listing: listing)
    let found = try fold.contributions(to: asked.columns, in: month, ignored: ignored) {
      asked.countedRow(question, month: month, $0, $1, $2)
    }
    sums = zip(asked.columns, found.sums).map { column, found in
      Sum(
        column: column.name, count: found.count, sum: found.sum, expected: column.expected,
        measure: column.measure,
        isInHundredths: question.source == .receipts && column.measure.percent != nil)
    }
    leftOut = found.leftOut
    (rows, fileName) = (ListedRows(found.table, mostKept: mostKept), asked.fileName)
    (computed, formulas, state) = (asked.computed, asked.formulas, asked.state)
  }

  /// A line for each computed number, sum and formula, such as `19 contributions add up to 19, as churn.csv says`.
  package var lines: [String] { sentences.map(\.description) }

  /// The lines whose number the table does not have.
  package var failures: [String] { sentences.filter { !$0.holds }.map(\.description) }

  private var sentences: [Formula] {
    let hasNames = sums.count > 1
    let ofLeftOut = zip(sums, leftOut ?? []).map { sum, count in
      Formula(leftOut: count, of: hasNames ? sum.column : nil)
    }
    return computed + sums.flatMap { $0.sentences(fileName, isNamed: hasNames) } + formulas
      + ofLeftOut
  }

  /// Whether all columns add up.
  package var holds: Bool { failures.isEmpty }
}

extension RunResult {
  var keptCharges: KeptCharges {
    guard let charges else { preconditionFailure("the run has kept its charges") }
    return charges
  }

  var keptReceipts: KeptReceipts {
    guard let receipts else { preconditionFailure("the run has kept its receipts") }
    return receipts
  }

  var keptContext: ReadContext {
    guard let context else { preconditionFailure("the run has kept its context") }
    return context
  }
}
