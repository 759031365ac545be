import ArgumentParser

/// A setting or an option as help, `config`, documents, completions and messages describe it.
struct Setting {
  /// The heading above a setting in a command's help and in docs/settings.md.
  enum Heading: String, CaseIterable {
    case rows = "Which months and rows"
    case output = "Output"
    case strictness = "How strict"
    case receipts = "Receipts"
    case prices = "Prices"
    case finance = "Finance"
    case running = "How it runs"
  }

  /// How the value is written in the config file.
  enum Shape {
    case text, list, whole, flag
  }

  /// Where a setting can be written.
  enum Place {
    case everywhere
    /// As an option only, because it makes no sense for every run.
    case commandLine
    /// As a variable and in the config file only.
    case stored
  }

  /// The effect of the setting in one sentence; without a full stop if ``words`` or ``needs`` follow.
  let says: String
  /// The commands that use the setting; each has its option, and others refuse it.
  var commands = CommandName.all
  var shape = Shape.text
  /// The value of a setting that is not set.
  var unset = ""
  /// All possible values, or the words of which a value is made: `country,product` is made of two.
  var words: [String] = []
  /// The name of the value in a help; a shell completes `file`, `path`, `input` and `dir` with names on the disk.
  var value: String?
  /// The short option, such as `f` for `-f`.
  var letter: Character?
  var place = Place.everywhere
  /// The help of the option that switches the setting off; `nil` for an option that sets it.
  var negation: String?
  /// Another setting without which this one makes no sense.
  var needs: SettingKey?
  /// Whether numbers, or the files of a report, depend on the setting, so that the manifest names its value.
  var decidesNumbers = false
  var heading = Heading.rows

  var meaning: String { meaning { $0.rawValue } }

  private func meaning(name: (SettingKey) -> String) -> String {
    if let needs { return "\(says); needs \(name(needs))." }
    return words.isEmpty ? says : "\(says): \(joined(words, by: "or"))."
  }

  /// The text of the option's help.
  var help: ArgumentHelp {
    if let negation { return ArgumentHelp(stringLiteral: negation) }
    let end = unset.isEmpty || shape == .flag ? "" : " (default: \(unset))"
    return ArgumentHelp(
      meaning(name: \.optionName) + (shape == .list && value != "input" ? " Repeatable." : "")
        + end,
      valueName: value)
  }

  /// What a shell completes the value with.
  var completion: CompletionKind? {
    switch value {
    case "file", "path", "input": .file()
    case "dir": .directory
    case SettingKey.dimensions: .custom { _, _, text in DimensionCompletion.words(after: text) }
    default: words.isEmpty ? nil : .list(words)
    }
  }
}

/// Completes a view such as `country,pro`.
enum DimensionCompletion {
  /// Returns the views that one more dimension makes of a text.
  static func words(after text: String) -> [String] {
    let chosen = text.split(separator: ",", omittingEmptySubsequences: false).dropLast()
    let start = chosen.map { $0 + "," }.joined()
    return SettingKey.by.setting.words.filter { !chosen.contains(Substring($0)) }
      .map { start + $0 }
  }
}

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

  var variable: String { "SUBREPORT_" + rawValue.uppercased() }

  /// The keys by their options, such as `--format` and `-f`.
  static let byOption: [String: SettingKey] = {
    let keys = allCases.filter { $0 != .inputs && $0.setting.place != .stored }
    let short = keys.compactMap { key in key.setting.letter.map { ("-\($0)", key) } }
    return Dictionary(uniqueKeysWithValues: keys.map { ($0.optionName, $0) } + short)
  }()
}

/// A command that has settings and reads inputs.
enum CommandName: String, CaseIterable {
  case report
  case churn, renewals, lapses, refunds, retention, movement, proceeds, trials, commitments
  case recurring, lifetime, status, definitions
  case drivers, explain
  case priceImpact = "price-impact"
  case reconcile
  case timeline, chains, access, eligibility
  case digest, mcp
  case check, config

  static let all = Set(allCases)

  /// The commands that print one table of counts.
  static let tables: Set<CommandName> = [
    .churn, .renewals, .lapses, .refunds, .retention, .movement, .proceeds, .trials,
    .commitments, .recurring, .lifetime, .status, .definitions,
  ]

  /// The commands whose table has a row for each customer.
  static let customers: Set<CommandName> = [.timeline, .chains, .access, .eligibility]

  /// The commands that add up rows of reports.
  static let counting = tables.union(answers)
    .union([.report, .drivers, .priceImpact, .check, .config])

  /// The commands that make every table, as `report` does, and write no folder.
  static let answers: Set<CommandName> = [.digest, .mcp]

  static let printing = tables.union(customers)
    .union([.drivers, .explain, .priceImpact, .reconcile, .config])

  /// Returns commands in words: `report, check and tables such as churn`.
  static func words(_ commands: Set<CommandName>) -> String {
    if commands == all { return "all" }
    let kinds: [(commands: Set<CommandName>, words: String)] = [
      (tables, "tables such as churn"), (customers, "tables of customers such as timeline"),
    ]
    // `config` shows every setting, so it says nothing about one.
    var (names, rest) = ([String](), commands.subtracting([.config]))
    for kind in kinds where kind.commands.isSubset(of: rest) {
      names.append(kind.words)
      rest.subtract(kind.commands)
    }
    return joined(allCases.filter(rest.contains).map(\.rawValue) + names, by: "and")
  }
}

/// Returns `a`, `a and b`, or `a, b and c`.
func joined(_ words: [String], by conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
}
