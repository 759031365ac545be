import Rendering

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
