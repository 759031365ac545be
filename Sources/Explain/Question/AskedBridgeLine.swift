package import Counting
package import Settlement
import Storage
import SubscriptionModel
import Tables

extension Question {
  /// Whether the question is about one line, or lines by product; else all lines of bridges are explained.
  package var asksForLine: Bool {
    chosen != nil || conditions.contains { $0.key != "region" && $0.key != "currency" }
  }

  /// Returns whether the conditions choose a bridge.
  package func isAbout(_ bridge: Bridge, _ names: Names) -> Bool {
    (value(of: "region").map { $0.isSame(as: bridge.region) } ?? true)
      && (value(of: "currency").map { $0.isSame(as: names.text(bridge.currency)) } ?? true)
  }
}

/// The row of a bridge that a question is about.
struct AskedBridgeLine {
  let bridge: Bridge
  let entry: Bridge.Entry
  let columns: [AskedRow.Column]
  /// The file that `report` writes the table to.
  let fileName: String

  /// Finds the row among the bridges of a fiscal period.
  ///
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
    let text = { (place: Int, key: String) in rows[place].value(key) }
    let words = question.forRow(period.description)
    let found = try question.row(
      among: Array(rows.indices), of: table.name, words, text: text,
      choice: { found in
        // The causes of other lines choose nothing: they follow from the line.
        let isOneLine = Set(found.map { text($0, "line") }).count == 1
        let causes = isOneLine ? Set(found.compactMap { text($0, "cause") }).count : 0
        let keys = ["region", "currency", "product", "line"] + (causes > 1 ? ["cause"] : [])
        return question.choice(of: found, by: keys, text)
      })
    guard let found else { throw QuestionError("\(table.name) has no row\(words)") }
    (bridge, entry) = bridges.flatMap { bridge in bridge.entries.map { (bridge, $0) } }[found]
    columns = try Self.columns(
      question, entry, "\(period) \(bridge.region) \(names.text(bridge.currency))")
  }

  private static func columns(
    _ question: Question, _ entry: Bridge.Entry, _ bridge: String
  ) throws(QuestionError) -> [AskedRow.Column] {
    let cells: [(name: String, measure: Measure, number: Int128?)] = [
      ("amount", .proceeds, entry.amount), ("count", .count, entry.count.map { Int128($0) }),
      ("low", .proceeds, entry.low), ("high", .proceeds, entry.high),
    ]
    let asked = cells.filter { question.asks(for: $0.name) }
    let columns = asked.compactMap { name, measure, number in
      number.map { AskedRow.Column(name: name, measure: measure, expected: $0) }
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
}
