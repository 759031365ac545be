import ArgumentParser
import Pipeline

/// `subreport access`.
struct Access: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    abstract: "Which content each customer may read, from receipts.",
    discussion: """
      A customer may read what was published while a subscription ran, and what was the newest when it \
      began. One row per customer and item: customer, content, published, reason, period_start, \
      period_end.
      """)

  @Option(
    help: ArgumentHelp(
      "What was published: CSV id,published with optional app,group,product.", valueName: "file"))
  var content: String

  @OptionGroup var customers: CustomerOptions

  var groups: [any SettingOptions] { [customers] }

  func run() throws {
    try withInputFailures {
      guard let text = readText(content) else {
        throw InputFailure(
          "\(content): error: found no readable file, expected CSV id,published [cannot-open]")
      }
      let items: [PublishedItem]
      do {
        items = try ContentFile.read(text, path: content)
      } catch let error as InputError {
        throw InputFailure(error.message)
      }
      try CustomerTableCommand(
        name: "access", settings: settings(), options: customers, kind: .access(items)
      ).run()
    }
  }
}
