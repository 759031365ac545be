import ArgumentParser
import Files
import Pages
import Pipeline
import Rendering
import ReportFolder
import Tables

/// A folder that `report` wrote, compared with its manifest.
struct RecordedFolder {
  /// The extent of the comparison with the manifest.
  private enum Extent {
    /// The folder alone, for this reason.
    case folder(String)
    /// The inputs too, but the run was not repeated for this reason.
    case inputs(String)
    case run
  }

  private let path: String
  private let manifest: Manifest
  private let console: Console
  private var differences: [Difference] = []
  private var extent = Extent.folder("no input was named")
  /// Reasons for the exit code besides differences.
  private var failures: Set<ExitReason> = []

  /// Reads the manifest of a folder, and compares the folder with it; ends the command without a manifest.
  init(_ path: String, _ console: Console) throws {
    self.path = path
    self.console = console
    let file = path + "/" + OutputListing.manifestName
    if FileStatus(of: path)?.kind == .file {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      let root = path.hasPrefix("/") ? "/" : ""
      throw console.failure(
        "\(path): error: found a file, expected the folder of report -o; try subreport verify \(folder.isEmpty ? root + "." : root + folder) [cannot-open]"
      )
    }
    guard let bytes = OutputFileSystem.contents(of: file) else {
      throw console.failure(
        "\(file): error: found no readable file (\(OutputFileSystem.whyUnreadable(file))), expected the list of files that report writes; name the folder of report -o [cannot-open]"
      )
    }
    do throws(ManifestError) {
      manifest = try Manifest(bytes)
    } catch {
      throw Self.badManifest("\(file):\(error.line)", error.message, console)
    }
    differences = try manifest.differences(
      of: path, bytes, isOfThisProgram: manifest.isOfThisProgram)
  }

  private static func badManifest(
    _ place: String, _ message: String, _ console: Console
  ) -> ExitCode {
    console.failure("\(place): error: \(message); the folder cannot be verified [bad-manifest]")
  }

  // MARK: The run

  /// Compares inputs with those of the manifest, and repeats the run if they are the same.
  ///
  /// `running` are the settings for the use of the machine, `given` those of the command line, with the files of its
  /// options.
  mutating func compare(
    _ inputs: [String], _ running: Settings, given: [SettingKey: [String]]
  ) throws {
    let inputs = inputs.filter { isThere($0) }
    guard !inputs.isEmpty else {
      extent = .folder("no input is there")
      return
    }
    let (files, lost) = locate(running.optionFiles, given)
    let ledger = try locateLedger(given[.ledger]?.last)
    let lacksLedger = manifest.ledger != nil && ledger == nil
    let lacksKey = manifest.call.hasKey && running.text(.anonymizeKey) == nil
    if lacksKey { differences.append(.keyMissing) }
    let command = try command(inputs, files: files, without: lost, running)
    let result = try command.carryOut(try command.reportPlan(path))
    for error in result.inputErrors {
      console.error("\(error.path): error: \(error.message) [\(error.code)]", path: error.path)
      failures.insert(.unusableInput)
    }
    if let text = result.internalError {
      console.error(text)
      failures.insert(.internalError)
    }
    let ofInputs = manifest.differences(ofInputs: Manifest.inputs(result))
    differences += ofInputs
    guard ofInputs.isEmpty, lost.isEmpty, !lacksLedger, !lacksKey else {
      let ofLedger = differences.last(where: \.isOfLedger)?.kind ?? "the ledger differs"
      let others = lacksKey ? "anonymize_key is not set" : ofLedger
      let ofOptions = lost.isEmpty ? others : "files of options differ"
      extent = .inputs(ofInputs.isEmpty ? ofOptions : "inputs differ")
      return
    }
    guard result.hasUsableInput, result.unmatchedFilters.isEmpty, result.emptyCombination == nil
    else {
      extent = .inputs("these inputs give no table")
      failures.insert(.unusableInput)
      return
    }
    try computeAgain(result, command, ledger)
  }

