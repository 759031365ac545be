import ArgumentParser
import Pipeline

/// `subreport timeline`.
struct Timeline: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    abstract: "Every period of every customer, from receipts, with gap, fate and reason.",
    discussion: """
      One row per period: customer, app, group, ownership, product, start, end, expires, kind, paid, \
      cut, refunded, refund_date, gap_before_seconds, active_period, fate, reason, price, currency.
      """)

  @OptionGroup(title: "Receipts") var apps: AppOptions
  @OptionGroup(title: "Receipts") var products: ProductOptions
  @OptionGroup var customers: CustomerOptions

  var groups: [any SettingOptions] { [customers, apps, products] }

  func run() throws {
    try withInputFailures {
      try CustomerTableCommand(
        name: "timeline", settings: settings(), options: customers, kind: .timeline
      ).run()
    }
  }
}
