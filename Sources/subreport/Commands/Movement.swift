import ArgumentParser
import Metrics

/// `subreport movement`.
struct Movement: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Everyone who came and went between the beginning and the end of a month.",
    discussion: SingleTableHelp.discussion(.movement))

  @OptionGroup(title: "Months") var months: MonthOptions

  @OptionGroup var options: SharedOptions

  func run() throws { try SingleTable(kind: .movement, options: options, months: months).run() }
}
