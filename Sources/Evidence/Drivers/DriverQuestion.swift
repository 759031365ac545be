import Rendering
import Scanning
import Storage
package import SubscriptionModel
import Tables

/// The row of `drivers` that is to be explained.
package struct DriverQuestion: Equatable, Sendable {
  /// The name of the table.
  package static let table = HeadlineTable.drivers.rawValue
  /// The columns that choose a row.
  private static let keys = ["table", "measure", "currency", "dimension", "value"]

  /// The chosen columns; `nil` for all numbers of the row.
  package let chosen: [String]?
  /// What the change is split by; `nil` for the whole.
  package let dimension: Dimension?
  /// The values that choose the row.
  private let conditions: [Question.Condition]

  /// The views that the run needs.
  package var views: [[Dimension]] { [[]] + (dimension.map { [[$0]] } ?? []) }

  /// Returns whether a table, or a table and its column, is about drivers.
  package static func isAsked(_ cell: String) -> Bool {
    cell == table || cell.hasPrefix(table + ".")
  }

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - cell: The table, or the table and its column, such as `drivers.total`.
  ///   - columns: Names of columns, or their beginnings.
  ///   - conditions: Texts such as `measure=churn_rate`.
  /// - Throws: ``QuestionError`` for anything that cannot be explained.
  package init(
    _ cell: String, columns: [String] = [], where conditions: [String]
  ) throws(QuestionError) {
    let column = cell == Self.table ? nil : String(cell.dropFirst(Self.table.count + 1))
    if let column, !Driver.columns.contains(column) {
      throw QuestionError(
        "explain \(cell): drivers has no such number; \(Nearest.advice(column, among: Driver.columns))"
      )
    }
    chosen = try ChosenColumns.read(columns, column, of: Self.table, among: Driver.columns)
    let read = try Question.Condition.read(conditions, of: Self.table, keys: Self.keys)
    self.conditions = read.filter { $0.key != "dimension" || !$0.value.isEmpty }
    let measures = Headline.driven.map(\.rawValue)
    let value = { (key: String) in read.first { $0.key == key }?.value }
    guard let measure = value("measure") else {
      throw QuestionError(
        "explain \(cell): name the number that changed with \(Nearest.condition("measure", measures))"
      )
    }
    if !measures.contains(measure) {
      throw QuestionError(
        "--where measure=\(measure): no such number; \(Nearest.advice(measure, among: measures))")
    }
    let name = value("dimension") ?? ""
    dimension = Dimension(rawValue: name)
    if !name.isEmpty, dimension == nil {
      let advice = Nearest.advice(name, among: Dimension.allCases.map(\.rawValue))
      throw QuestionError("--where dimension=\(name): no such dimension; \(advice)")
    }
    if dimension == nil, let value = value("value"), !value.isEmpty {
      throw QuestionError(
        "--where value=\(value): name its dimension too, such as --where dimension=country")
    }
  }

  /// Returns the asked row.
  ///
  /// - Throws: ``QuestionError`` when there is no such row, several, or the cell is empty.
  func row(_ drivers: Drivers) throws(QuestionError) -> Driver {
    let ofMeasure = drivers.rows.filter {
      matches("table", $0.headline.table.rawValue) && matches("measure", $0.headline.rawValue)
        && $0.dimension == dimension
    }
    let found = ofMeasure.filter { matches("currency", $0.currency) && matches("value", $0.value) }
    guard let row = found.first else {
      let values = ofMeasure.map(\.value).filter { !$0.isEmpty }
      let value = conditions.first { $0.key == "value" }?.value
      let advice =
        value.map { Nearest.advice($0, among: Set<ExactText>(of: values).inOrder, limit: 20) } ?? ""
      throw QuestionError(
        "drivers has no row for \(conditions.words)\(advice.isEmpty ? "" : "; ")\(advice)")
    }
    guard found.count == 1 else {
      throw QuestionError(
        "drivers has \(counted(found.count, "row")) for \(conditions.words); choose one with \(Self.choice(found))"
      )
    }
    if let chosen, chosen.allSatisfy({ row.cell($0) == .missing }) {
      let names = chosen.map { "drivers.\($0)" }.joined(separator: " and ")
      throw QuestionError(
        "\(names) \(chosen.count == 1 ? "is" : "are") empty in this row, so there is nothing to explain"
      )
    }
    return row
  }

  private func matches(_ key: String, _ value: String) -> Bool {
    conditions.first { $0.key == key }.map { $0.value.isSame(as: value) } ?? true
  }

  /// Returns the options that choose one of several rows, such as `--where value=… (DE, US)`.
  private static func choice(_ rows: [Driver]) -> String {
    let keys: [(String, [String])] = [
      ("currency", rows.map(\.currency)), ("value", rows.map(\.value)),
    ]
    let sources = Set(rows.map(\.source)).sorted().map { "--source \($0.rawValue)" }
    let bySource = sources.count > 1 ? [sources.joined(separator: " or ")] : []
    let byValue = keys.filter { Set<ExactText>(of: $0.1).count > 1 }.map { key, values in
      Nearest.condition(key, Set<ExactText>(of: values).inOrder)
    }
    return (bySource + byValue).joined(separator: " and ")
  }
}
