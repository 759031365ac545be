import ArgumentParser
import Metrics

/// `subreport churn`.
struct Churn: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Who left: churned subscriptions of a month against those active before it.",
    discussion: SingleTableHelp.discussion(.churn))

  @OptionGroup(title: "Months") var months: MonthOptions

  @OptionGroup var options: SharedOptions

  func run() throws { try SingleTable(kind: .churn, options: options, months: months).run() }
}
