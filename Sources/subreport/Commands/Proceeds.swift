import ArgumentParser
import Metrics

/// `subreport proceeds`.
struct Proceeds: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prices and proceeds per currency, with refunds.",
    discussion: SingleTableHelp.discussion(.proceeds))

  @OptionGroup(title: "Months") var months: MonthOptions

  @OptionGroup var options: SharedOptions

  func run() throws { try SingleTable(kind: .proceeds, options: options, months: months).run() }
}
