import AppStoreReports
import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// The row of a table that a question is about, with its cells.
struct AskedRow {
  /// A column to explain.
  struct Column {
    var name: String
    /// The facts that it adds up; none in tables of another form.
    var counted: Set<Counted> = []
    let measure: Measure
    /// The number in the table; an amount in milliunits.
    var expected: Int128
  }

  private(set) var columns: [Column]
  /// The state of the row, such as `provisional`; `nil` in tables without states.
  private(set) var state: String?
  /// The currency of the row; `nil` in tables without.
  let currency: String?
  let isDatedBySale: Bool
  /// The basis of the row's money; `nil` in tables without.
  let basis: String?
  /// The age of the row and its start months, in lifetime value.
  let lifetime: (months: Int, starts: Set<Month>)?
  /// The number of the paid period, in retention.
  let k: Int?
  /// The computed numbers of the question, with the columns that they are computed from; none for sums.
  private(set) var computed: [Formula]
  /// The formula of survival, in retention.
  private(set) var formulas: [Formula]
  /// The message that the question's only number is empty; `nil` if it is not, or for several.
  private var emptyNumber: String?
  /// The file that `report` writes the table to.
  let fileName: String

  private typealias Row = ReportTable.NamedRow

  /// Finds the row of a month in the view of the table that has it; `nil` when the table does not have it.
  ///
  /// - Throws: ``QuestionError`` when there are several, no row has a value of the question, or the cell is empty.
  init?(_ question: Question, ifIn table: ReportTable, month: String) throws(QuestionError) {
    let source = question.source.name(in: question.table)
    let own = table.namedRows.filter { $0.source == source }
    let text = { (row: Row, key: String) in row.value(key) }
    let found = try question.row(
      among: own, of: table.name, Self.forRow(question, month),
      where: { question.hasNoMonths || $0.text("month") == month }, text: text,
      choice: {
        question.choice(
          of: $0, by: ["basis", "dating", "start_month", "currency", "k", "months"], text)
      })
    guard let row = found else { return nil }
    state = row.value("state")
    currency = row.value("currency")
    isDatedBySale = row.value("dating") == "sale"
    basis = row.value("basis")
    lifetime = row["months"].map { months in
      let keys = question.conditions.map(\.key).filter { $0 != "start_month" }
      let isAll = row.value("start_month") == "all"
      let starts = own.filter { other in
        isAll
          ? question.has(only: keys, other.value) && other["months"] == months
            && other.value("basis") == row.value("basis")
            && other.value("currency") == row.value("currency") && other.value("state") == "final"
          : other.value("start_month") == row.value("start_month")
      }
      return (months, Set(starts.compactMap { Month($0.text("start_month")) }))
    }
    (fileName, k) = (table.fileStem + ".csv", row["k"])
    formulas = []
    if let k, question.isOfCurve {
      let keys = question.conditions.map(\.key).filter { $0 != "k" }
      let curve = own.filter { row in question.has(only: keys, row.value) }
      formulas = Formula.survival(curve, upTo: k, in: fileName)
    }
    computed = (question.chosen ?? table.columns.map(\.name)).compactMap {
      Self.computed($0, question, row)
    }
    emptyNumber = question.column.flatMap { Self.emptyNumber($0, question, row) }
    columns = try Self.columns(question, row)
  }

  /// Finds the row of a month; throws when there is none too.
  init(_ question: Question, in table: ReportTable, month: String) throws(QuestionError) {
    guard let row = try Self(question, ifIn: table, month: month) else {
      throw QuestionError("\(table.name) has no row\(Self.forRow(question, month))")
    }
    self = row
  }

  /// Finds the row in the tables of a run, which has the view of the question's dimensions.
  init(_ question: Question, _ result: RunResult, month: Month) throws {
    try self.init(
      question, in: result.table(question.table, by: question.dimensions),
      month: result.plan.monthSystem.name(month))
  }

  /// Returns such as ` for 2026-08 and country DE`.
  static func forRow(_ question: Question, _ month: String) -> String {
    question.forRow(question.hasNoMonths ? nil : month)
  }

  /// Returns this row as it is on a side whose table does not have it.
  func withoutCounts() -> AskedRow {
    var row = self
    for place in row.columns.indices { row.columns[place].expected = 0 }
    (row.state, row.formulas, row.computed) = (nil, [], [])
    return row
  }

  /// Returns the row in terms of a fold.
  func countedRow(
    _ question: Question, month: Month, _ result: RunResult, _ filter: Filter,
    _ registries: Registries
  ) -> CountedRow {
    let values = question.dimensions.map { ($0, question.value(of: $0.rawValue) ?? "") }
    var row = CountedRow(month, values, filter, of: question.source, result)
    row.currency = currency.map { registries.symbol(of: $0) }
    row.isDatedBySale = isDatedBySale
    row.k = k
    if let lifetime, let place = LifetimeWindow.months.firstIndex(of: lifetime.months) {
      row.lifetime = (place, lifetime.starts)
    }
    row.isOfProceeds = basis == "proceeds"
    return row
  }

