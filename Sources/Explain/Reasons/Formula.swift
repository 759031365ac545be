import Rendering
package import Tables

/// A sentence about a number, and whether the table has the same: `churn_rate = 17/276 = 0.061594, as churn.csv says`.
package struct Formula: Equatable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether the table has the number; a sentence about other numbers always holds.
  package let holds: Bool
  /// The column of the result; `nil` for several, and for other numbers.
  package private(set) var column: String?

  package init(_ sentence: String, holds: Bool = true) {
    (description, self.holds) = (sentence, holds)
  }

  /// Creates a formula with its result: `text` has its numbers, such as `17/276`; `report` writes the table to a file.
  package init(
    _ column: String, _ text: String, _ result: ReportTable.Cell, _ expected: ReportTable.Cell,
    in fileName: String
  ) {
    let holds = result == expected
    let end = Self.end(holds, "\(fileName) says", Self.text(expected))
    self.init("\(column) = \(text) = \(Self.text(result)), \(end)", holds: holds)
    self.column = column
  }

  /// Returns the end of a sentence: `as churn.csv says`, or `but churn.csv says 0.061595`.
  package static func end(_ holds: Bool, _ whatSays: String, _ expected: String) -> String {
    holds ? "as \(whatSays)" : "but \(whatSays) \(expected)"
  }

  /// Returns a number as the CSV of its table has it; `nothing` for an empty cell.
  static func text(_ cell: ReportTable.Cell) -> String {
    let text = cell.machineText
    return text.isEmpty ? "nothing" : text
  }
}

extension Formula {
  /// Says that `count` periods or refunds belong to the row, which a column leaves out; `nil` for the only column.
  init(leftOut count: Int, of column: String?) {
    let verbs = count == 1 ? "belongs to the row and does" : "belong to the row and do"
    let name = column.map { $0 + ": " } ?? ""
    self.init("\(name)besides, \(NumberStyle.grouped(count)) \(verbs) not count")
  }

  /// Returns the share kept through paid period k, with its factors: METRICS.md section 5, retention.
  ///
  /// Example: `survival = (1 - 74/370) × (1 - 18/176) = 0.718182, as retention.csv says`.
  ///
  /// Second, how its other factors are explained; nothing for a table without survival.
  static func survival(
    _ curve: [ReportTable.NamedRow], upTo k: Int, in fileName: String
  ) -> [Formula] {
    let factors = curve.compactMap { row -> (k: Int, atRisk: Int, lost: Int)? in
      guard let own = row["k"], own <= k, let atRisk = row["at_risk"], let lost = row["lost"]
      else { return nil }
      return (own, atRisk, lost)
    }
    guard let expected = curve.first(where: { $0["k"] == k })?.cell("survival"),
      expected != .missing,
      let last = Statistics.kaplanMeier(factors.map { ($0.atRisk, $0.lost) }).last
    else { return [] }
    let product = factors.map { "(1 - \($0.lost)/\($0.atRisk))" }.joined(separator: " × ")
    let formula = Formula("survival", product, .fraction(last.survival), expected, in: fileName)
    let others = factors.dropLast().map { String($0.k) }
    guard !others.isEmpty else { return [formula] }
    return [formula, Formula("the other factors: --where k=\(others.joined(separator: ", k="))")]
  }
}
