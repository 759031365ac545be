import ArgumentParser
import Pages
import Pipeline
import ReportFolder
import Storage

/// The settings in `manifest.json`, and settings made from them.
extension Settings {
  /// The settings that name a file on which the bytes of a report depend.
  ///
  /// Planned prices are in no command on a page, but in a table of their own.
  static let recordedFiles = files.union([.plan])

  /// The sections of the config file on which the bytes of a report depend.
  private static let recordedSections = ConfigFile.Section.allCases.filter {
    $0 != .accounts && $0 != .accept
  }

  /// Returns all that the bytes of a report depend on besides its inputs: no folders of this machine, no threads.
  func recorded() throws -> RecordedCall {
    var call = RecordedCall()
    call.arguments = list(.inputs).map(Self.shown)
    call.config = configPath.map(Self.shown)
    call.options = SettingKey.stored.filter(\.setting.decidesNumbers).compactMap { key in
      guard let texts = self[key]?.texts else { return nil }
      let isList = key.setting.shape == .list
      return .init(key.rawValue, isList ? .list(texts) : .text(texts.last ?? ""))
    }
    if try flag(.evidence), text(.anonymizeKey) != nil {
      // That there was a secret, without the secret itself.
      call.options.append(.init(SettingKey.anonymizeKey.rawValue, .text("(hidden)")))
    }
    call.sections = Self.recordedSections.compactMap { section in
      let entries = entries(section).map { RecordedCall.Section.Entry($0.key, $0.value.text) }
      guard !entries.isEmpty else { return nil }
      return .init(section.rawValue, entries.sorted { $0.key.precedes($1.key) })
    }
    for key in SettingKey.stored where Self.recordedFiles.contains(key) {
      guard key != .rates || text(.currency) != nil else { continue }
      let isRead = try key != .rootCertificate || flag(.verify)
      for path in key.setting.shape == .list ? list(key) : list(key).suffix(1) {
        // Certificates are named on pages even where they check nothing.
        let bytes = isRead ? try optionFiles.bytes(path, expecting: "a file") : nil
        call.files.append(.init(key.rawValue, Self.shown(path), bytes.map { sha256(of: $0) } ?? ""))
      }
    }
    return call
  }

  static let runningKeys: [SettingKey] = [.jobs, .memory, .progress, .quiet, .verbose]

  /// Returns the settings among these that are set.
  func values(of keys: [SettingKey]) -> [SettingKey: Value] {
    keys.reduce(into: [:]) { $0[$1] = self[$1] }
  }

  /// Creates the settings of a run that a manifest records.
  ///
  /// `paths` are those of the option files, for each in the order of the record. Of `running`, which do not decide
  /// numbers, `keys` count and what the user accepts. `origin` is the manifest, for messages.
  init(
    repeating call: RecordedCall, inputs: [String], files paths: [SettingKey: [String]],
    running: Settings, keys: [SettingKey] = Settings.runningKeys, origin: String
  ) throws(UsageError) {
    var values = running.values(of: keys)
    values[.inputs] = Value(texts: inputs, origin: origin)
    for option in call.options {
      let key = SettingKey(rawValue: option.name)
      guard key != .anonymizeKey else {
        values[.anonymizeKey] = running[.anonymizeKey]
        continue
      }
      guard let key, key.setting.decidesNumbers else {
        throw UsageError("found the option \"\(option.name)\", which no report records")
      }
      let texts =
        switch option.value {
        case .text(let text): [text]
        case .list(let texts): texts
        }
      values[key] = Value(texts: texts, origin: origin)
    }
    for (key, paths) in paths { values[key] = Value(texts: paths, origin: origin) }
    var sections: [ConfigFile.Section: [ExactText: ConfigFile.PlacedText]] = [:]
    for section in call.sections {
      guard let name = ConfigFile.Section(rawValue: section.name) else {
        throw UsageError("found the section \"\(section.name)\", which no report records")
      }
      for entry in section.entries {
        let text = ConfigFile.PlacedText(text: entry.text, path: origin, line: 1)
        sections[name, default: [:]][entry.key] = text
      }
    }
    sections[.accept] = running.sections[.accept]
    self.init(
      values: values, sections: sections, configPath: call.config,
      optionFiles: running.optionFiles)
  }

  /// Returns the settings without some, and without those that need them.
  func without(_ keys: Set<SettingKey>) -> Settings {
    let kept = SettingKey.allCases.filter { key in
      !keys.contains(key) && key.setting.needs.map { !keys.contains($0) } != false
    }
    let values = kept.compactMap { key in self[key].map { (key, $0) } }
    return Settings(
      values: Dictionary(uniqueKeysWithValues: values), sections: sections,
      configPath: configPath, optionFiles: optionFiles)
  }
}
