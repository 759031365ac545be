import ArgumentParser

/// Options whose values are settings: a group by subject, or all options of a command.
protocol SettingOptions: ParsableArguments {
  /// The settings given by options of this type itself.
  var own: [SettingKey: [String]] { get }
  /// Groups of more options.
  var groups: [any SettingOptions] { get }
  /// The `--config` file.
  var configPath: String? { get }
}

extension SettingOptions {
  var own: [SettingKey: [String]] { [:] }

  var groups: [any SettingOptions] { [] }

  var configPath: String? { groups.lazy.compactMap(\.configPath).first }

  /// The settings given on the command line, with those of all groups.
  var flags: [SettingKey: [String]] { groups.reduce(own) { $0.merging($1.flags) { $1 } } }
}

/// All options of a command that are settings; invalid values are refused before anything is read.
protocol CommandOptions: SettingOptions {}

extension CommandOptions {
  func validate() throws { try settings().validate() }

  /// The settings in force.
  func settings() throws(UsageError) -> Settings {
    try Settings(flags: flags, configPath: configPath)
  }
}

extension [SettingKey: [String]] {
  /// Creates settings from options; options that were not given are left out.
  ///
  /// - Parameters:
  ///   - texts: Options with one value.
  ///   - lists: Options that may be repeated.
  ///   - switches: Options without a value.
  init(
    texts: [SettingKey: String?] = [:], lists: [SettingKey: [String]] = [:],
    switches: [SettingKey: Bool] = [:]
  ) {
    self = texts.compactMapValues { $0.map { [$0] } }
    merge(lists.filter { !$0.value.isEmpty }) { $1 }
    merge(switches.filter(\.value).mapValues { _ in ["true"] }) { $1 }
  }
}
