import ArgumentParser
import Pipeline

/// `subreport timeline`.
struct Timeline: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Every period of every customer, from receipts, with gap, fate and reason.",
    discussion: """
      One row per period: customer, app, group, ownership, product, start, end, expires, kind, paid, \
      cut, refunded, refund_date, gap_before_seconds, active_period, fate, reason, price, currency.
      """)

  @OptionGroup var options: SharedOptions

  func run() throws {
    try withInputFailures {
      try CustomerTableCommand(name: "timeline", options: options, kind: .timeline).run()
    }
  }
}
