import Rendering

/// An option that a command does not accept but others do.
struct RefusedOption {
  let command: String
  /// The option as it was written, such as `-f`.
  let written: String

  /// The reason why the command does not accept the option; `nil` for an option that no command has.
  var sentence: String? {
    guard let option = Self.option(written) else { return nil }
    let name = CommandName(rawValue: command)
    let reason = name.flatMap { name in
      option.key.map { Self.reason(name, $0) } ?? Self.reason(withoutMonths: name, option.commands)
    }
    return "\(command) does not take \(written): \(reason ?? Self.whose(option.commands))"
  }

  /// Returns an option's setting, if it has one, and the commands that accept it.
  private static func option(
    _ written: String
  ) -> (key: SettingKey?, commands: Set<CommandName>)? {
    let short = ["-f": SettingKey.format, "-o": .output, "-j": .jobs, "-q": .quiet, "-v": .verbose]
    let key =
      short[written]
      ?? SettingKey.allCases.first { $0.isOption && $0.optionName == written }
    if let key { return (key, key.commands) }
    return OwnOption(rawValue: String(written.dropFirst(2))).map { (nil, $0.commands) }
  }

  private static func reason(_ command: CommandName, _ key: SettingKey) -> String? {
    switch (command, key) {
    case (.reconcile, .fiscal): "its periods are always those of Apple's fiscal calendar"
    case (.reconcile, .environment), (.reconcile, .identities), (.reconcile, .verify),
      (.reconcile, .rootCertificate):
      "it reads no receipts"
    case (.reconcile, .source), (.reconcile, .app), (.reconcile, .group), (.reconcile, .product),
      (.reconcile, .country), (.reconcile, .currency), (.reconcile, .rates), (.reconcile, .failIf):
      "it compares whole settlements"
    case (.drivers, .currency), (.drivers, .rates): "it compares each currency on its own"
    case (.drivers, .failIf): "conditions are about the tables that count"
    case (.priceImpact, .failIf), (.priceImpact, .currency), (.priceImpact, .rates):
      "it has a row for each increase and none for a month"
    case (.report, .format): "it writes CSV and Markdown"
    case (.check, .format): "it prints lines of text"
    case (.check, .output): "it prints to standard output; report -o writes a folder"
    case (_, .source) where CommandName.customers.contains(command):
      "it is made from receipts alone"
    case (_, .vendor) where CommandName.customers.contains(command):
      "receipts have no vendor number"
    case (_, .app), (_, .group), (_, .product), (_, .country):
      CommandName.customers.contains(command) ? "its table has no column \(key.rawValue)" : nil
    case (_, .by), (_, .failIf), (_, .currency), (_, .rates), (_, .fiscal):
      CommandName.customers.contains(command)
        ? "it has a row for each customer and nothing to count" : nil
    default: nil
    }
  }

  private static func reason(
    withoutMonths command: CommandName, _ commands: Set<CommandName>
  ) -> String? {
    let ofMonths = [OwnOption.month, .allMonths, .against].map(\.commands)
    guard ofMonths.contains(commands), command != .reconcile else { return nil }
    return command == .report ? "it writes all months" : "it has no months"
  }

  /// Returns the words that say which commands accept an option.
  private static func whose(_ commands: Set<CommandName>) -> String {
    let kinds: [(commands: Set<CommandName>, words: String)] = [
      (CommandName.tables, "tables such as churn"),
      (CommandName.customers, "tables of customers such as timeline"),
    ]
    var (names, rest) = ([String](), commands.subtracting([.config]))
    for kind in kinds where kind.commands.isSubset(of: rest) {
      names.append(kind.words)
      rest.subtract(kind.commands)
    }
    names = CommandName.allCases.filter(rest.contains).map(\.rawValue) + names
    let last = names.popLast() ?? "no command"
    return "it is for " + (names.isEmpty ? last : names.joined(separator: ", ") + " and " + last)
  }
}

/// An option of some commands that is not a setting, because it makes no sense in a config file.
enum OwnOption: String, CaseIterable {
  case month, from, to, last, against, export, content, force, brief
  case allSources = "all-sources"
  case allMonths = "all-months"
  case noAnonymize = "no-anonymize"
  case sort, top, columns
  case noPager = "no-pager"

  /// The commands that have the option.
  var commands: Set<CommandName> {
    switch self {
    case .month: OwnOption.from.commands.union([.drivers])
    case .from, .to, .last: CommandName.tables.subtracting([.retention]).union([.reconcile])
    case .against: CommandName.tables.subtracting([.retention]).union([.drivers])
    case .allMonths: CommandName.tables.union([.reconcile])
    case .export: [.reconcile]
    case .content: [.access]
    case .force, .brief: [.report]
    case .allSources: CommandName.tables
    case .noAnonymize: CommandName.customers
    case .sort, .top, .columns, .noPager:
      CommandName.tables.union(CommandName.customers).union([.drivers, .priceImpact, .reconcile])
    }
  }
}
