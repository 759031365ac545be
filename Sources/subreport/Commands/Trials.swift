import ArgumentParser
import Metrics

/// `subreport trials`.
struct Trials: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Free trials, and how many were paid for afterwards.",
    discussion: SingleTableHelp.discussion(.trials))

  @OptionGroup(title: "Months") var months: MonthOptions

  @OptionGroup var options: SharedOptions

  func run() throws { try SingleTable(kind: .trials, options: options, months: months).run() }
}
