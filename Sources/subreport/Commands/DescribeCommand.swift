import ArgumentParser

/// `subreport describe`: prints the table of settings and the manual page, for `make docs` and
/// `make install`. It is in no help.
struct DescribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe",
    abstract: "Print the settings for docs/settings.md, or the manual page.", shouldDisplay: false)

  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case settings, manual
  }

  @Argument var subject: Subject

  func run() throws {
    let text =
      switch subject {
      case .settings: SettingsPage.text
      case .manual: ManualPage.text
      }
    try Console.standard.data(Array(text.utf8))
  }
}
