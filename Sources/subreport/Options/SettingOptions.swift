import ArgumentParser

/// Options whose values are settings: a group by subject, or all options of a command.
///
/// Each property is named like its option, by which its setting is found: `maxRejects` is
/// `--max-rejects`.
protocol SettingOptions: ParsableArguments {}

extension SettingOptions {
  /// The settings and `config` given on the command line, with those of all groups.
  var given: [SettingKey: [String]] {
    var given: [SettingKey: [String]] = [:]
    for child in Mirror(reflecting: self).children {
      guard let value = child.value as? any ParsedValue else { continue }
      if let group = value.group {
        given.merge(group.given) { $1 }
      } else if let key = child.label.flatMap(SettingKey.init(property:)) {
        let texts = key.texts(value.parsed)
        if !texts.isEmpty { given[key] = texts }
      }
    }
    return given
  }

  /// Returns the settings in force with those given on the command line.
  static func settings(_ given: [SettingKey: [String]]) throws(UsageError) -> Settings {
    var given = given
    let config = given.removeValue(forKey: .config)?.last
    let flags = given.filter { $0.key.setting.place == .everywhere }
    return try Settings(flags: flags, configPath: config)
  }
}

/// All options of a command that are settings; invalid values are refused before anything is read.
protocol CommandOptions: SettingOptions {
  func settings() throws(UsageError) -> Settings
}

extension CommandOptions {
  func validate() throws { try settings().validate() }

  func settings() throws(UsageError) -> Settings { try Self.settings(given) }
}

extension SettingKey {
  /// Finds the setting of a property with an option, such as `_maxRejects`.
  fileprivate init?(property: String) {
    let name = property.drop { $0 == "_" }
    if name == "inputs" {
      self = .inputs
      return
    }
    let words = name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    guard let key = Self.byOption["--" + words] else { return nil }
    self = key
  }

  /// Returns the texts of an option's value; none if it was not given.
  fileprivate func texts(_ value: Any) -> [String] {
    switch value {
    case let list as [String]: list
    case let text as String: [text]
    case let number as Int: [String(number)]
    case let isGiven as Bool where isGiven: [String(setting.negation == nil)]
    default: []
    }
  }
}

/// A property of options, once the command line is read.
private protocol ParsedValue {
  var parsed: Any { get }
  /// The settings of a group; `nil` for a single option.
  var group: (any SettingOptions)? { get }
}

extension ParsedValue {
  fileprivate var group: (any SettingOptions)? { nil }
}

extension Argument: ParsedValue {
  fileprivate var parsed: Any { wrappedValue }
}

extension Option: ParsedValue {
  fileprivate var parsed: Any { wrappedValue }
}

extension Flag: ParsedValue {
  fileprivate var parsed: Any { wrappedValue }
}

extension OptionGroup: ParsedValue {
  fileprivate var parsed: Any { wrappedValue }
  fileprivate var group: (any SettingOptions)? { wrappedValue as? any SettingOptions }
}

// MARK: Declaring options

extension Argument where Value == [String] {
  init(wrappedValue: [String], _ key: SettingKey) {
    self.init(
      wrappedValue: wrappedValue, help: key.setting.help, completion: key.setting.completion)
  }
}

extension OptionGroup {
  /// A group below a heading of the help.
  init(_ heading: Setting.Heading) { self.init(title: heading.rawValue) }
}

extension Option {
  /// The option of a setting with one value; names, help and completion are those of the table.
  init<Word: ExpressibleByArgument>(_ key: SettingKey) where Value == Word? {
    self.init(name: key.names, help: key.setting.help, completion: key.setting.completion)
  }

  /// The option of a setting that a command explains in its own words.
  init<Word: ExpressibleByArgument>(
    _ key: SettingKey, says text: String, valueName: String
  ) where Value == Word? {
    self.init(
      name: key.names, help: ArgumentHelp("\(text)", valueName: valueName),
      completion: key.setting.completion)
  }

  /// The option of a setting that may be repeated, and that a command explains in its own words.
  init(
    wrappedValue: [String], _ key: SettingKey, says text: String, valueName: String
  ) where Value == [String] {
    self.init(
      wrappedValue: wrappedValue, name: key.names, parsing: .singleValue,
      help: ArgumentHelp("\(text)", valueName: valueName), completion: key.setting.completion)
  }

  /// The option of a setting that may be repeated.
  init(wrappedValue: [String], _ key: SettingKey) where Value == [String] {
    self.init(
      wrappedValue: wrappedValue, name: key.names, parsing: .singleValue, help: key.setting.help,
      completion: key.setting.completion)
  }
}

extension Flag where Value == Bool {
  /// The option of a setting without a value.
  init(wrappedValue: Bool, _ key: SettingKey) {
    self.init(wrappedValue: wrappedValue, name: key.names, help: key.setting.help)
  }
}

extension SettingKey {
  fileprivate var names: NameSpecification {
    setting.letter.map { [.customShort($0), .long] } ?? .long
  }
}
