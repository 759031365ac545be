import ArgumentParser
import Pipeline

/// `subreport eligibility`.
struct Eligibility: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Which offers each customer may have, from receipts, with the reason.",
    discussion: """
      One row per customer and subscription group: introductory, promotional and win-back offers, \
      each yes, no or unknown with its reason. Win-back is Apple's own verdict, where the data have it.
      """)

  @OptionGroup var options: SharedOptions

  func run() throws {
    try withInputFailures {
      try CustomerTableCommand(name: "eligibility", options: options, kind: .eligibility).run()
    }
  }
}
