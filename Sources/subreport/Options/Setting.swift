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

  /// The meaning with all values.
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
