import ArgumentParser
import Files
import Rendering
import Scanning

/// Turns ArgumentParser's three lines about a wrong command line into one.
struct UsageMessage {
  /// The words of the command line, without the program's name.
  let arguments: [String]

  /// Returns a sentence for a message of ArgumentParser or of ours, without control characters.
  func line(_ message: String) -> String {
    printable(sentence(message))
  }

  private func sentence(_ message: String) -> String {
    let first = message.split(separator: "\n").first.map(String.init) ?? ""
    let quoted = Self.quoted(first)
    if first.hasPrefix("Unknown option"), let name = quoted.first { return unknownOption(name) }
    if first.hasPrefix("Unexpected argument") || first.contains(" unexpected arguments: ") {
      return unexpected(quoted)
    }
    if first.hasPrefix("Missing value for"), let option = quoted.first {
      return missingValue(String(option.prefix { $0 != " " }), option)
    }
    if first.hasPrefix("Missing expected argument"), let argument = quoted.first {
      let words = argument == "<files> ..." ? "files or folders" : argument
      return "\(command ?? "subreport") needs \(words); \(helpHint)"
    }
    if first.hasPrefix("The value "), quoted.count > 1 {
      return invalid(quoted[0], for: quoted[1], allowed: Array(quoted.dropFirst(2)))
    }
    if first.hasPrefix("The option "), quoted.count > 1 {
      return "\(quoted[0]) takes no value; leave out \"\(quoted[1])\""
    }
    return message.split(separator: "\n").joined(separator: " ")
  }

  /// The message about an unknown command in a request for help; `nil` for a known command.
  var unknownTopic: String? {
    let words = arguments.filter { !$0.hasPrefix("-") }
    let topic = words.first == "help" ? Array(words.dropFirst()) : Array(words.prefix(1))
    let asksForHelp = words.first == "help" || arguments.contains { $0 == "-h" || $0 == "--help" }
    guard asksForHelp, topic != ["help"] else { return nil }
    var command: any ParsableCommand.Type = Subreport.self
    for word in topic {
      let found = command.configuration.subcommands.first { $0._commandName == word }
      guard let found else { return UsageMessage(arguments: topic).unexpected([word]) }
      command = found
    }
    return nil
  }

  /// The lines of the message of a call without arguments.
  static let shortHelp = [
    "subreport computes churn, renewals, retention, proceeds and more from the reports of App Store Connect.",
    "", "  subreport report REPORTS -o out    every table of every month, into a folder",
    "  subreport churn REPORTS            one table of the last complete month",
    "  subreport check REPORTS            whether the data are complete, and what to do if not", "",
    "REPORTS are files or folders. subreport --help lists all commands, subreport COMMAND --help its options.",
  ]

  /// The called command, if it exists.
  private var command: String? {
    arguments.first { !$0.hasPrefix("-") }.flatMap { Self.commands.contains($0) ? $0 : nil }
  }

  private var helpHint: String { "see subreport \(command.map { $0 + " " } ?? "")--help" }

