import Scanning
import Settlement
import Tables

extension ExplainedTable {
  /// The rows of SALES, finance and payments files behind a line of a settlement.
  package static let reconcile: ExplainedTable = {
    let (name, columns) = ("reconcile", ["amount", "count", "low", "high"])
    let keys = ["region", "currency", "product", "step", "line", "cause"]
    return ExplainedTable(
      name, columns: { _ in columns },
      refusal: { column, _ in
        let all = ["source", "period"] + keys + Definition.reconcileColumns.map(\.column.name)
        let reason =
          if all.contains(column) {
            "this is no number; \(Nearest.choice(columns))"
          } else if Bridge.Line.allCases.contains(where: { $0.name == column }) {
            "\(column) is a line, not a column; did you mean \(name).amount --where line=\(column)?"
          } else {
            "no such column; \(Nearest.advice(column, among: columns))"
          }
        return "explain \(name).\(column): \(reason)"
      },
      keys: keys, options: [("month", "--month"), ("period", "--month")], listsInOrder: true)
  }()
}
