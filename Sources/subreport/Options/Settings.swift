import ArgumentParser
import Files
import Pipeline
import ReportCache
import Scanning
import Storage
import SubscriptionModel

/// The settings in force.
///
/// Flags override the environment, which overrides the project's file, which overrides the user's.
struct Settings {
  /// A value and its origin.
  struct Value: Equatable {
    var texts: [String]
    var origin: String
  }

  private var values: [SettingKey: Value] = [:]
  /// The `--config` file; `nil` for the usual ones.
  let configPath: String?
  /// The tables of the config files whose keys the user chooses.
  private(set) var sections: [ConfigFile.Section: [ExactText: ConfigFile.PlacedText]] = [:]
  /// The settings of `fetch` in the config files.
  private(set) var fetch: [ConfigFile.FetchPlace: Value] = [:]
  /// Reads the files that settings name.
  let optionFiles: OptionFiles

  /// Creates settings from values alone, whatever the environment and the config files say.
  ///
  /// The `--config` file is for pages; it is not read.
  init(
    values: [SettingKey: Value], sections: [ConfigFile.Section: [ExactText: ConfigFile.PlacedText]],
    configPath: String?, optionFiles: OptionFiles
  ) {
    self.values = values
    self.sections = sections
    self.configPath = configPath
    self.optionFiles = optionFiles
  }

  /// Creates settings from the config files, the environment and the command line; a `--config` file replaces the
  /// others.
  init(flags: [SettingKey: [String]], configPath: String?) throws(UsageError) {
    self.configPath = configPath
    optionFiles = OptionFiles()
    for path in Self.configPaths(configPath) {
      try read(path, isRequired: configPath != nil)
    }
    for key in SettingKey.stored {
      guard let text = Self.environment(key.variable) else { continue }
      let isList = key.setting.shape == .list
      let texts = isList ? text.split(separator: ";").map(String.init) : [text]
      values[key] = Value(texts: texts, origin: key.variable)
    }
    for (key, texts) in flags { values[key] = Value(texts: texts, origin: "command line") }
    // The only setting that depends on the clock; pages and the manifest have the day.
    if text(.through) == "yesterday" { values[.through]?.texts = [Self.yesterday.description] }
    if let text = text(.logFormat) {
      let format: LogFormat = try value("form of messages", text, .logFormat)
      Console.log(as: format)
    }
  }

  /// Creates the settings of a config file alone.
  init(of file: ConfigFile) {
    configPath = nil
    optionFiles = OptionFiles()
    merge(file)
  }

  /// The day before today in Pacific Time.
  private static var yesterday: Day {
    Instant(seconds: UInt32(clamping: FileStatus.now / 1_000_000_000)).pacificDay - 1
  }

  /// Creates the settings of a command whose only settings on the command line are the format and that of messages.
  init(format: String?, logFormat: String? = nil) throws(UsageError) {
    var flags: [SettingKey: [String]] = [:]
    flags[.format] = format.map { [$0] }
    flags[.logFormat] = logFormat.map { [$0] }
    try self.init(flags: flags, configPath: nil)
  }

  /// The value of a setting; `nil` when it is not set.
  subscript(key: SettingKey) -> Value? { values[key] }

  /// Returns the cache; `nil` if none is set.
  func cache() throws(OutputError) -> ExtractCache? {
    guard let path = text(.cache) else { return nil }
    return try ExtractCache(path: path, version: Subreport.version)
  }

  /// Returns the limit of memory, from a size such as 512M or 2G; `nil` if none is set.
  func memory() throws -> MemoryLimit? {
    guard let text = text(.memory) else { return nil }
    let shift = ["M": 20, "G": 30][text.suffix(1).uppercased()]
    guard let shift, let number = Int(text.dropLast()), number <= Int.max >> shift,
      number << shift >= 128 << 20
    else {
      throw UsageError(
        "\(origin(.memory)) \(text): use a size of at least 128M, such as 512M or 2G")
    }
    return try MemoryLimit(bytes: number << shift, folder: TemporaryFile.folder)
  }

