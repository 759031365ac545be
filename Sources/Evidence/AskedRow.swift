import AppStoreReports
import Counting
import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel
import Tables

/// The row of a table that a question is about, with its cells.
struct AskedRow {
  /// A column to explain.
  struct Column {
    let name: String
    let counted: Set<Counted>
    let measure: Measure
    /// The number in the table; an amount in milliunits.
    let expected: Int128
  }

  private(set) var columns: [Column]
  /// The state of the row, such as `provisional`; `nil` in tables without states.
  private(set) var state: String?
  /// The currency of the row; `nil` in tables without.
  let currency: String?
  let isDatedBySale: Bool
  /// The number of the paid period, in retention.
  let k: Int?
  /// The curve up to the row, in retention.
  private(set) var survival: SurvivalFormula?
  /// A line for each computed number of the question, with the columns that it is computed from; none for sums.
  private(set) var computed: [String] = []
  /// The message that the question's only number is empty; `nil` if it is not, or for several.
  private var emptyNumber: String?
  /// The file that `report` writes the table to.
  let fileName: String

  /// Finds the row; `nil` when the table does not have it.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - table: The view of the table that has the row.
  ///   - month: The month as the table prints it.
  /// - Throws: ``QuestionError`` when there are several, no row has a value of the question, or the cell is empty.
  init?(_ question: Question, ifIn table: ReportTable, month: String) throws(QuestionError) {
    let hasMonths = question.table != .retention
    let own = table.rows.filter { Self.text($0, "source", table) == question.source.rawValue }
    try Self.refuseUnknownValues(question, own, table)
    let found = own.filter { row in
      (!hasMonths || Self.text(row, "month", table) == month)
        && question.conditions.allSatisfy {
          Self.text(row, $0.key, table)?.isSame(as: $0.value) == true
        }
    }
    guard let row = found.first else { return nil }
    guard found.count == 1 else {
      throw QuestionError(
        "\(table.name) has \(counted(found.count, "row"))\(Self.forRow(question, month)); choose one with \(Self.choice(of: found, table))"
      )
    }
    state = Self.text(row, "state", table)
    currency = Self.text(row, "currency", table)
    isDatedBySale = Self.text(row, "dating", table) == "sale"
    fileName = table.fileStem + ".csv"
    k = Self.text(row, "k", table).flatMap { Int($0) }
    let others = question.conditions.filter { $0.key != "k" }
    let curve = own.filter { row in
      others.allSatisfy { Self.text(row, $0.key, table) == $0.value }
    }
    survival = k.flatMap { SurvivalFormula(curve, upTo: $0, table) }
    computed = (question.chosen ?? table.columns.map(\.name)).compactMap {
      Self.computed($0, question, row, table)
    }
    emptyNumber = question.column.flatMap { Self.emptyNumber($0, question, row, table) }
    columns = try Self.columns(question, row, table)
  }

  /// Finds the row.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - table: The view of the table that has the row.
  ///   - month: The month as the table prints it.
  /// - Throws: ``QuestionError`` when there is no such row, several, or the cell is empty.
  init(_ question: Question, in table: ReportTable, month: String) throws(QuestionError) {
    guard let row = try Self(question, ifIn: table, month: month) else {
      throw QuestionError("\(table.name) has no row\(Self.forRow(question, month))")
    }
    self = row
  }

  /// Returns such as ` for 2026-08 and country DE`.
  static func forRow(_ question: Question, _ month: String) -> String {
    let months = question.table == .retention ? [] : [month]
    let values = months + question.conditions.map { "\($0.key) \($0.value)" }
    return values.isEmpty ? "" : " for \(values.joined(separator: " and "))"
  }

  /// Returns the text of a cell that can choose a row; `nil` for counts other than k, and for empty cells.
  private static func text(
    _ row: [ReportTable.Cell], _ name: String, _ table: ReportTable
  ) -> String? {
    guard let place = table.columns.firstIndex(where: { $0.name == name }),
      name == "k" || table.columns[place].kind != .count
    else { return nil }
    return switch row[place] {
    case .text(let text): text
    case .count(let count): String(count)
    default: nil
    }
  }

  /// Refuses a value that no row of the source has, in any month.
  private static func refuseUnknownValues(
    _ question: Question, _ rows: [[ReportTable.Cell]], _ table: ReportTable
  ) throws(QuestionError) {
    for condition in question.conditions {
      let values = rows.compactMap { text($0, condition.key, table) }
      guard !values.contains(where: condition.value.isSame), !values.isEmpty else { continue }
      let advice = Nearest.advice(condition.value, of: condition.key, among: values)
      throw QuestionError(
        "--where \(condition.key)=\(condition.value): no row of \(table.name) has this value\(advice)"
      )
    }
  }

  /// Returns the options that choose one of several rows, such as `--where currency=… (EUR, USD)`.
  private static func choice(of rows: [[ReportTable.Cell]], _ table: ReportTable) -> String {
    let open = ["dating", "currency", "k"].filter { key in
      Set(rows.map { text($0, key, table) }).count > 1
    }
    return open.map { key in
      let values = rows.compactMap { text($0, key, table) }
      return Nearest.condition(
        key, key == "k" ? ["1 to \(values.last ?? "")"] : Set<ExactText>(of: values).inOrder)
    }.joined(separator: " and ")
  }

