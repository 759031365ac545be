/// A command that has settings and reads inputs.
enum CommandName: String, CaseIterable {
  case report
  case churn, renewals, lapses, refunds, retention, movement, proceeds, trials, commitments
  case recurring, lifetime, status, definitions
  case drivers, explain
  case priceImpact = "price-impact"
  case reconcile
  case timeline, chains, access, eligibility
  case digest, mcp
  case check, config

  static let all = Set(allCases)

  /// The commands that print one table of counts.
  static let tables: Set<CommandName> = [
    .churn, .renewals, .lapses, .refunds, .retention, .movement, .proceeds, .trials,
    .commitments, .recurring, .lifetime, .status, .definitions,
  ]

  /// The commands whose table has a row for each customer.
  static let customers: Set<CommandName> = [.timeline, .chains, .access, .eligibility]

  /// The commands that add up rows of reports.
  static let counting = tables.union(answers)
    .union([.report, .drivers, .priceImpact, .check, .config])

  /// The commands that make every table, as `report` does, and write no folder.
  static let answers: Set<CommandName> = [.digest, .mcp]

  /// The commands that print a table.
  static let printing = tables.union(customers)
    .union([.drivers, .explain, .priceImpact, .reconcile, .config])

  /// Returns commands in words: `report, check and tables such as churn`.
  static func words(_ commands: Set<CommandName>) -> String {
    if commands == all { return "all" }
    let kinds: [(commands: Set<CommandName>, words: String)] = [
      (tables, "tables such as churn"), (customers, "tables of customers such as timeline"),
    ]
    // `config` shows every setting, so it says nothing about one.
    var (names, rest) = ([String](), commands.subtracting([.config]))
    for kind in kinds where kind.commands.isSubset(of: rest) {
      names.append(kind.words)
      rest.subtract(kind.commands)
    }
    return joined(allCases.filter(rest.contains).map(\.rawValue) + names, by: "and")
  }
}

/// Returns `a`, `a and b`, or `a, b and c`.
func joined(_ words: [String], by conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}
