extension SettingKey {
  /// The commands that print a table.
  private static let printing = CommandName.tables.union(CommandName.customers)
    .union([.priceImpact, .reconcile, .config])

  /// The commands that use the setting; each has its option, and others refuse it.
  var commands: Set<CommandName> {
    switch self {
    case .inputs, .asOf, .maxRejects, .strict, .jobs, .cache, .memory, .quiet, .verbose, .progress,
      .color:
      Set(CommandName.allCases)
    case .by: CommandName.counting.union([.reconcile])
    case .source, .country, .billingPlan, .contingent, .fiscal: CommandName.counting
    case .app, .group: CommandName.counting.union([.timeline, .chains, .eligibility])
    case .product: CommandName.counting.union([.timeline])
    case .vendor: CommandName.counting.union([.reconcile])
    case .currency, .rates, .failIf: CommandName.tables.union([.report, .config])
    case .regions, .commissions, .tolerance: [.report, .reconcile, .check, .config]
    case .priceChanges, .plan: [.report, .priceImpact, .config]
    case .environment, .identities, .verify, .rootCertificate:
      CommandName.counting.union(CommandName.customers)
    case .anonymizeKey: CommandName.customers
    case .format: Self.printing
    case .output: Self.printing.union([.report])
    case .changes: [.report, .config]
    }
  }
}