  /// Makes the files of the run once more, and compares them.
  private mutating func computeAgain(
    _ result: RunResult, _ command: RunCommand, _ ledger: LedgerBefore?
  ) throws {
    do {
      let (_, files, evidence) = try command.reportFiles(result, manifest.call, ledger)
      differences += manifest.differences(of: files, in: path)
      failures.formUnion(command.noteFailures(of: evidence))
      extent = .run
    } catch let error as ConversionError {
      console.error(error.line(command.settings.text(.rates)))
      extent = .inputs("a rate is missing")
      failures.insert(.unusableInput)
    } catch let error as KeptCharges.LineError {
      console.error(error.line)
      extent = .inputs("an input has changed meanwhile")
      failures.insert(.unusableInput)
    }
  }

  /// Returns whether an input exists; prints an error if not.
  private mutating func isThere(_ input: String) -> Bool {
    if input == "-" || FileStatus(of: input) != nil { return true }
    console.error(
      "\(input): error: found no file or folder (\(OutputFileSystem.whyUnreadable(input))), expected an input of the run [cannot-open]"
    )
    failures.insert(.unusableInput)
    return false
  }

  /// Creates the command of the recorded run; an error in the record is one of the manifest.
  private func command(
    _ inputs: [String], files: [SettingKey: [String]], without lost: Set<SettingKey>,
    _ running: Settings
  ) throws -> RunCommand {
    try running.validateMachine()
    let origin = path + "/" + OutputListing.manifestName
    do {
      let settings = try Settings(
        repeating: manifest.call, inputs: inputs, files: files, running: running, origin: origin)
      let found = lost.isEmpty ? settings : settings.without(lost)
      try found.validate()
      // Pages show the inputs and options of the record, wherever the files are now.
      let shown = try Settings(repeating: manifest, running: running, origin: origin).given
      return try RunCommand(ofReport: found, given: shown)
    } catch let error as UsageError {
      throw Self.badManifest(origin, error.message, console)
    }
  }

  /// Finds the files of options by their hashes; `lost` are the options of which a file is missing or changed.
  private mutating func locate(
    _ optionFiles: OptionFiles, _ given: [SettingKey: [String]]
  ) -> (files: [SettingKey: [String]], lost: Set<SettingKey>) {
    var files: [SettingKey: [String]] = [:]
    var lost: Set<SettingKey> = []
    for file in manifest.call.files {
      guard let key = SettingKey(rawValue: file.option), Settings.recordedFiles.contains(key)
      else { continue }
      // A certificate that checked nothing was not read.
      guard !file.sha256.isEmpty else {
        files[key, default: []].append(file.path)
        continue
      }
      let read = (given[key] ?? [file.path]).compactMap { path in
        optionFiles.bytes(path).map { (path: path, hash: sha256(of: $0)) }
      }
      if let same = read.first(where: { $0.hash == file.sha256 }) {
        files[key, default: []].append(same.path)
      } else {
        lost.insert(key)
        differences.append(
          read.first.map {
            .optionFileChanged(file, option: key.optionName, found: $0.hash)
          }
            ?? .optionFileMissing(
              file, option: key.optionName,
              found: Self.missing((given[key] ?? [file.path]).last ?? file.path)))
      }
    }
    return (files, lost)
  }

  /// Reads the part of the ledger that the run read; `nil` without a ledger, or with another one.
  ///
  /// `given` is the file of `--ledger`; without it, the name in the manifest counts.
  private mutating func locateLedger(_ given: String?) throws -> LedgerBefore? {
    guard let part = manifest.ledger else {
      guard given == nil else {
        throw UsageError("--ledger \(given ?? ""): \(path) was written without a ledger")
      }
      return nil
    }
    // A first run has read no line, so that there is nothing to compare.
    if part == Ledger.Part(path: part.path, length: 0, sha256: sha256(of: [])) {
      return LedgerBefore(LedgerState(), part)
    }
    let file = given ?? ledgerPath(part.path)
    guard let ledger = Ledger(file, length: part.length) else {
      let isThere = FileStatus(of: file)?.kind == .file
      differences.append(
        isThere
          ? .ledgerChanged(part, found: nil) : .ledgerMissing(part, found: Self.missing(file)))
      return nil
    }
    guard ledger.sha256 == part.sha256 else {
      differences.append(.ledgerChanged(part, found: ledger.sha256))
      return nil
    }
    let state = try RunLedger.reading(file) { () throws(LedgerError) in try ledger.state() }
    return LedgerBefore(state, part)
  }

