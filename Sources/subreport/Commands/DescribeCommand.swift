import ArgumentParser

/// `subreport describe`, which is in no help.
///
/// It prints the tables of docs/settings.md for `make docs`, and the manual page for `make install`.
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