  /// Returns the keys of a config table with their texts, by file and line.
  func entries(
    _ section: ConfigFile.Section
  ) -> [(key: String, value: ConfigFile.PlacedText)] {
    (sections[section] ?? [:]).sorted {
      ($0.value.path, $0.value.line, $0.key) < ($1.value.path, $1.value.line, $1.key)
    }.map { ($0.key.text, $0.value) }
  }

  func list(_ key: SettingKey) -> [String] { values[key]?.texts ?? [] }

  func text(_ key: SettingKey) -> String? { values[key]?.texts.last }

  func flag(_ key: SettingKey) throws(UsageError) -> Bool {
    let text = text(key) ?? key.setting.unset
    switch text {
    case "true", "1", "yes": return true
    case "false", "0", "no": return false
    default: throw UsageError("\(origin(key)) \(text): use true or false")
    }
  }

  func whole(_ key: SettingKey, atLeast least: Int) throws(UsageError) -> Int? {
    guard let text = text(key) else { return nil }
    guard !UsageMessage.isNegative(text) else {
      throw UsageError("\(origin(key)) \(text): it cannot be negative")
    }
    guard let number = Int(text), number >= least else {
      throw UsageError("\(origin(key)) \(text): use a whole number of at least \(least)")
    }
    return number
  }

  /// Returns the origin of a setting with its name, for messages.
  func origin(_ key: SettingKey) -> String {
    guard let origin = values[key]?.origin, origin != "command line" else { return key.optionName }
    return "\(origin): \(key.rawValue)"
  }

  func isOnCommandLine(_ key: SettingKey) -> Bool { values[key]?.origin == "command line" }

  // MARK: Files

  /// Writes messages as the command line and the environment say, before an error in the settings is one.
  static func logEarly() {
    let words = CommandLine.words
    let option = SettingKey.logFormat.optionName
    let asked =
      words.firstIndex(of: option).flatMap { words.dropFirst($0 + 1).first }
      ?? words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
      ?? environment(SettingKey.logFormat.variable)
    Console.log(as: asked.flatMap(LogFormat.init) ?? .text)
  }

