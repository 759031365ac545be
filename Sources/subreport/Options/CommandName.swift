/// A command that has settings and reads inputs.
enum CommandName: String, CaseIterable {
  case report
  case churn, renewals, lapses, refunds, retention, movement, proceeds, trials, commitments
  case drivers
  case priceImpact = "price-impact"
  case reconcile
  case timeline, chains, access, eligibility
  case check, config

  /// The commands that print one table of counts.
  static let tables: Set<CommandName> = [
    .churn, .renewals, .lapses, .refunds, .retention, .movement, .proceeds, .trials,
    .commitments,
  ]

  /// The commands whose table has a row for each customer.
  static let customers: Set<CommandName> = [.timeline, .chains, .access, .eligibility]

  /// The commands that add up rows of reports.
  static let counting = tables.union([.report, .drivers, .priceImpact, .check, .config])
}
