import ArgumentParser
import Metrics

/// `subreport lapses`.
struct Lapses: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Paid periods that nothing followed, and how many came back.",
    discussion: SingleTableHelp.discussion(.lapses))

  @OptionGroup(title: "Months") var months: MonthOptions

  @OptionGroup var options: SharedOptions

  func run() throws { try SingleTable(kind: .lapses, options: options, months: months).run() }
}