  private static func columns(_ question: Question, _ row: Row) throws(QuestionError) -> [Column] {
    var columns: [Column] = []
    for (name, makeup) in question.columns {
      guard let (counted, measure) = makeup.sum else { continue }
      if let expected = measure.number(row.cell(name)) {
        columns.append(Column(name: name, counted: counted, measure: measure, expected: expected))
      } else if question.column != nil {
        throw QuestionError(
          "\(question.table.rawValue).\(name) is empty in this row: not known, so there is nothing to explain"
        )
      }
    }
    if let chosen = question.chosen, columns.isEmpty {
      throw QuestionError(
        "\(question.table.rawValue): \(chosen.joined(separator: ", ")) are empty in this row: not known, so there is nothing to explain"
      )
    }
    return columns
  }
}

// MARK: The asked number

extension AskedRow {
  /// Refuses to list only the largest values of a median or a percentile, whose values are listed in their order.
  func refuseLargestOfRank(_ order: ContributionOrder) throws(QuestionError) {
    guard order == .value, let rank = columns.first(where: { $0.measure.percent != nil }) else {
      return
    }
    throw QuestionError(
      "--limit: \(rank.name) lists values from the smallest; leave out --limit or --sort value")
  }

  /// Refuses a rate or a bound whose cell is empty although its inputs are known, such as 0 of 0.
  func refuseEmptyNumber() throws(QuestionError) {
    if let emptyNumber { throw QuestionError(emptyNumber) }
  }

  /// Returns such as `refunds.low is empty in this row, with refunds_full 2, charges 57: there is no number to explain`;
  /// `nil` for a sum, and for a cell that is not empty.
  private static func emptyNumber(_ name: String, _ question: Question, _ row: Row) -> String? {
    guard
      let inputs = ColumnMakeup.of(name, in: question.table, from: question.source)?.parts,
      row.value(name) == nil
    else { return nil }
    return
      "\(question.table.rawValue).\(name) is empty in this row, with \(words(inputs, row)): there is no number to explain"
  }

  /// Returns such as `churn_rate = 30/277 = 0.108303, of churned and active_start`.
  private static func computed(_ name: String, _ question: Question, _ row: Row) -> Formula? {
    guard let makeup = ColumnMakeup.of(name, in: question.table, from: question.source),
      let number = row.value(name)
    else { return nil }
    if case .model = makeup, ["low", "high"].contains(name) {
      return Formula(
        "\(name) = \(number), a bound of the 95 % log-log interval of survival, with Greenwood's variance of the factors below"
      )
    }
    guard let parts = makeup.parts else { return nil }
    if case .model = makeup {
      // The other models have formulas of several rows.
      guard let formula = Definition.formula(of: name, in: question.table) else { return nil }
      return Formula("\(name) = \(formula) = \(number), of \(words(parts, row))")
    }
    if case .ratio(let above, let below) = row.cell(name), parts.count == 2,
      let first = row[parts[0]], let second = row[parts[1]],
      (above, below) == (Int128(first), Int128(second))
    {
      return Formula("\(name) = \(first)/\(second) = \(number), of \(parts[0]) and \(parts[1])")
    }
    return Formula("\(name) = \(number), computed from \(words(parts, row))")
  }

  /// Returns such as `refunds_full 2, charges 57`.
  private static func words(_ columns: [String], _ row: Row) -> String {
    columns.map { "\($0) \(row.value($0) ?? "not known")" }.joined(separator: ", ")
  }
}

extension Measure {
  package func cell(_ sum: Int128) -> ReportTable.Cell {
    isMoney ? .money(milliunits: sum) : .count(Int(sum))
  }

  /// Returns the number in a cell; `nil` for a cell of another measure, or an empty one.
  package func number(_ cell: ReportTable.Cell) -> Int128? {
    switch (cell, self) {
    case (.count(let count), .count), (.count(let count), .rank): Int128(count)
    // Gaps of receipts are in hundredths of days.
    case (.hundredths(let hundredths), .rank): Int128(hundredths)
    case (.money(let milliunits), .price), (.money(let milliunits), .proceeds),
      (.money(let milliunits), .value):
      milliunits
    default: nil
    }
  }

  /// Returns a sum in words: `19`, or `29.97`.
  package func text(_ sum: Int128) -> String {
    isMoney ? NumberStyle.money(milliunits: sum) : String(sum)
  }
}
