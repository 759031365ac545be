import Rendering
import Tables

/// The share kept through paid period k, with its factors: METRICS.md section 5, retention.
///
/// Example: `(1 - 74/370) × (1 - 18/176) = 0.718182`.
struct SurvivalFormula: Equatable {
  private let factors: [(k: Int, atRisk: Int, lost: Int)]
  /// The number in the table, as its CSV has it.
  private let expected: String

  /// Takes the factors from the rows of a curve; `nil` for a table without survival, or without the row of k.
  ///
  /// - Parameters:
  ///   - rows: The rows of the curve.
  ///   - k: The last paid period.
  ///   - table: The table that has the rows.
  init?(_ rows: [[ReportTable.Cell]], upTo k: Int, _ table: ReportTable) {
    let count = { (row: [ReportTable.Cell], name: String) -> Int? in
      guard let place = table.columns.firstIndex(where: { $0.name == name }),
        case .count(let count) = row[place]
      else { return nil }
      return count
    }
    guard let column = table.columns.firstIndex(where: { $0.name == "survival" }),
      let last = rows.first(where: { count($0, "k") == k }),
      case .fraction(let survival) = last[column], let expected = NumberStyle.rate(survival)
    else { return nil }
    self.expected = expected
    factors = rows.compactMap { row in
      guard let own = count(row, "k"), own <= k, let atRisk = count(row, "at_risk"),
        let lost = count(row, "lost")
      else { return nil }
      return (own, atRisk, lost)
    }
  }

  private var survival: String? {
    Statistics.kaplanMeier(factors.map { ($0.atRisk, $0.lost) }).last.flatMap {
      NumberStyle.rate($0.survival)
    }
  }

  /// Whether the factors make the number in the table.
  var holds: Bool { survival == expected }

  /// The formula with its numbers, and how its other factors are explained.
  func lines(_ fileName: String) -> [String] {
    let product = factors.map { "(1 - \($0.lost)/\($0.atRisk))" }.joined(separator: " × ")
    let end = holds ? "as \(fileName) says" : "but \(fileName) says \(expected)"
    let line = "survival = \(product) = \(survival ?? ""), \(end)"
    let others = factors.dropLast().map { String($0.k) }
    guard !others.isEmpty else { return [line] }
    return [
      line, "the other factors: --where k=\(others.joined(separator: ", k="))",
    ]
  }

  static func == (left: SurvivalFormula, right: SurvivalFormula) -> Bool {
    left.expected == right.expected
      && left.factors.elementsEqual(right.factors) { $0 == $1 }
  }
}
