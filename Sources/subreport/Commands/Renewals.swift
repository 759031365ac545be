import ArgumentParser
import Metrics

/// `subreport renewals`.
struct Renewals: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "What became of the periods that were due to renew.",
    discussion: SingleTableHelp.discussion(.renewals))

  @OptionGroup(title: "Months") var months: MonthOptions

  @OptionGroup var options: SharedOptions

  func run() throws { try SingleTable(kind: .renewals, options: options, months: months).run() }
}
