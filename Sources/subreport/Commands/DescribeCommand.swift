import ArgumentParser
import Rendering

/// `subreport describe`, which is in no help.
///
/// It prints the tables of docs/settings.md for `make docs`, and the manual pages for `make install`.
struct DescribeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe",
    abstract: "Print the settings for docs/settings.md, or a manual page.", shouldDisplay: false)

  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case settings, manual
    case settingsManual = "settings-manual"
  }

  @Argument var subject: Subject

  func run() throws {
    let text =
      switch subject {
      case .settings: SettingsPage.text
      case .manual: ManualPage.text
      case .settingsManual: ManualPage.ofSettings
      }
    try Console.standard.data(Array(text.utf8))
  }
}

/// The generated part of docs/settings.md: a table of settings for each heading of the helps.
enum SettingsPage {
  static var text: String {
    Setting.Heading.allCases.map { heading in
      let keys = SettingKey.stored.filter { $0.setting.heading == heading }
      return """
        ## \(heading.rawValue)

        | key | meaning | default | commands | variable |
        |---|---|---|---|---|

        """ + keys.map(row).joined()
    }.joined(separator: "\n")
  }

  private static func row(_ key: SettingKey) -> String {
    let setting = key.setting
    let words = [setting.meaning, setting.unset, CommandName.words(setting.commands)]
    let cells = ["`\(key.rawValue)`"] + words.map(MarkdownText.escaped) + ["`\(key.variable)`"]
    return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined() + "\n"
  }
}
