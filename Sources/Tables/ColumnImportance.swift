/// Which columns of a table matter most, where not all of them fit a terminal.
///
/// The keys of a row come before all of these: without them a row means nothing. A source or a month that is the same
/// in all rows comes after them.
extension ReportTable {
  /// The column that answers the table's question, such as `churn_rate`; `nil` for a table without one.
  ///
  /// The terminal's `trend` follows it.
  package var mainColumn: String? {
    guard let kind = TableKind(rawValue: name) else { return nil }
    return Self.importantColumns[kind.rawValue]?.first
  }

  /// The column that says how large a row is, such as `active_start` of a churn rate; `nil` for a table without one.
  ///
  /// It is the first of the table's candidates that holds a number. The rows of `--top` are those with the largest one:
  /// by their rate they would be the smallest cohorts, such as 1 of 1. Amounts of several currencies cannot be compared,
  /// so money is ranked by its charges, or by net proceeds that are converted to one currency.
  package var sizeColumn: String? {
    let converted = columns.map(\.name).filter {
      $0.hasPrefix("net_proceeds_") && $0.last?.isUppercase == true
    }
    return (converted + (Self.sizeColumns[name] ?? [])).first { name in
      guard let place = columns.firstIndex(where: { $0.name == name }) else { return false }
      return rows.contains { $0[place] != .missing }
    }
  }

  /// The names of the keys without which rows cannot be told apart, or amounts have no unit.
  package var varyingKeys: [String] {
    columns.indices.filter { index in
      guard columns[index].kind == .key, !isRepeated(index),
        rows.isEmpty || rows.contains(where: { !$0[index].isEmpty })
      else { return false }
      let mayBeConstant = ["source", "month", "period"].contains(columns[index].name)
      return !mayBeConstant || Set(rows.map { $0[index] }).count > 1
    }.map { columns[$0].name }
  }

  /// Whether a column is the currency of an amount, and says the same as the column `currency`.
  private func isRepeated(_ index: Int) -> Bool {
    guard columns[index].name == "amount_currency",
      let own = columns.firstIndex(where: { $0.name == "currency" })
    else { return false }
    return !rows.isEmpty && rows.allSatisfy { $0[index] == $0[own] || $0[index].isEmpty }
  }

  /// All columns, the most important first.
  package var columnsByImportance: [String] {
    let keys = varyingKeys
    var important = Self.importantColumns[name] ?? []
    important.insert(contentsOf: ["month", "source"], at: min(Self.coreCount, important.count))
    if let main = important.first {
      important.insert(contentsOf: [main + "_change", main + "_before"], at: 1)
      important.insert("trend", at: important.firstIndex(of: "state").map { $0 + 1 } ?? 3)
    }
    let names = keys + important + columns.map(\.name)
    var seen: Set<String> = []
    let own = Set(columns.map(\.name))
    return names.filter { own.contains($0) && seen.insert($0).inserted }
  }

  /// How many columns of a table are its answer; a constant month and source stand after them.
  private static let coreCount = 6

  /// The counts that rates are divided by, or other sizes of a row, by table; the first of them that a source has.
  private static let sizeColumns: [String: [String]] = [
    "churn": ["active_start", "churned"], "renewals": ["due"], "lapses": ["lapses"],
    "refunds": ["charges"], "retention": ["at_risk"], "movement": ["close_observed", "started"],
    "proceeds": ["charges"], "trials": ["trials", "converted"], "commitments": ["running"],
    "price_impact": ["reached"],
  ]

  /// The answer, its interval, its counts and its state, by table; other columns follow in their order.
  private static let importantColumns: [String: [String]] = [
    "churn": [
      "churn_rate", "low", "high", "churned", "state", "active_start", "churned_voluntary",
      "churned_billing",
    ],
    "renewals": ["renewal_rate", "low", "high", "renewed", "state", "due", "pending", "lapsed"],
    "lapses": ["lapses", "recovered", "state", "open_final", "open_provisional"],
    "refunds": ["refund_rate", "low", "high", "refunds_full", "state", "charges"],
    "retention": ["survival", "k", "low", "high", "at_risk", "lost", "state"],
    "movement": ["close_observed", "open", "churned", "started", "unexplained", "converted"],
    "proceeds": ["net_proceeds", "charges", "gross_proceeds", "refunded_proceeds"],
    "trials": ["conversion_rate", "low", "high", "converted", "state", "trials", "pending"],
    "commitments": ["running", "due", "paid", "paid_rate", "low", "high", "pending"],
    "drivers": ["total", "before", "after", "state", "low", "high", "rate", "mix"],
    "reconcile": ["step", "line", "amount", "cause", "status", "count"],
    "price_impact": [
      "excess_churn", "verdict", "reached", "excess_low", "excess_high", "state", "new_price",
      "old_price", "renewal_rate", "baseline_rate", "net_effect", "observed_loss",
      "break_even_loss", "break_even_verdict", "observed_loss_low", "observed_loss_high",
    ],
  ]
}
