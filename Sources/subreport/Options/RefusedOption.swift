import Rendering

/// An option that a command does not accept but others do.
struct RefusedOption {
  let command: String
  /// The option, such as `-f`.
  let option: String
  /// The option as it was written, such as `--json` for `-f`.
  let written: String

  /// The reason why the command does not accept the option; `nil` for an option that no command has.
  var sentence: String? {
    guard let key = SettingKey.byOption[option] else { return nil }
    guard command != "verify" else {
      if key == .format {
        return
          "verify does not take \(written): it prints lines of text; its exit code is 1 with a difference"
      }
      return "verify does not take \(written): it repeats a run with the options of its manifest"
    }
    if command == "history", let reason = Self.reasonOfHistory(key) {
      return "history does not take \(written): \(reason)"
    }
    let reason = CommandName(rawValue: command).flatMap { Self.reason($0, key) }
    let commands = key.setting.commands
    let whose =
      commands == CommandName.all ? "commands that read reports" : CommandName.words(commands)
    return "\(command) does not take \(written): \(reason ?? "it is for \(whose)")"
  }

  private static func reasonOfHistory(_ key: SettingKey) -> String? {
    switch key {
    case .source: "--where source=events chooses the row"
    case .asOf: "--at prints a table as it was known on a day"
    case .from, .to, .last, .allMonths: "without --month it prints all months"
    default: nil
    }
  }

  private static func reason(_ command: CommandName, _ key: SettingKey) -> String? {
    switch (command, key) {
    case (.reconcile, .fiscal): "its periods are always those of Apple's fiscal calendar"
    case (.reconcile, .environment), (.reconcile, .identities), (.reconcile, .verify),
      (.reconcile, .rootCertificate):
      "it reads no receipts"
    case (.reconcile, .source), (.reconcile, .app), (.reconcile, .group), (.reconcile, .product),
      (.reconcile, .country), (.reconcile, .currency), (.reconcile, .rates), (.reconcile, .failIf):
      "it compares whole settlements\(Self.partOfReconcile(key))"
    case (.explain, .by): "--where chooses the row, such as --where country=US"
    case (.explain, .currency), (.explain, .rates): "it explains each currency on its own"
    case (.explain, .failIf): "conditions are about the tables that count"
    case (.drivers, .currency), (.drivers, .rates): "it compares each currency on its own"
    case (.drivers, .failIf): "conditions are about the tables that count"
    case (.priceImpact, .failIf), (.priceImpact, .currency), (.priceImpact, .rates):
      "it has a row for each increase and none for a month"
    case (.report, .format): "it writes CSV, Markdown and HTML"
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
    case (_, .month), (_, .from), (_, .to), (_, .last), (_, .allMonths), (_, .against):
      monthReason(command, key)
    default: nil
    }
  }

  /// Returns how to see a part of a settlement; blank for an option that chooses none.
  private static func partOfReconcile(_ key: SettingKey) -> String {
    switch key {
    case .country: "; for one region: -f csv | grep ,US,"
    case .currency: "; for one currency: -f csv | grep ,USD,"
    default: ""
    }
  }

  /// Returns why a command does not accept an option about months.
  private static func monthReason(_ command: CommandName, _ key: SettingKey) -> String {
    switch (command, key) {
    case (.report, _): "it writes all months"
    case (.retention, _):
      "its months are those in which subscriptions began; use --last or --by start_month"
    case (.priceImpact, _): "it has a row for each increase; --last chooses the newest"
    case (.explain, _): "it explains one month; use --month"
    case (.drivers, _): "it compares two months; use --month or --last, and --against"
    default: "it has no months"
    }
  }
}
