import ArgumentParser
import Rendering
import Tables

struct ConfigCommand: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print each setting, its value and where it came from.",
    discussion: discussion(
      """
      Settings come from the command line, else from the environment (SUBREPORT_…, lists separated \
      by ;), else from subreport.toml in the working directory, else from subreport/subreport.toml \
      in the user's config folder. Options are not carried out, only shown.
      """,
      HelpExample("Which settings are in force here?", "config"),
      HelpExample("What does each mean, and which commands take it?", "config -v -f csv")))

  @OptionGroup var inputs: InputOptions
  @OptionGroup(.rows) var views: ViewOptions
  @OptionGroup(.rows) var products: ProductOptions
  @OptionGroup(.rows) var apps: AppOptions
  @OptionGroup(.rows) var selection: SelectionOptions
  @OptionGroup(.rows) var vendors: VendorOptions
  @OptionGroup(.rows) var asOf: AsOfOptions
  @OptionGroup(.rows) var primary: PrimaryOptions
  @OptionGroup(.output) var output: OutputOptions
  @OptionGroup(.output) var changes: ChangesOptions
  @OptionGroup(.output) var currency: CurrencyOptions
  @OptionGroup(.strictness) var strictness: StrictnessOptions
  @OptionGroup(.strictness) var conditions: ConditionOptions
  @OptionGroup(.receipts) var receipts: ReceiptOptions
  @OptionGroup(.prices) var prices: PriceOptions
  @OptionGroup(.finance) var finance: FinanceOptions
  @OptionGroup(.running) var running: RunOptions

  func run() throws {
    let settings = try settings()
    let console = try Console(settings)
    let rows = SettingKey.stored.map { key -> [ReportTable.Cell] in
      let value = settings[key]
      return [
        .text(key.rawValue), .text(shown(key, value)),
        .text(value?.origin ?? "default"),
      ] + (console.isVerbose ? details(key).map { .text($0) } : [])
    }
    let fetch = settings.fetch.filter { $0.key.account == nil }.map { place, value in
      [
        "fetch.\(place.key.rawValue)",
        place.key.isSecret ? "(hidden)" : value.texts.joined(separator: "; "), value.origin,
      ] + (console.isVerbose ? [place.key.variable ?? "", "", "fetch", place.key.says] : [])
    }.sorted { $0[0] < $1[0] }
    let names =
      ["setting", "value", "origin"]
      + (console.isVerbose ? ["variable", "default", "commands", "meaning"] : [])
    let table = ReportTable(
      name: "config", dimensions: [], columns: names.map { .init($0, .text) },
      rows: rows + fetch.map { $0.map { .text($0) } })
    // A figure that the config file asks for is that of other commands.
    let format = try settings.format(hasFigure: !settings.isOnCommandLine(.format))
    let page = TablePage(title: "Settings")
    try console.data(page.bytes(of: table, format == .svg ? .csv : format))
  }

  /// Returns a setting's variable, default, commands and meaning.
  private func details(_ key: SettingKey) -> [String] {
    let setting = key.setting
    let commands = CommandName.allCases.filter(setting.commands.contains).map(\.rawValue)
    return [key.variable, setting.unset, commands.joined(separator: " "), setting.meaning]
  }

  /// Returns the value as text; a secret is hidden.
  private func shown(_ key: SettingKey, _ value: Settings.Value?) -> String {
    guard let value else { return key.setting.unset }
    return key == .anonymizeKey ? "(hidden)" : value.texts.joined(separator: "; ")
  }
}
