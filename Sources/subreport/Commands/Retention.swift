import ArgumentParser
import Metrics

/// `subreport retention`.
struct Retention: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "How many are kept through their first k paid periods.",
    discussion: SingleTableHelp.discussion(.retention))

  @Flag(help: "Taken and ignored: retention has no months.")
  var allMonths = false

  @OptionGroup var options: SharedOptions

  func run() throws { try SingleTable(kind: .retention, options: options, months: nil).run() }
}
