/// Which columns of a table matter most, where not all of them fit a terminal.
///
/// The keys of a row come before all of these: without them a row means nothing. A source or a month that is the same
/// in all rows comes after them.
extension ReportTable {
  /// The column that answers the table's question, such as `churn_rate`; `nil` for a table without one.
  ///
  /// The terminal's `trend` follows it.
  package var mainColumn: String? {
    guard TableKind(rawValue: name) != nil else { return nil }
    return importantColumns.first
  }

  /// The important columns, each after the one with its amounts converted to one currency, such as `net_proceeds_EUR`:
  /// who asks for a currency asks for these.
  private var importantColumns: [String] {
    (Self.importantColumns[name] ?? []).flatMap { name in
      columns.map(\.name).filter { isConverted($0, from: name) } + [name]
    }
  }

  /// Returns whether a column has the amounts of another one converted: its name ends in a currency's code.
  private func isConverted(_ name: String, from other: String) -> Bool {
    name.hasPrefix(other + "_") && name.last?.isUppercase == true
  }

  /// The column that says how large a row is, such as `active_start` of a churn rate; `nil` for a table without one.
  ///
  /// It is the first of the table's candidates that holds a number. The rows of `--top` are those with the largest one:
  /// by their rate they would be the smallest cohorts, such as 1 of 1. Amounts of several currencies cannot be compared,
  /// so money is ranked by its charges, or by net proceeds that are converted to one currency.
  package var sizeColumn: String? {
    let converted = columns.map(\.name).filter { isConverted($0, from: "net_proceeds") }
    return (converted + (Self.sizeColumns[name] ?? [])).first { name in
      guard let place = columns.firstIndex(where: { $0.name == name }) else { return false }
      return rows.contains { $0[place] != .missing }
    }
  }

  /// The names of the keys without which rows cannot be told apart, or amounts have no unit.
  package var varyingKeys: [String] {
    var names = filledKeys
    for spare in Self.spareKeys[name] ?? [] {
      let others = names.filter { $0 != spare }
      let places = columns.indices.filter { others.contains(columns[$0].name) }
      if Set(rows.map { row in places.map { row[$0] } }).count == rows.count { names = others }
    }
    return names
  }

  /// Keys that are left out of ``varyingKeys`` where the others tell all rows apart; they stand before the amounts.
  private static let spareKeys = [
    "price_impact": ["currency", "effective"], "chains": ["app", "ownership", "type", "group"],
    "timeline": ["app", "ownership", "group", "end", "expires", "kind", "product"],
    "reconcile": ["region"],
  ]

  private var filledKeys: [String] {
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
    var important = importantColumns
    important.insert(contentsOf: ["month", "source"], at: min(Self.coreCount, important.count))
    if let main = important.first {
      important.insert(main + "_change", at: 1)
      // The earlier number follows from the change; the interval and the counts do not.
      let end = important.firstIndex(of: "state").map { $0 + 1 } ?? 3
      important.insert(contentsOf: [main + "_before", "trend"], at: end)
    }
    let names = keys + important + columns.map(\.name)
    var seen: Set<String> = []
    let own = Set(columns.map(\.name))
    return names.filter { own.contains($0) && seen.insert($0).inserted }
  }

  /// How many columns of a table are its answer; a constant month and source stand after them.
  private static let coreCount = 6

  /// The columns of sentences, which need more room than those of words.
  package var sentenceColumns: Set<String> { name == "explain" ? ["because"] : [] }

  /// The columns for which words are cut where they have no room otherwise; none in tables whose names matter more.
  package var answerColumns: [String] {
    let own = Set(columns.map(\.name))
    return (Self.importantColumns[name] ?? []).prefix(Self.answerCounts[name] ?? 0)
      .filter(own.contains)
  }

  /// How many of the important columns are the answer: of increases with its verdict, prices and count; of drivers
  /// the change, the change of the rate with its interval, the state and both numbers.
  private static let answerCounts = ["price_impact": 5, "drivers": 7]

  /// The names of the columns that matter most, by table: the answer, its interval, its counts and its state.
  private static let importantColumns = TableKind.allCases.reduce(into: ofOtherTables) {
    let ranked = Definition.definition(of: $1).columns.filter { $0.rank != nil }
    $0[$1.rawValue] = ranked.sorted { $0.rank ?? 0 < $1.rank ?? 0 }.map(\.column.name)
  }

  private static let sizeColumns = TableKind.allCases.reduce(into: ["price_impact": ["reached"]]) {
    $0[$1.rawValue] = Definition.definition(of: $1).sizes
  }

  private static let ofOtherTables: [String: [String]] = [
    "drivers": ["total", "rate", "low", "high", "state", "after", "before", "mix"],
    // On a terminal a row for each bridge, or, with --lines, for each line.
    "reconcile": [
      "verdict", "unexplained", "paid", "owed", "settled", "sales", "bank", "line", "amount",
      "status", "cause", "low", "high", "count", "step",
    ],
    "chains": ["state", "reason", "last_end", "charges", "start_month", "group"],
    "timeline": ["start", "fate", "product", "end", "reason", "price", "currency"],
    "explain": ["value", "because", "product", "rows", "subscription", "fact", "period_end"],
    "price_impact": [
      "excess_churn", "verdict", "new_price", "old_price", "reached", "state", "excess_low",
      "excess_high", "effective", "currency", "renewal_rate", "baseline_rate", "net_effect",
      "observed_loss",
      "break_even_loss", "break_even_verdict", "observed_loss_low", "observed_loss_high",
    ],
  ]
}
