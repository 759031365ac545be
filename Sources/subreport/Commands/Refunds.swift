import ArgumentParser
import Metrics

/// `subreport refunds`.
struct Refunds: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Refunds and the money given back, by the month of the sale and of the refund.",
    discussion: SingleTableHelp.discussion(.refunds))

  @OptionGroup(title: "Months") var months: MonthOptions

  @OptionGroup var options: SharedOptions

  func run() throws { try SingleTable(kind: .refunds, options: options, months: months).run() }
}