  static func environment(_ name: String) -> String? {
    SystemProcess.environment(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A note for each environment variable that is like one of a setting, such as `SUBREPORT_COUNTY`.
  ///
  /// Found on Linux alone, which lists the variables of a process in a file.
  static var unknownVariables: [String] {
    let prefix = "SUBREPORT_"
    let bytes = OutputFileSystem.contents(of: "/proc/self/environ") ?? []
    let names = bytes.split(separator: 0).map {
      String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
    let known =
      SettingKey.stored.map(\.variable) + FetchSettingKey.allCases.compactMap(\.variable)
    return names.sorted().filter { $0.hasPrefix(prefix) && !known.contains($0) }.compactMap {
      name in
      let near = Nearest.words(
        to: String(name.dropFirst(prefix.count)),
        among: known.map { $0.dropFirst(prefix.count) }.map(String.init))
      return near.first.map { "note: \(name) is no setting; did you mean \(prefix + $0)?" }
    }
  }

  /// Returns the paths of the config files, the weakest first.
  private static func configPaths(_ given: String?) -> [String] {
    if let given { return [given] }
    let home = environment("HOME").map { $0 + "/.config" }
    let folder = environment("XDG_CONFIG_HOME") ?? home
    return (folder.map { [$0 + "/subreport/subreport.toml"] } ?? []) + ["subreport.toml"]
  }

  private mutating func read(_ path: String, isRequired: Bool) throws(UsageError) {
    guard let bytes = OutputFileSystem.contents(ofOption: path) else {
      guard isRequired || FileStatus(of: path) != nil else { return }
      throw UsageError(
        "\(path): cannot read the config file: \(OutputFileSystem.whyUnreadable(path))")
    }
    try merge(ConfigFile(bytes, path: path))
  }

  /// Adds a config file, whose values override those read before.
  private mutating func merge(_ file: ConfigFile) {
    for (key, texts) in file.values { values[key] = Value(texts: texts, origin: file.path) }
    // Accounts are those of the strongest file that has any.
    if file.fetch.keys.contains(where: { $0.account != nil }) {
      fetch = fetch.filter { $0.key.account == nil }
    }
    fetch.merge(file.fetch) { $1 }
    sections.merge(file.sections) { $0.merging($1) { $1 } }
  }
}

/// An error in flags, environment or config: exit code 64.
typealias UsageError = ValidationError

extension Settings {
  /// The settings that name a file on which numbers depend.
  static let files: Set<SettingKey> = [
    .rates, .identities, .rootCertificate, .priceChanges, .regions, .commissions,
  ]

  /// The inputs and the options that numbers depend on, for the commands below the figures of a page.
  ///
  /// Views are left out: each figure has its own.
  var given: GivenOptions { given(Self.shown) }

  /// Returns the inputs and the options with paths as `path` writes them.
  func given(_ path: (String) -> String) -> GivenOptions {
    let keys = SettingKey.stored.filter { key in
      // Rates without a currency are refused on the command line.
      guard key != .by, key != .rates || text(.currency) != nil else { return false }
      return key.setting.decidesNumbers || Self.files.contains(key)
    }
    var options = keys.compactMap { option($0, path) }
    if let configPath {
      let all = Set(CommandName.allCases.map(\.rawValue))
      options.append(GivenOptions.Option("--config", [path(configPath)], commands: all))
    }
    return GivenOptions(inputs: list(.inputs).map(path), options: options)
  }

  /// Returns a path without the folders of this machine, which no page shows: `reports` of `/home/jane/reports`.
  static func shown(_ path: String) -> String {
    guard path.hasPrefix("/") else { return path }
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns a setting as an option, with paths as `path` writes them; `nil` for one that is not set.
  private func option(_ key: SettingKey, _ path: (String) -> String) -> GivenOptions.Option? {
    let texts = list(key)
    guard !texts.isEmpty else { return nil }
    let commands = Set(key.setting.commands.map(\.rawValue))
    switch key.setting.shape {
    case .flag:
      guard (try? flag(key)) == true else { return nil }
      return GivenOptions.Option(key.optionName, [], commands: commands)
    case .list:
      let values = Self.files.contains(key) ? texts.map(path) : texts
      return GivenOptions.Option(key.optionName, values, commands: commands)
    case .text, .whole:
      let isFile = Self.files.contains(key)
      let values = texts.suffix(1).map { isFile ? path($0) : $0 }
      return GivenOptions.Option(key.optionName, values, commands: commands)
    }
  }
}

/// The small files that options name, such as exchange rates.
///
/// Each is read once, so that its hash is that of the bytes that were used.
final class OptionFiles {
  private var contents: [ExactText: [UInt8]] = [:]

  /// Creates the files of a command line.
  init() {}

  /// Creates files whose bytes were read elsewhere.
  init(_ files: [(path: String, bytes: [UInt8])]) {
    contents = Dictionary(files.map { (ExactText($0.path), $0.bytes) }) { $1 }
  }

  /// Returns the bytes of a file; `nil` when it cannot be read.
  func bytes(_ path: String) -> [UInt8]? {
    if let bytes = contents[path] { return bytes }
    let bytes = OutputFileSystem.contents(ofOption: path)
    contents[path] = bytes
    return bytes
  }

  /// Returns the bytes of a file; the error about one that cannot be read says what contents were expected.
  func bytes(_ path: String, expecting contents: String) throws(InputFailure) -> [UInt8] {
    if let bytes = bytes(path) { return bytes }
    throw InputFailure(
      "\(path): error: found no readable file (\(OutputFileSystem.whyUnreadable(path))), expected \(contents) [cannot-open]"
    )
  }

  /// Reads a CSV file; `columns` are those that it should have, for a message.
  func table<Value>(
    _ path: String, columns: String, _ read: (String, String) throws(TableError) -> Value
  ) throws(InputFailure) -> Value {
    let bytes = try bytes(path, expecting: "CSV \(columns)")
    do throws(TableError) {
      return try read(String(decoding: bytes, as: UTF8.self), path)
    } catch {
      throw InputFailure(error.message)
    }
  }
}
