import ArgumentParser
import Pipeline

/// `subreport chains`.
struct Chains: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Every subscription of every customer, from receipts, with its state.",
    discussion: """
      One row per chain, which is what one customer did in one subscription group: customer, app, \
      group, ownership, type, state, reason, as_of, first_start, last_end, start_month, \
      active_periods, covered_seconds, charges, paid_charges, lapses, refunds.
      """)

  @OptionGroup var options: SharedOptions

  func run() throws {
    try withInputFailures {
      try CustomerTableCommand(name: "chains", options: options, kind: .chains).run()
    }
  }
}
