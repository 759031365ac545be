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
    _ question: Question, _ reconciliation: Reconciliation, _ period: FiscalPeriod, _ names: Names
  ) throws(QuestionError) {
    let isByProduct = question.value(of: "product") != nil
    let all = isByProduct ? reconciliation.productBridges : reconciliation.bridges
    let bridges = all.filter { $0.period == period }
    let table = Reconciliation.table(bridges, dimensions: isByProduct ? ["product"] : [], names)
    let rows = table.namedRows
    fileName = table.fileStem + ".csv"
    let name = ([period.description] + question.conditions.map { "\($0.key) \($0.value)" })
      .joined(separator: " and ")
    let found = try question.row(
      among: Array(rows.indices), of: table.name, " for \(name)",
      text: { Self.text(rows[$0], $1) }, choice: { Self.choice(of: $0.map { rows[$0] }) })
    guard let found else { throw QuestionError("\(table.name) has no row for \(name)") }
    (bridge, entry) = bridges.flatMap { bridge in bridge.entries.map { (bridge, $0) } }[found]
    columns = try Self.columns(
      question, entry, "\(period) \(bridge.region) \(names.text(bridge.currency))")
  }

  private static func columns(
    _ question: Question, _ entry: Bridge.Entry, _ bridge: String
  ) throws(QuestionError) -> [Column] {
    let cells: [(name: String, measure: Measure, number: Int128?)] = [
      ("amount", .proceeds, entry.amount), ("count", .count, entry.count.map { Int128($0) }),
      ("low", .proceeds, entry.low), ("high", .proceeds, entry.high),
    ]
    let asked = cells.filter { question.asks(for: $0.name) }
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
  private static func text(_ row: ReportTable.NamedRow, _ name: String) -> String? {
    switch row.cell(name) {
    case .text(let text): text
    case .count(let count): String(count)
    default: nil
    }
  }

  /// Returns the options that choose one of several rows, such as `--where region=… (EU, US)`.
  private static func choice(of rows: [ReportTable.NamedRow]) -> String {
    ["region", "currency", "product", "line", "cause"].compactMap { key in
      let values = rows.compactMap { text($0, key) }.unique
      // The causes of other lines choose nothing: they follow from the line.
      let isOpen =
        key == "cause"
        ? Set(rows.map { text($0, "line") }).count == 1 && values.count > 1
        : values.count > 1
      return isOpen ? Nearest.condition(key, values) : nil
    }.joined(separator: " and ")
  }
}
