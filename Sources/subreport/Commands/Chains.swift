import ArgumentParser
import Pipeline

/// `subreport chains`.
struct Chains: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    abstract: "Every subscription of every customer, from receipts, with its state.",
    discussion: """
      One row per chain, which is what one customer did in one subscription group: customer, app, \
      group, ownership, type, state, reason, as_of, first_start, last_end, start_month, \
      active_periods, covered_seconds, charges, paid_charges, lapses, refunds.
      """)

  @OptionGroup(title: "Receipts") var apps: AppOptions
  @OptionGroup var customers: CustomerOptions

  var groups: [any SettingOptions] { [customers, apps] }

  func run() throws {
    try withInputFailures {
      try CustomerTableCommand(
        name: "chains", settings: settings(), options: customers, kind: .chains
      ).run()
    }
  }
}
