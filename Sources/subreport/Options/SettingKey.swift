/// The name of a setting or of an option; `Setting` says everything else about it.
///
/// The name is the key in the config file. Options and environment variables are named after it.
enum SettingKey: String, CaseIterable {
  case month, from, to, last
  case allMonths = "all_months"
  case inputs
  case output
  case by
  case source, primary
  case allSources = "all_sources"
  case app, group, product, country, vendor
  case billingPlan = "billing_plan"
  case contingent
  case asOf = "as_of"
  case fiscal
  case against
  case content
  case regions, commissions
  case currency, rates
  case priceChanges = "price_changes"
  case plan
  case tolerance
  case environment, identities
  case verify
  case rootCertificate = "root_certificate"
  case noAnonymize = "no_anonymize"
  case anonymizeKey = "anonymize_key"
  case title, format
  case delimiter, decimal
  case export
  case sort, top, columns
  case noPager = "no_pager"
  case force, brief
  case through
  case maxRejects = "max_rejects"
  case strict
  case failIf = "fail_if"
  case config
  case jobs
  case cache, memory
  case changes, ledger, evidence
  case sqlite, xlsx, openmetrics
  case quiet, verbose
  case progress
  case color
  case logFormat = "log_format"

  /// The keys of the config file, in the order of `subreport config`.
  static let stored = allCases.filter { $0.setting.place != .commandLine }

  /// The value of `--by` in a help.
  static let dimensions = "dim[,dim]"

  /// The row of the table of settings.
  var setting: Setting {
    guard let setting = Setting.table[self] else { preconditionFailure("\(self) has no row") }
    return setting
  }

  /// The option's name on the command line; inputs are arguments, and a secret has no option.
  var optionName: String {
    (setting.negation == nil ? "--" : "--no-") + rawValue.replacing("_", with: "-")
  }

  /// The environment variable.
  var variable: String { "SUBREPORT_" + rawValue.uppercased() }

  /// The keys by their options, such as `--format` and `-f`.
  static let byOption: [String: SettingKey] = {
    let keys = allCases.filter { $0 != .inputs && $0.setting.place != .stored }
    let short = keys.compactMap { key in key.setting.letter.map { ("-\($0)", key) } }
    return Dictionary(uniqueKeysWithValues: keys.map { ($0.optionName, $0) } + short)
  }()
}
