import Rendering
import SubscriptionModel

/// An option that a command does not accept but others do.
struct RefusedOption {
  let command: String
  /// The option, such as `-f`.
  let option: String
  /// The option as it was written, such as `--json` for `-f`.
  let written: String
  /// The words of the command line, from the command on.
  var words: [String] = []

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
    let reason = CommandName(rawValue: command).flatMap { self.reason($0, key) }
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

  private func reason(_ command: CommandName, _ key: SettingKey) -> String? {
    switch (command, key) {
    case (.reconcile, .fiscal): "its periods are always those of Apple's fiscal calendar"
    case (.reconcile, .environment), (.reconcile, .identities), (.reconcile, .verify),
      (.reconcile, .rootCertificate):
      "it reads no receipts"
    case (.reconcile, .source), (.reconcile, .app), (.reconcile, .group), (.reconcile, .product),
      (.reconcile, .country), (.reconcile, .currency), (.reconcile, .rates), (.reconcile, .failIf):
      "it compares whole settlements\(partOfReconcile(key))"
    case (.explain, .by): "--where chooses the row, such as --where country=US"
    case (.explain, .currency), (.explain, .rates): "it explains each currency on its own"
    case (.explain, .failIf): "conditions are about the tables that count"
    case (.drivers, .currency), (.drivers, .rates): "it compares each currency on its own"
    case (.drivers, .failIf): "conditions are about the tables that count"
    case (.priceImpact, .failIf), (.priceImpact, .currency), (.priceImpact, .rates):
      "it has a row for each increase and none for a month"
    case (.report, .format):
      "it writes CSV, Markdown and HTML; --sqlite and --xlsx add a database and a workbook"
    case (.report, .delimiter), (.report, .decimal):
      "its files have one form for programs; --xlsx adds a workbook"
    case (.check, .sqlite), (.check, .xlsx): nil
    case (_, .sqlite), (_, .xlsx):
      "report writes all tables; for this one use -o \(command.rawValue).\(key.rawValue)"
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
      Self.monthReason(command, key)
    default: nil
    }
  }

  /// Returns how to see a part of a settlement; blank for an option that chooses none.
  private func partOfReconcile(_ key: SettingKey) -> String {
    switch key {
    case .country: regionOfCountry
    case .currency: "; for one currency: \(rows(like: "USD"))"
    default: ""
    }
  }

  /// How to see the region in which the country of the option is settled, such as `EU` for `DE`.
  private var regionOfCountry: String {
    let country = (CallWords(words).value(of: written) ?? "").uppercased()
    let regions = FinanceRegions.apple.all.filter { $0.countries.contains(country) }
    let own = regions.first { $0.countries == [country] } ?? regions.last
    guard let code = own?.code, code != country else {
      return "; for one region: \(rows(like: "US"))"
    }
    let call = CallWords(words).leavingOut([written]).rows(code)
    return "; \(country) is settled in \(code): \(call)"
  }

  /// Returns the command for the rows with the value of the option; `example` is one where there is none.
  func rows(like example: String) -> String {
    let call = CallWords(words)
    let value = (call.value(of: written) ?? "").uppercased()
    let isCode = !value.isEmpty && value.utf8.count < 4 && value.allSatisfy(\.isLetter)
    return call.leavingOut([written]).rows(isCode ? value : example)
  }

  /// Returns why a command does not accept an option about months.
  private static func monthReason(_ command: CommandName, _ key: SettingKey) -> String {
    switch (command, key) {
    case (.report, _): "it writes all months"
    case (.retention, _), (.lifetime, _):
      "its months are those in which subscriptions began; use --from and --to, or --last"
    case (.priceImpact, _): "it has a row for each increase; --last chooses the newest"
    case (.explain, _): "it explains one month; use --month"
    case (.drivers, _): "it compares two months; use --month or --last, and --against"
    default: "it has no months"
    }
  }
}

/// The words of a command line, of which a message suggests another one.
struct CallWords {
  /// The words, the command first.
  private var words: [String]

  init(_ words: [String]) { self.words = words }

  /// Returns the value of an option; `nil` without one.
  func value(of option: String) -> String? {
    for (place, word) in words.enumerated() {
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
      if word == option { return words.dropFirst(place + 1).first }
    }
    return nil
  }

  /// Returns the words without some options and their values.
  func leavingOut(_ options: Set<String>) -> CallWords {
    var kept: [String] = []
    var isValue = false
    for word in words {
      if isValue {
        isValue = false
      } else if options.contains(word) {
        isValue = true
      } else if !options.contains(String(word.prefix { $0 != "=" })) {
        kept.append(word)
      }
    }
    return CallWords(kept)
  }

  func leavingOut(input: String) -> CallWords {
    let places = words.indices.dropFirst().filter { words[$0] == input }
    let place = places.first { !words[$0 - 1].hasPrefix("-") } ?? places.first
    return CallWords(words.indices.filter { $0 != place }.map { words[$0] })
  }

  func adding(_ word: String) -> CallWords { CallWords(words + [word]) }

  /// Returns the command that prints the header and the rows of its table with a value, as CSV.
  func rows(_ value: String) -> String {
    let others: Set<String> = ["-f", "--format", "-o", "--output"]
    let call = leavingOut(others).words.filter { FormatShorthand.option(for: $0) == nil }
    let text = call.map(ShellWord.quoted).joined(separator: " ")
    return "subreport \(text) -f csv | sed -n '1p;/,\(value),/p'"
  }
}
