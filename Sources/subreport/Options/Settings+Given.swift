import Pipeline

extension Settings {
  /// The settings that name a file on which numbers depend.
  static let files: Set<SettingKey> = [
    .rates, .identities, .rootCertificate, .priceChanges, .regions, .commissions,
  ]

  /// The inputs and the options that numbers depend on, for the commands below the figures of a page.
  ///
  /// Views are left out: each figure has its own.
  var given: GivenOptions {
    let keys = SettingKey.stored.filter { key in
      // Rates without a currency are refused on the command line.
      guard key != .by, key != .rates || text(.currency) != nil else { return false }
      return key.setting.decidesNumbers || Self.files.contains(key)
    }
    var options = keys.compactMap(option)
    if let configPath {
      let all = Set(CommandName.allCases.map(\.rawValue))
      options.append(GivenOptions.Option("--config", [Self.shown(configPath)], commands: all))
    }
    return GivenOptions(inputs: list(.inputs).map(Self.shown), options: options)
  }

  /// Returns a path without the folders of this machine, which no page shows: `reports` of `/home/jane/reports`.
  static func shown(_ path: String) -> String {
    guard path.hasPrefix("/") else { return path }
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns a setting as an option; `nil` for one that is not set.
  private func option(_ key: SettingKey) -> GivenOptions.Option? {
    let texts = list(key)
    guard !texts.isEmpty else { return nil }
    let commands = Set(key.setting.commands.map(\.rawValue))
    switch key.setting.shape {
    case .flag:
      guard (try? flag(key)) == true else { return nil }
      return GivenOptions.Option(key.optionName, [], commands: commands)
    case .list:
      let values = Self.files.contains(key) ? texts.map(Self.shown) : texts
      return GivenOptions.Option(key.optionName, values, commands: commands)
    case .text, .whole:
      let isFile = Self.files.contains(key)
      let values = texts.suffix(1).map { isFile ? Self.shown($0) : $0 }
      return GivenOptions.Option(key.optionName, values, commands: commands)
    }
  }
}