  /// Returns where the ledger is: under the name that the manifest has, or else beside the folder.
  ///
  /// The name of the manifest is that in the working folder of the run, or the last part of an absolute path.
  private func ledgerPath(_ recorded: String) -> String {
    guard FileStatus(of: recorded) == nil, !recorded.hasPrefix("/") else { return recorded }
    let resolved = OutputFileSystem.resolved(path) ?? path
    let parent = resolved.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    let last = recorded.split(separator: "/").last.map(String.init) ?? recorded
    return [recorded, last].map { parent + "/" + $0 }.first { FileStatus(of: $0) != nil }
      ?? recorded
  }

  /// Returns why a file was not read: `not found`, or `not read (permission denied as user subreport)`.
  private static func missing(_ path: String) -> String {
    let why = OutputFileSystem.whyUnreadable(path)
    return why == OutputFileSystem.notThere ? "not found" : "not read (\(why))"
  }

  // MARK: Printing

  var reasons: Set<ExitReason> {
    differences.isEmpty ? failures : failures.union([.failIf])
  }

  /// How many differences of a kind are printed without `--verbose`; more are counted.
  private static let shownDifferences = 5

  /// The lines to print: another version, the differences, and the extent of the comparison, which `--quiet` leaves out.
  var lines: [String] {
    (manifest.isOfThisProgram ? [] : ["\(path): \(manifest.otherVersionText)"])
      + differenceLines + (console.isQuiet ? [] : [closingLine])
  }

  /// One line for each difference; of many of one kind the first ones, and how many more there are.
  private var differenceLines: [String] {
    let all = differences.map { (kind: $0.kind, line: $0.line(path)) }
    guard !console.isVerbose else { return all.map(\.line) }
    var counts: [String: Int] = [:]
    var lines: [String] = []
    for (kind, line) in all {
      counts[kind, default: 0] += 1
      if counts[kind, default: 0] <= Self.shownDifferences { lines.append(line) }
    }
    let more = counts.filter { $0.value > Self.shownDifferences }.sorted { $0.key < $1.key }
    return lines
      + more.map { kind, count in
        "… and \(counted(count - Self.shownDifferences, "more difference")) of this kind: \(kind); -v prints each"
      }
  }

  private var closingLine: String {
    let count = differences.count
    let found = count == 0 ? "no difference" : counted(count, "difference")
    let outputs = counted(manifest.outputs.count, "file")
    let inputs = counted(manifest.inputs.count, "input")
    return switch extent {
    case .folder(let reason):
      "\(path): \(found) in \(outputs); only the folder was compared with its manifest, because \(reason)"
    case .inputs(let reason):
      "\(path): \(found) in \(outputs) and \(inputs); not computed again, because \(reason)"
    case .run: "\(path): \(found) in \(outputs) and \(inputs); computed again from the inputs"
    }
  }
}

extension RecordedCall {
  /// Whether the run named subscriptions by a secret, which the manifest does not have.
  fileprivate var hasKey: Bool { options.contains { $0.name == SettingKey.anonymizeKey.rawValue } }

  /// The paths of the files that options named, in their order.
  var paths: [SettingKey: [String]] {
    files.reduce(into: [:]) { paths, file in
      guard let key = SettingKey(rawValue: file.option) else { return }
      paths[key, default: []].append(file.path)
    }
  }
}

extension Manifest {
  /// Whether this version of the program wrote the folder.
  fileprivate var isOfThisProgram: Bool {
    version == Subreport.version && definitions == Self.definitionVersion
      && schema == Self.schemaVersion
  }

  /// A sentence about the other version.
  fileprivate var otherVersionText: String {
    let own = Self.name(Subreport.version, Self.definitionVersion, Self.schemaVersion)
    let other = Self.name(version, definitions, schema)
    let wanted =
      version == Subreport.version
      ? "a subreport with definitions \(definitions) and schema \(schema)" : "subreport \(version)"
    return
      "written by \(other); this is \(own), which may compute other bytes: verify with \(wanted)"
  }

  private static func name(_ version: String, _ definitions: Int, _ schema: Int) -> String {
    "subreport \(version) with definitions \(definitions) and schema \(schema)"
  }
}

extension Settings {
  /// Returns the settings of the run that wrote a folder, with its inputs and files wherever they are now.
  init(repeating manifest: Manifest, running: Settings, origin: String) throws(UsageError) {
    try self.init(
      repeating: manifest.call, inputs: manifest.call.arguments, files: manifest.call.paths,
      running: running, origin: origin)
  }
}
