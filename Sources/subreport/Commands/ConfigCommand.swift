import ArgumentParser
import Metrics
import Rendering

/// `subreport config`.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print each setting, its value and where it came from.",
    discussion: """
      Settings come from the command line, else from the environment (SUBREPORT_…, lists separated \
      by ;), else from subreport.toml in the working directory, else from subreport/subreport.toml \
      in the user's config folder.
      """)

  @OptionGroup var options: SharedOptions

  func run() throws {
    let settings = try options.settings()
    let console = try Console(settings)
    let rows = SettingKey.allCases.map { key -> [ReportTable.Cell] in
      let value = settings[key]
      return [
        .text(key.rawValue), .text(shown(key, value)),
        .text(value?.origin ?? "default"),
      ] + (console.isVerbose ? [key.variable, key.defaultText, key.meaning].map { .text($0) } : [])
    }
    let names =
      ["setting", "value", "origin"]
      + (console.isVerbose ? ["variable", "default", "meaning"] : [])
    let table = ReportTable(
      name: "config", dimensions: [], columns: names.map { .init($0, .text) }, rows: rows)
    try console.data(TableRenderer(try settings.format()).bytes(of: table))
  }

  /// The value as text; a secret only as there or not.
  private func shown(_ key: SettingKey, _ value: Settings.Value?) -> String {
    guard let value else { return key.defaultText }
    return key == .anonymizeKey ? "(hidden)" : value.texts.joined(separator: "; ")
  }
}
