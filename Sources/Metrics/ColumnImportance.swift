/// Which columns of a table matter most, where not all of them fit a terminal.
///
/// The keys of a row come before all of these: without them a row means nothing.
extension ReportTable {
  /// The column that answers the table's question, such as `churn_rate`; `nil` for a table without one.
  ///
  /// The terminal's `trend` and `--top` follow it.
  public var mainColumn: String? {
    guard let kind = TableKind(rawValue: name) else { return nil }
    return Self.importantColumns[kind.rawValue]?.first
  }

  /// All columns, the most important first.
  public var columnsByImportance: [String] {
    let keys = columns.filter { $0.kind == .key }.map(\.name)
    var important = Self.importantColumns[name] ?? []
    if let main = important.first {
      important.insert(contentsOf: [main + "_change", main + "_before", "trend"], at: 1)
    }
    let names = keys + important + columns.map(\.name)
    var seen: Set<String> = []
    let own = Set(columns.map(\.name))
    return names.filter { own.contains($0) && seen.insert($0).inserted }
  }

  /// The answer, its interval, its counts and its state, by table; other columns follow in their order.
  private static let importantColumns: [String: [String]] = [
    "churn": [
      "churn_rate", "low", "high", "churned", "active_start", "state", "churned_voluntary",
      "churned_billing",
    ],
    "renewals": ["renewal_rate", "low", "high", "renewed", "due", "state", "pending", "lapsed"],
    "lapses": ["lapses", "recovered", "state", "open_final", "open_provisional"],
    "refunds": ["refund_rate", "low", "high", "refunds_full", "charges", "state"],
    "retention": ["k", "survival", "low", "high", "at_risk", "lost", "state"],
    "movement": ["close_observed", "open", "churned", "started", "unexplained", "converted"],
    "proceeds": ["net_proceeds", "charges", "gross_proceeds", "refunded_proceeds"],
    "trials": ["conversion_rate", "low", "high", "converted", "trials", "state", "pending"],
    "commitments": ["running", "due", "paid", "pending", "paid_rate", "low", "high"],
    "drivers": ["total", "before", "after", "rate", "low", "high", "state", "mix"],
    "reconcile": ["step", "line", "amount", "status", "cause", "count"],
    "price_impact": [
      "old_price", "new_price", "reached", "renewal_rate", "baseline_rate", "excess_churn",
      "excess_low", "excess_high", "verdict", "state", "net_effect",
    ],
  ]
}
