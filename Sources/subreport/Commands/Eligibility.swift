import ArgumentParser
import Pipeline

/// `subreport eligibility`.
struct Eligibility: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    abstract: "Which offers each customer may have, from receipts, with the reason.",
    discussion: """
      One row per customer and subscription group: introductory, promotional and win-back offers, \
      each yes, no or unknown with its reason. Win-back is Apple's own verdict, where the data have it.
      """)

  @OptionGroup(title: "Receipts") var apps: AppOptions
  @OptionGroup var customers: CustomerOptions

  var groups: [any SettingOptions] { [customers, apps] }

  func run() throws {
    try withInputFailures {
      try CustomerTableCommand(
        name: "eligibility", settings: settings(), options: customers, kind: .eligibility
      ).run()
    }
  }
}
