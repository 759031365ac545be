import ArgumentParser
import Metrics
import Rendering

/// `subreport config`.
struct ConfigCommand: ParsableCommand, CommandOptions {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print each setting, its value and where it came from.",
    discussion: """
      Settings come from the command line, else from the environment (SUBREPORT_…, lists separated \
      by ;), else from subreport.toml in the working directory, else from subreport/subreport.toml \
      in the user's config folder. Options are not carried out, only shown.
      """)

  @OptionGroup var inputs: InputOptions
  @OptionGroup(title: "What is counted") var views: ViewOptions
  @OptionGroup(title: "What is counted") var selection: SelectionOptions
  @OptionGroup(title: "What is counted") var apps: AppOptions
  @OptionGroup(title: "What is counted") var products: ProductOptions
  @OptionGroup(title: "What is counted") var vendors: VendorOptions
  @OptionGroup(title: "What is counted") var asOf: AsOfOptions
  @OptionGroup(title: "What is counted") var currency: CurrencyOptions
  @OptionGroup(title: "What is counted") var primary: PrimaryOptions
  @OptionGroup(title: "Prices") var prices: PriceOptions
  @OptionGroup(title: "Settlement") var finance: FinanceOptions
  @OptionGroup(title: "Receipts") var receipts: ReceiptOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var changes: ChangesOptions
  @OptionGroup(title: "Strictness") var strictness: StrictnessOptions
  @OptionGroup(title: "Strictness") var conditions: ConditionOptions
  @OptionGroup(title: "Running") var running: RunOptions

  var groups: [any SettingOptions] {
    [
      inputs, views, selection, apps, products, vendors, asOf, currency, primary, prices, finance,
      receipts, output, changes, strictness, conditions, running,
    ]
  }

  func run() throws {
    let settings = try settings()
    let console = try Console(settings)
    let rows = SettingKey.allCases.map { key -> [ReportTable.Cell] in
      let value = settings[key]
      return [
        .text(key.rawValue), .text(shown(key, value)),
        .text(value?.origin ?? "default"),
      ] + (console.isVerbose ? details(key).map { .text($0) } : [])
    }
    let names =
      ["setting", "value", "origin"]
      + (console.isVerbose ? ["variable", "default", "commands", "meaning"] : [])
    let table = ReportTable(
      name: "config", dimensions: [], columns: names.map { .init($0, .text) }, rows: rows)
    try console.data(TableRenderer(try settings.format()).bytes(of: table))
  }

  /// Returns a setting's variable, default, commands and meaning.
  private func details(_ key: SettingKey) -> [String] {
    let commands = CommandName.allCases.filter(key.commands.contains).map(\.rawValue)
    return [key.variable, key.defaultText, commands.joined(separator: " "), key.meaning]
  }

  /// Returns the value as text; a secret is hidden.
  private func shown(_ key: SettingKey, _ value: Settings.Value?) -> String {
    guard let value else { return key.defaultText }
    return key == .anonymizeKey ? "(hidden)" : value.texts.joined(separator: "; ")
  }
}
