import ArgumentParser
import Files
import Pages
import Pipeline
import ReportFolder
import Steps
import Storage
import Tables

/// The options of `report`, as a plan has them.
struct StepSettings {
  /// The options as a plan carries them.
  let bytes: [UInt8]
  private let call: RecordedCall
  private let optionFiles: OptionFiles
  private let running: [SettingKey: Settings.Value]
  /// The entries of `[accept]`, which no manifest has either.
  private let accepted: [ExactText: ConfigFile.PlacedText]

  /// The settings of report that steps do not obey.
  private static let unsupported: Set<SettingKey> = [
    .evidence, .anonymizeKey, .changes, .openmetrics,
  ]

  /// The settings that no manifest has, but steps obey.
  private static let running: [SettingKey] = [
    .memory, .strict, .failIf, .maxRejects, .brief, .quiet, .verbose, .ledger,
  ]

  /// Reads the arguments of `report`; refuses settings that steps do not support.
  init(ofReport arguments: [String]) throws {
    let report: Report
    do {
      // A folder, because report needs one; only finish writes it.
      report = try Report.parse(arguments + ["--output", "out"])
    } catch {
      let message = UsageMessage(arguments: ["report"] + arguments)
      throw UsageError(message.line(Report.message(for: error)))
    }
    let settings = try report.settings()
    if settings.text(.cache) != nil {
      throw UsageError("\(settings.origin(.cache)): of steps, only files and cache take a cache")
    }
    for key in SettingKey.stored where Self.unsupported.contains(key) {
      guard settings[key]?.texts.isEmpty == false, settings.text(key) != "false" else { continue }
      throw UsageError("\(settings.origin(key)): steps do not support it yet")
    }
    _ = try settings.memory()
    call = try settings.recorded()
    optionFiles = settings.optionFiles
    let manifest = Manifest(version: Subreport.version, call: call, inputs: [], outputs: [])
    var running = settings.values(of: Self.running)
    if report.output.brief { running[.brief] = Settings.Value(texts: ["true"], origin: "plan") }
    self.running = running
    accepted = settings.sections[.accept] ?? [:]
    let entries = settings.entries(.accept).map { key, value in
      StepOptions.Running(
        key: ConfigFile.Section.accept.rawValue,
        texts: [key, value.text, value.path, String(value.line)])
    }
    bytes =
      StepOptions(
        text: Array(manifest.text.utf8), files: try Self.files(settings),
        running: running.map { .init(key: $0.key.rawValue, texts: $0.value.texts) } + entries
      ).bytes
  }

  /// Returns the files that options name, by the paths that pages show.
  private static func files(_ settings: Settings) throws -> [StepOptions.File] {
    var files: [StepOptions.File] = []
    for key in SettingKey.stored where Settings.recordedFiles.contains(key) {
      for path in settings.list(key) {
        guard let bytes = settings.optionFiles.bytes(path) else { continue }
        let file = StepOptions.File(path: Settings.shown(path), bytes: bytes)
        guard files.allSatisfy({ !$0.path.isSame(as: file.path) || $0.bytes == file.bytes }) else {
          throw UsageError("steps do not support two files of options with the name \(file.path)")
        }
        files.append(file)
      }
    }
    return files
  }

  /// Reads the options in a plan.
  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let options = try StepOptions(bytes)
    optionFiles = OptionFiles(options.files.map { ($0.path, $0.bytes) })
    running = options.running.reduce(into: [:]) { values, entry in
      guard let key = SettingKey(rawValue: entry.key) else { return }
      values[key] = Settings.Value(texts: entry.texts, origin: "command line")
    }
    accepted = options.running.reduce(into: [:]) { entries, entry in
      guard entry.key == ConfigFile.Section.accept.rawValue, entry.texts.count == 4 else { return }
      let (text, path) = (entry.texts[1], entry.texts[2])
      entries[ExactText(entry.texts[0])] = .init(
        text: text, path: path, line: Int(entry.texts[3]) ?? 1)
    }
    do throws(ManifestError) {
      call = try Manifest(options.text).call
    } catch {
      throw StepError(.damaged, "found a plan whose options cannot be read: \(error.message)")
    }
  }

  /// Returns the run of a plan's options.
  static func plan(_ bytes: [UInt8]) throws -> RunPlan {
    try StepSettings(bytes).command(jobs: 1).reportPlan("")
  }

  private func command(jobs: Int?) throws -> RunCommand {
    var values = running
    values[.jobs] = jobs.map { Settings.Value(texts: [String($0)], origin: "plan") }
    let running = Settings(
      values: values, sections: [.accept: accepted], configPath: nil, optionFiles: optionFiles)
    let settings = try Settings(
      repeating: call, inputs: call.arguments, files: call.paths, running: running,
      keys: Settings.runningKeys + Self.running, origin: "command line")
    return try RunCommand(ofReport: settings)
  }

  /// Returns what writes the folder of a result, as report does, with the ledger locked.
  func run(at folder: String) throws -> Run {
    let command = try command(jobs: nil)
    let ledger = try command.settings.file(.ledger, outside: folder, refusesInputs: true).map {
      try RunLedger($0, command.console)
    }
    return Run(command: command, ledger: ledger)
  }

  /// A run whose last step is this one.
  struct Run {
    let command: RunCommand
    let ledger: RunLedger?

    /// Writes the folder; throws the exit code of findings.
    func write(_ result: RunResult, to writer: consuming OutputFolder, at folder: String) throws {
      for note in writer.notes { command.console.note(note) }
      for line in writer.leftovers { command.console.error(line) }
      try command.report(result)
      do {
        let reasons = try command.write(
          result, to: writer, at: folder, ledger: ledger,
          isBrief: command.settings.text(.brief) != nil)
        try command.exit(reasons)
      } catch {
        try command.exit(command.reasons(of: error))
      }
    }
  }
}
