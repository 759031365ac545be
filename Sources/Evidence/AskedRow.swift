import Counting
import Pipeline
import Rendering
import Scanning
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

  let columns: [Column]
  /// The currency of the row; `nil` in tables without.
  let currency: String?
  let isDatedBySale: Bool
  /// The number of the paid period, in retention.
  let k: Int?
  /// The curve up to the row, in retention.
  let survival: SurvivalFormula?
  /// The file that `report` writes the table to.
  let fileName: String

  /// Finds the row.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - table: The view of the table that has the row.
  ///   - month: The month as the table prints it.
  /// - Throws: ``QuestionError`` when there is no such row, several, or the cell is empty.
  init(_ question: Question, in table: ReportTable, month: String) throws(QuestionError) {
    let text = { (row: [ReportTable.Cell], name: String) -> String? in
      guard let place = table.columns.firstIndex(where: { $0.name == name }),
        name == "k" || table.columns[place].kind != .count
      else { return nil }
      return switch row[place] {
      case .text(let text): text
      case .count(let count): String(count)
      default: nil
      }
    }
    let hasMonths = question.table != .retention
    let own = table.rows.filter { text($0, "source") == question.source.rawValue }
    for condition in question.conditions {
      let values = own.compactMap { text($0, condition.key) }
      guard !values.contains(condition.value), !values.isEmpty else { continue }
      let advice = Nearest.advice(condition.value, among: Set(values).sorted(), limit: 20)
      throw QuestionError(
        "--where \(condition.key)=\(condition.value): no row of \(table.name) has this value\(advice.isEmpty ? "" : "; ")\(advice)"
      )
    }
    let found = own.filter { row in
      (!hasMonths || text(row, "month") == month)
        && question.conditions.allSatisfy { text(row, $0.key) == $0.value }
    }
    let ofRow = ((hasMonths ? [month] : []) + question.conditions.map { "\($0.key) \($0.value)" })
      .joined(separator: " and ")
    let forRow = ofRow.isEmpty ? "" : " for \(ofRow)"
    guard let row = found.first else {
      throw QuestionError("\(table.name) has no row\(forRow)")
    }
    if found.count > 1 {
      let open = ["dating", "currency", "k"].filter { key in
        Set(found.map { text($0, key) }).count > 1
      }
      let advice = open.map { key in
        let values = found.compactMap { text($0, key) }
        let all = Set(values).sorted().joined(separator: ", ")
        return "--where \(key)=… (\(key == "k" ? "1 to \(values.last ?? "")" : all))"
      }
      throw QuestionError(
        "\(table.name) has \(counted(found.count, "row"))\(forRow); choose one with \(advice.joined(separator: " and "))"
      )
    }
    currency = text(row, "currency")
    isDatedBySale = text(row, "dating") == "sale"
    fileName = table.fileStem + ".csv"
    k = text(row, "k").flatMap { Int($0) }
    let others = question.conditions.filter { $0.key != "k" }
    survival = k.flatMap { k in
      SurvivalFormula(
        own.filter { row in others.allSatisfy { text(row, $0.key) == $0.value } }, upTo: k, table)
    }
    columns = try Self.columns(question, row, table)
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
    return columns
  }
}