  private static let commands =
    Subreport.configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName }

  private func unknownOption(_ name: String) -> String {
    // Without a command each of its options is unknown.
    if command == nil, let word = arguments.first(where: { !$0.hasPrefix("-") }) {
      return unexpected([word])
    }
    let words = arguments.filter { !$0.hasPrefix("-") }
    if let command, let place = arguments.firstIndex(of: command),
      arguments[..<place].contains(name)
    {
      return
        "\(name) stands before the command; write it after: subreport \(words.joined(separator: " ")) \(name)"
    }
    // An option such as --json means -f json.
    let option = FormatShorthand.option(for: name) ?? name
    if let command,
      let refused = RefusedOption(
        command: command, option: option, written: name, words: arguments
      ).sentence
    {
      return refused
    }
    if command == "reconcile", name == "--region" {
      let refused = RefusedOption(
        command: "reconcile", option: name, written: name, words: arguments)
      return
        "reconcile does not take --region: it compares whole settlements; for one region: \(refused.rows(like: "US"))"
    }
    if let own = Self.otherOptions[name]?.first(where: options.contains) {
      return "unknown option \(name); did you mean \(own)?"
    }
    let near = nearOptions(name)
    return
      "unknown option \(name); \(near.isEmpty ? helpHint : "did you mean \(near.joined(separator: " or "))?")"
  }

  /// Other names of options, each with the options that may be meant; the first that the command has is suggested.
  private static let otherOptions: [String: [String]] = [
    "--period": ["--month"], "--date": ["--month", "--at"], "--year": ["--from"],
    "--start": ["--from"], "--since": ["--from"], "--begin": ["--from"],
    "--end": ["--to"], "--until": ["--to"], "--start-date": ["--from"], "--end-date": ["--to"],
    "--months": ["--last"], "--limit": ["--top"], "--cohort": ["--by"], "--where": ["--country"],
    "--output-dir": ["--output"], "--group-by": ["--by"], "--split": ["--by"],
    "--filter": ["--where", "--country"], "--territory": ["--country"],
    "--storefront": ["--country"],
    "--sku": ["--product", "--price-change"], "--products": ["--product", "--price-change"],
    "--plan": ["--billing-plan"], "--out": ["--output"], "--threads": ["--jobs"],
  ]

  /// Returns the options that the user may have meant.
  ///
  /// The hyphens are no part of the word: they would allow more mistakes.
  private func nearOptions(_ name: String) -> [String] {
    let word = { (option: String) in String(option.drop { $0 == "-" }) }
    let names = (options + FormatShorthand.names).map(word)
    return Nearest.words(to: word(name), among: names).map { "--" + $0 }
  }

  /// The options of the called command, as its help lists them.
  private var options: [String] {
    let types = Subreport.configuration.groupedSubcommands.flatMap(\.subcommands)
    guard let type = types.first(where: { $0._commandName == command }) else { return [] }
    return Subreport.helpMessage(for: type).split { $0 == "\n" }.filter { $0.hasPrefix("  -") }
      .flatMap { $0.split { " ,".contains($0) } }.filter { $0.hasPrefix("--") }.map(String.init)
  }

  private func missingValue(_ name: String, _ option: String) -> String {
    let place = arguments.firstIndex(of: name)
    if let place, place + 1 < arguments.count, arguments[place + 1].dropFirst().first != "-" {
      if Self.amounts.contains(name), Self.isNegative(arguments[place + 1]) {
        return "\(name) \(arguments[place + 1]): it cannot be negative"
      }
      if name == "--sort" {
        let column = arguments[place + 1].drop { $0 == "-" }
        return
          "--sort -\(column): write --sort \(column):desc, or \(column):asc for the smallest first"
      }
      return "\(name) \(arguments[place + 1]): write it as \(name)=\(arguments[place + 1])"
    }
    return "\(name) needs its value: \(option)"
  }

  /// Options whose value is a number of 0 or more.
  private static let amounts: Set<String> = [
    "--tolerance", "--max-rejects", "--jobs", "-j", "--limit",
  ]

  /// Returns whether a text is a number with a minus sign.
  static func isNegative(_ text: String) -> Bool {
    let digits = text.dropFirst()
    return text.hasPrefix("-") && !digits.isEmpty
      && digits.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber }
  }

  private func unexpected(_ words: [String]) -> String {
    guard let word = words.first else { return helpHint }
    if arguments.filter({ !$0.hasPrefix("-") }).prefix(2) == ["cache", word] {
      return "no cache command \"\(word)\"; \(Nearest.advice(word, among: ["status", "clear"]))"
    }
    guard command == nil else { return "unexpected argument \"\(word)\"; \(helpHint)" }
    guard !word.contains("/"), FileStatus(of: word) == nil else {
      return "\"\(word)\" is no command; did you mean subreport report \(word) -o out?"
    }
    if let answer = OtherWords.answer(word) { return "unknown command \"\(word)\"; \(answer)" }
    if let meant = OtherWords.meaning(word, among: Self.commands + ["--version"]) {
      return "unknown command \"\(word)\"; did you mean \"\(meant)\"?"
    }
    let near = Nearest.advice(word, among: Self.commands, limit: 0)
    return "unknown command \"\(word)\"; \(near.isEmpty ? "subreport --help lists all" : near)"
  }

  private func invalid(_ value: String, for option: String, allowed: [String]) -> String {
    let name = option.prefix { $0 != " " }.filter { !"<>".contains($0) }
    guard allowed.isEmpty else {
      return "\(name) \(value): \(Nearest.advice(value, among: allowed))"
    }
    return "\(name) \(value): use a whole number"
  }

  /// Returns the texts between single quotes.
  private static func quoted(_ message: String) -> [String] {
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
  }
}

extension UsageMessage {
  /// The message for an option with one value that is given more than once; `nil` without one.
  ///
  /// Without the message, the last value would silently win.
  var repeatedOption: String? {
    var count: [String: Int] = [:]
    for argument in arguments.prefix(while: { $0 != "--" }) {
      let name = String(argument.prefix { $0 != "=" })
      if let option = Self.singleOptions[name] { count[option, default: 0] += 1 }
    }
    guard let option = count.filter({ $0.value > 1 }).keys.min() else { return nil }
    let others = option == "--month" ? "; several months are --from and --to" : ""
    return "\(option) is given more than once; it has one value\(others)"
  }

  /// Options with one value, by their names.
  private static let singleOptions: [String: String] = {
    let single = SettingKey.byOption.filter { [.text, .whole].contains($0.value.setting.shape) }
    let others = ["--subscribers", "--seed", "--limit"].map { ($0, $0) }
    return single.mapValues(\.optionName).merging(others) { $1 }
  }()
}

extension CommandLine {
  /// The program's name and the words after it, in which file names need not be UTF-8.
  static var words: [String] {
    (0..<Int(argc)).map { index in
      // Safe: the system passes `argc` words, each ending with a zero byte, that last as long as the program runs.
      guard let word = unsafe unsafeArgv[index] else { return "" }
      return unsafe SystemPath.text(ofCString: word)
    }
  }
}
