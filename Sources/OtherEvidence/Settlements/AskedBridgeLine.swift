import Evidence
import Counting
import Rendering
import Scanning
import Settlement
import Storage
import SubscriptionModel
import Tables

/// The row of a bridge that a question is about.
struct AskedBridgeLine {
  /// A column to explain, with the number in the table.
  struct Column {
    let name: String
    let measure: Measure
    let expected: Int128
  }

  let bridge: Bridge
  let entry: Bridge.Entry
  let columns: [Column]
  /// The file that `report` writes the table to.
  let fileName: String

  /// Finds the row.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - reconciliation: The bridges.
  ///   - period: The fiscal period of the row.
  ///   - names: The texts of the symbols.
  /// - Throws: ``QuestionError`` when there is no such row, several, or its amount is not known.
  init(
    _ question: BridgeQuestion, _ reconciliation: Reconciliation, _ period: FiscalPeriod,
    _ names: Names
  ) throws(QuestionError) {
    let all = question.isByProduct ? reconciliation.productBridges : reconciliation.bridges
    let bridges = all.filter { $0.period == period }
    let table = Reconciliation.table(
      bridges, dimensions: question.isByProduct ? ["product"] : [], names)
    let entries = bridges.flatMap { bridge in bridge.entries.map { (bridge, $0) } }
    fileName = table.fileStem + ".csv"
    try Self.refuseUnknownValues(question, table)
    let found = table.rows.indices.filter { row in
      question.conditions.allSatisfy {
        Self.text(table.rows[row], $0.key, table)?.isSame(as: $0.value) == true
      }
    }
    let name = ([period.description] + question.conditions.map { "\($0.key) \($0.value)" })
      .joined(separator: " and ")
    guard let row = found.first else {
      throw QuestionError("\(table.name) has no row for \(name)")
    }
    guard found.count == 1 else {
      throw QuestionError(
        "\(table.name) has \(counted(found.count, "row")) for \(name); choose one with \(Self.choice(of: found.map { table.rows[$0] }, table))"
      )
    }
    (bridge, entry) = entries[row]
    columns = try Self.columns(
      question, entry, "\(period) \(bridge.region) \(names.text(bridge.currency))")
  }

  private static func columns(
    _ question: BridgeQuestion, _ entry: Bridge.Entry, _ bridge: String
  ) throws(QuestionError) -> [Column] {
    let cells: [(name: String, measure: Measure, number: Int128?)] = [
      ("amount", .proceeds, entry.amount), ("count", .count, entry.count.map { Int128($0) }),
      ("low", .proceeds, entry.low), ("high", .proceeds, entry.high),
    ]
    let asked = cells.filter { question.chosen?.contains($0.name) ?? true }
    let columns = asked.compactMap { name, measure, number in
      number.map { Column(name: name, measure: measure, expected: $0) }
    }
    guard columns.isEmpty else { return columns }
    let name = "\(entry.line.name) of \(bridge)"
    switch question.column {
    case "count" where entry.amount != nil:
      throw QuestionError("count is empty in this row: \(entry.line.name) has no units")
    case "low" where entry.status == .exact, "high" where entry.status == .exact:
      throw QuestionError("\(name) is exact: it has no range")
    default:
      let cause = entry.cause.isEmpty ? "" : ": \(entry.cause)"
      throw QuestionError("\(name) is not known\(cause); there is nothing to explain")
    }
  }

  /// Returns the text of a cell that can choose a row; `nil` for an empty cell.
  private static func text(
    _ row: [ReportTable.Cell], _ name: String, _ table: ReportTable
  ) -> String? {
    guard let place = table.columns.firstIndex(where: { $0.name == name }) else { return nil }
    return switch row[place] {
    case .text(let text): text
    case .count(let count): String(count)
    default: nil
    }
  }

  /// Refuses a value that no row of the period has.
  private static func refuseUnknownValues(
    _ question: BridgeQuestion, _ table: ReportTable
  ) throws(QuestionError) {
    for condition in question.conditions {
      let values = table.rows.compactMap { text($0, condition.key, table) }
      guard !values.contains(where: condition.value.isSame), !values.isEmpty else { continue }
      let advice = Nearest.advice(condition.value, among: values.unique, limit: 20)
      throw QuestionError(
        "--where \(condition.key)=\(condition.value): no row of \(table.name) has this value\(advice.isEmpty ? "" : "; ")\(advice)"
      )
    }
  }

  /// Returns the options that choose one of several rows, such as `--where region=… (EU, US)`.
  private static func choice(of rows: [[ReportTable.Cell]], _ table: ReportTable) -> String {
    ["region", "currency", "product", "line", "cause"].compactMap { key in
      let values = rows.compactMap { text($0, key, table) }.unique
      // The causes of other lines choose nothing: they follow from the line.
      let isOpen =
        key == "cause"
        ? Set(rows.map { text($0, "line", table) }).count == 1 && values.count > 1
        : values.count > 1
      return isOpen ? Nearest.condition(key, values) : nil
    }.joined(separator: " and ")
  }
}
