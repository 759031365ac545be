import ArgumentParser

/// Options whose values are settings: a group by subject, or all that a command takes.
protocol SettingOptions: ParsableArguments {
  /// What the command line says in options of this type.
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

  /// What the command line says, by setting.
  var flags: [SettingKey: [String]] { groups.reduce(own) { $0.merging($1.flags) { $1 } } }
}

/// All options of a command that are settings; impossible values are refused before anything is read.
protocol CommandOptions: SettingOptions {}

extension CommandOptions {
  func validate() throws { try settings().validate() }

  /// The settings in force.
  func settings() throws(UsageError) -> Settings {
    try Settings(flags: flags, configPath: configPath)
  }
}

extension [SettingKey: [String]] {
  /// Makes settings of options; those that were not given are left out.
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