  /// Finds the row in the tables of a run.
  ///
  /// - Parameters:
  ///   - question: The question; the run has the view of its dimensions.
  ///   - result: The run.
  ///   - month: The month of the row.
  /// - Throws: ``QuestionError``, or an error of the tables.
  init(_ question: Question, _ result: RunResult, month: Month) throws {
    try self.init(
      question, in: Self.table(question, result), month: result.plan.monthSystem.name(month))
  }

  static func table(_ question: Question, _ result: RunResult) throws -> ReportTable {
    guard let view = result.plan.views.firstIndex(of: question.dimensions) else {
      preconditionFailure("the run has the view of the question")
    }
    return try result.tableMaker().table(question.table, view: view)
  }

  /// Returns this row as it is on a side whose table does not have it.
  func withoutCounts() -> AskedRow {
    var row = self
    row.columns = columns.map {
      Column(name: $0.name, counted: $0.counted, measure: $0.measure, expected: 0)
    }
    (row.state, row.survival, row.computed) = (nil, nil, [])
    return row
  }

  /// Returns the row in terms of a fold.
  func countedRow(
    _ question: Question, month: Month, _ names: Names, _ filter: Filter, _ registries: Registries
  ) -> CountedRow {
    let values = question.dimensions.map { dimension in
      ExactText(question.conditions.first { $0.key == dimension.rawValue }?.value ?? "")
    }
    var row = CountedRow(month: month, dimensions: question.dimensions, filter: filter) {
      $0.map { ExactText($0.text(names)) } == values
    }
    row.currency = currency.map { registries.symbol(of: $0) }
    row.isDatedBySale = isDatedBySale
    row.k = k
    return row
  }

  private static func columns(
    _ question: Question, _ row: [ReportTable.Cell], _ table: ReportTable
  ) throws(QuestionError) -> [Column] {
    var columns: [Column] = []
    for (name, makeup) in question.columns {
      guard let (counted, measure) = makeup.sum,
        let place = table.columns.firstIndex(where: { $0.name == name })
      else { continue }
      if let expected = measure.number(row[place]) {
        columns.append(
          Column(name: name, counted: counted, measure: measure, expected: expected))
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
  /// Refuses a rate or a bound whose cell is empty although its inputs are known, such as 0 of 0.
  func refuseEmptyNumber() throws(QuestionError) {
    if let emptyNumber { throw QuestionError(emptyNumber) }
  }

  /// Returns such as `refunds.low is empty in this row, with refunds_full 2, charges 57: there is no number to explain`;
  /// `nil` for a sum, and for a cell that is not empty.
  private static func emptyNumber(
    _ name: String, _ question: Question, _ row: [ReportTable.Cell], _ table: ReportTable
  ) -> String? {
    guard
      let inputs = ColumnMakeup.of(name, in: question.table, from: question.source)?.parts,
      let cell = cell(name, row, table), number(cell) == nil
    else { return nil }
    let own = inputs.map { input in
      "\(input) \(self.cell(input, row, table).flatMap(self.number) ?? "not known")"
    }
    return
      "\(question.table.rawValue).\(name) is empty in this row, with \(own.joined(separator: ", ")): there is no number to explain"
  }

  /// Returns such as `churn_rate = 30/277 = 0.108303, of churned and active_start`.
  private static func computed(
    _ name: String, _ question: Question, _ row: [ReportTable.Cell], _ table: ReportTable
  ) -> String? {
    guard let makeup = ColumnMakeup.of(name, in: question.table, from: question.source),
      let cell = cell(name, row, table), let number = number(cell)
    else { return nil }
    if case .model = makeup, ["low", "high"].contains(name) {
      return
        "\(name) = \(number), a bound of the 95 % log-log interval of survival, with Greenwood's variance of the factors below"
    }
    guard case .parts(let parts) = makeup else { return nil }
    let cells = parts.compactMap { self.cell($0, row, table) }
    guard cells.count == parts.count else { return nil }
    if case .ratio(let above, let below) = cell, case .count(let first) = cells[0],
      parts.count == 2, case .count(let second) = cells[1],
      (above, below) == (Int128(first), Int128(second))
    {
      return "\(name) = \(first)/\(second) = \(number), of \(parts[0]) and \(parts[1])"
    }
    let own = zip(parts, cells).map { "\($0) \(self.number($1) ?? "not known")" }
    return "\(name) = \(number), computed from \(own.joined(separator: ", "))"
  }

  private static func cell(
    _ name: String, _ row: [ReportTable.Cell], _ table: ReportTable
  ) -> ReportTable.Cell? {
    table.columns.firstIndex { $0.name == name }.map { row[$0] }
  }

  /// Returns a number as the CSV has it; `nil` for an empty cell.
  private static func number(_ cell: ReportTable.Cell) -> String? {
    switch cell {
    case .missing, .text: nil
    case .count(let count): String(count)
    case .ratio(let above, let below): NumberStyle.rate(above, over: below)
    case .fraction(let fraction): NumberStyle.rate(fraction)
    case .money(let milliunits): NumberStyle.money(milliunits: milliunits)
    case .hundredths(let hundredths): NumberStyle.hundredths(hundredths)
    }
  }
}

extension AskedRow {
  /// Refuses to list only the largest values of a median or a percentile, whose values are listed in their order.
  func refuseLargestOfRank(_ order: ContributionOrder) throws(QuestionError) {
    guard order == .value, let rank = columns.first(where: { $0.measure.percent != nil }) else {
      return
    }
    throw QuestionError(
      "--limit: \(rank.name) lists values from the smallest; leave out --limit or --sort value")
  }
}
