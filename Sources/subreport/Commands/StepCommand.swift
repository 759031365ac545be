import ArgumentParser
import Files
import Pages
import Pipeline
import ReportFolder
import Scanning
import Steps
import Tables
import Threads

/// `subreport step`.
struct StepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "step",
    abstract: "Run one step of report, for a run that is divided among machines.",
    discussion: discussion(
      """
      Each step reads frames on standard input and writes frames on standard output; the last one \
      writes the folder of report, byte for byte. docs/scale.md has the order of the steps, the \
      format of frames, and what steps do not support yet.
      """,
      HelpExample("The files of a folder, as frames for scout and extract:", "step files reports"),
      HelpExample("Only those of one task:", "step files reports/sales")),
    subcommands: [
      StepFiles.self, StepPick.self, StepScout.self, StepPlan.self, StepExtract.self,
      StepJoin.self, StepDivide.self, StepFold.self, StepMerge.self, StepFinish.self,
    ])
}

/// `subreport step pick`.
struct StepPick: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pick", abstract: "Frames → those of one kind, or of one partition.")

  @Argument(help: ArgumentHelp("The kind, such as files or charges.", valueName: "kind"))
  var kind: String?

  @Option(help: ArgumentHelp("Only frames of this partition.", valueName: "n"))
  var partition: Int?

  func validate() throws {
    guard let kind else {
      guard partition == nil else { return }
      throw UsageError("step pick needs a kind of frames, or --partition")
    }
    guard Frame.Kind(rawValue: kind) == nil else { return }
    throw UsageError(
      "step pick \(kind): \(Nearest.advice(kind, among: Frame.Kind.allCases.map(\.rawValue)))")
  }

  func run() throws {
    try withStepErrors {
      var frames = standardInput
      while let frame = try frames.next() {
        guard kind == nil || frame.label.kind.rawValue == kind,
          partition == nil || frame.label.partition == partition
        else { continue }
        try write([frame])
      }
    }
  }
}

/// `subreport step files`.
struct StepFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "files", abstract: "Write the files of a folder as frames.")

  @Argument(help: ArgumentHelp("Files and folders.", valueName: "input"), completion: .file())
  var inputs: [String]

  func run() throws {
    try withStepErrors {
      let (files, errors) = InputListing.list(inputs)
      for error in errors {
        Console.standard.error("\(error.path): error: \(error.message) [\(error.code)]")
      }
      guard errors.isEmpty else { throw ExitCode(ExitReason.unusableInput.rawValue) }
      for (file, next) in zip(files, files.dropFirst())
      where !file.relativePath.utf8.lexicographicallyPrecedes(next.relativePath.utf8) {
        // The plan sorts files by their paths, which would be another order than that of report.
        throw StepError(
          .unsupported,
          "steps do not support inputs that have files of the same path, such as \(next.shownPath)")
      }
      for file in files {
        guard let bytes = OutputFileSystem.contents(ofAnything: file.path) else {
          // The next step must not take the frames before this file for all of them.
          try StandardStream.output.write([0])
          Console.standard.error("\(file.shownPath): error: cannot read the file [cannot-read]")
          throw ExitCode(ExitReason.unusableInput.rawValue)
        }
        try write([FileFrame.frame(file, bytes)])
      }
    }
  }
}

/// `subreport step scout`.
struct StepScout: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scout", abstract: "Files → what each of them is.")

  func run() throws {
    try withStepErrors {
      var frames = standardInput
      try write(try Scout.frames(&frames))
    }
  }
}

/// `subreport step plan`.
struct StepPlan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "What the files are, and the options of report → the plan for all later steps.")

  @Option(
    help: ArgumentHelp(
      "The number of partitions of subscribers and customers. Default: twice the cores, or one for each 250,000 charges if that is more.",
      valueName: "n"))
  var partitions: Int?

  @Option(
    help: ArgumentHelp("The cores of all machines. Default: those of this one.", valueName: "n"))
  var cores: Int?

  @Flag(help: "Complete a plan: it comes first, then the frames \"files\" of all extracts.")
  var complete = false

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "The inputs and options of report; inputs are only named, not read.", valueName: "report"))
  var call: [String] = []

  func validate() throws {
    let most = Planning.mostPartitions
    for (name, number) in [("--partitions", partitions), ("--cores", cores)] {
      guard let number, !(1...most).contains(number) else { continue }
      throw UsageError("\(name) \(number): use a number from 1 to \(most)")
    }
    guard complete || !call.isEmpty else {
      throw UsageError(
        "step plan needs the inputs and options of report, such as: step plan reports")
    }
    guard !complete || call.isEmpty else {
      throw UsageError("--complete takes no other argument: the plan has the options already")
    }
  }

  func run() throws {
    try withStepErrors {
      var frames = standardInput
      guard !complete else {
        return try write([try Planning.completeFrame(StepSettings.plan, &frames)])
      }
      let settings = try StepSettings(ofReport: call)
      let frame = try Planning.frame(
        settings.bytes, try StepSettings.plan(settings.bytes), partitionCount: partitions,
        cores: cores ?? Processors.count, &frames)
      try write([frame])
    }
  }
}

/// `subreport step extract`.
struct StepExtract: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Plan, files → their content, their charges by partition, and responses of receipts.")

  func run() throws {
    try withStepErrors {
      var frames = standardInput
      try Extraction.run(StepSettings.plan, &frames) { try write([$0]) }
    }
  }
}

/// `subreport step join`.
struct StepJoin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Complete plan, responses of receipts → which of their ids belong to one customer.")

  func run() throws {
    try withStepErrors {
      var frames = standardInput
      try write([try Joining.frame(StepSettings.plan, &frames)])
    }
  }
}

/// `subreport step divide`.
struct StepDivide: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "divide",
    abstract: "Complete plan, joins, responses of receipts → those of each partition.")

  func run() throws {
    try withStepErrors {
      var frames = standardInput
      try write(try Joining.divided(StepSettings.plan, &frames))
    }
  }
}

/// `subreport step fold`.
struct StepFold: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fold",
    abstract: "Complete plan, charges and receipts of partitions → their counts.")

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A partition, from 0; repeat for more, in the order of their frames.", valueName: "n"))
  var partition: [Int]

  @Flag(help: "The first pass: find only which products are sold in instalments.")
  var instalments = false

  @Flag(help: "The last pass: count who met a price increase.")
  var prices = false

  func validate() throws {
    guard !instalments || !prices else {
      throw UsageError("--instalments and --prices are two passes")
    }
  }

  func run() throws {
    let pass: Folding.Pass = instalments ? .instalments : prices ? .prices : .counts
    try withStepErrors {
      var frames = standardInput
      try write([try Folding.frame(StepSettings.plan, pass, partitions: partition, &frames)])
    }
  }
}

/// `subreport step merge`.
struct StepMerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Complete plan, results of folds → one result.")

  func run() throws {
    try withStepErrors {
      var frames = standardInput
      try write([try Folding.mergedFrame(StepSettings.plan, &frames)])
    }
  }
}

/// `subreport step finish`.
struct StepFinish: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish", abstract: "The results of all steps → the folder of report.")

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The folder to write.", valueName: "path"), completion: .directory)
  var output: String?

  @Flag(help: "Replace a folder although it has files that subreport did not write.")
  var force = false

  @Flag(help: "Write no folder, but the price changes as a frame.")
  var prices = false

  func validate() throws {
    guard prices != (output != nil) else {
      throw UsageError("step finish needs -o, the folder to write, or --prices")
    }
  }

  func run() throws {
    try withStepErrors {
      var frames = standardInput
      guard let output else {
        return try write([try Finishing.prices(StepSettings.plan, &frames)])
      }
      let writer = try OutputFolder(path: output, force: force)
      var last: StepSettings.Run?
      let result = try Finishing.result(
        { bytes in
          // The ledger is locked before other frames are read, as report does.
          last = try StepSettings(bytes).run(at: output)
          return try StepSettings.plan(bytes)
        }, &frames)
      try last?.write(result, to: writer, at: output)
    }
  }
}

// MARK: - Options

/// The options of `report`, as a plan has them.
private struct StepSettings {
  /// The options as a plan carries them.
  let bytes: [UInt8]
  private let call: RecordedCall
  private let optionFiles: OptionFiles
  private let running: [SettingKey: Settings.Value]

  /// The settings of report that steps do not obey.
  private static let unsupported: Set<SettingKey> = [
    .evidence, .anonymizeKey, .cache, .changes,
  ]

  /// The settings that no manifest has, but steps obey.
  private static let running: [SettingKey] = [
    .memory, .strict, .failIf, .maxRejects, .brief, .quiet, .verbose, .ledger,
  ]

  /// Reads the arguments of `report`.
  ///
  /// - Throws: `UsageError` for wrong arguments, and for a setting that steps do not support.
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
    for key in SettingKey.stored where Self.unsupported.contains(key) {
      guard settings[key]?.texts.isEmpty == false, settings.text(key) != "false" else { continue }
      throw UsageError("\(settings.origin(key)): steps do not support it yet")
    }
    call = try settings.recorded()
    optionFiles = settings.optionFiles
    let manifest = Manifest(version: Subreport.version, call: call, inputs: [], outputs: [])
    var running = settings.values(of: Self.running)
    if report.output.brief { running[.brief] = Settings.Value(texts: ["true"], origin: "plan") }
    self.running = running
    bytes =
      StepOptions(
        text: Array(manifest.text.utf8), files: try Self.files(settings),
        running: running.map { .init(key: $0.key.rawValue, texts: $0.value.texts) }
      ).bytes
  }

  /// Returns the files that options name, by the paths that pages show.
  private static func files(_ settings: Settings) throws -> [StepOptions.File] {
    var files: [StepOptions.File] = []
    for key in SettingKey.stored where Settings.recordedFiles.contains(key) {
      for path in settings.list(key) {
        guard let bytes = settings.optionFiles.bytes(path) else { continue }
        let file = StepOptions.File(path: Settings.shown(path), bytes: bytes)
        guard files.allSatisfy({ $0.path != file.path || $0.bytes == file.bytes }) else {
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
      values: values, sections: [:], configPath: nil, optionFiles: optionFiles)
    let paths = call.files.reduce(into: [SettingKey: [String]]()) { paths, file in
      guard let key = SettingKey(rawValue: file.option) else { return }
      paths[key, default: []].append(file.path)
    }
    let settings = try Settings(
      repeating: call, inputs: call.arguments, files: paths, running: running,
      keys: Settings.runningKeys + Self.running, origin: "command line")
    return try RunCommand(ofReport: settings)
  }

  /// Returns what writes the folder of a result, as report does.
  ///
  /// - Parameter folder: The folder.
  /// - Returns: The run, with the ledger locked.
  /// - Throws: The errors of report about `--ledger`.
  func run(at folder: String) throws -> Run {
    let command = try command(jobs: nil)
    let ledger = try command.ledgerFile(folder).map { try RunLedger($0, command.console) }
    return Run(command: command, ledger: ledger)
  }

  /// A run whose last step is this one.
  struct Run {
    let command: RunCommand
    let ledger: RunLedger?
  }
}

extension StepSettings.Run {
  /// Writes the folder.
  ///
  /// - Throws: `ExitCode` for findings that change the exit code.
  func write(_ result: RunResult, to writer: consuming OutputFolder, at folder: String) throws {
    for note in writer.notes { command.console.note(note) }
    try command.report(result)
    do {
      let reasons = try command.write(
        result, to: writer, at: folder, ledger: ledger,
        isBrief: command.settings.text(.brief) != nil)
      try command.exit(reasons)
    } catch let error as ConversionError {
      command.console.error(error.line(command.settings.text(.rates)))
      try command.exit([.unusableInput])
    }
  }
}

// MARK: - Frames

/// The frames on standard input.
private var standardInput: FrameSource {
  FrameSource(version: Subreport.version) { count in try StandardStream.input.read(count) }
}

/// Writes frames on standard output.
private func write(_ frames: [Frame]) throws {
  try Console.standard.data { (write) throws(OutputError) in
    for frame in frames {
      for part in frame.parts(version: Subreport.version) { try write(part) }
    }
  }
}

/// Runs a step; prints its error in one line, and throws its exit code.
private func withStepErrors(_ body: () throws -> Void) throws {
  do {
    try withInputFailures(body)
  } catch let error as StepError {
    Console.standard.error(error.line)
    throw ExitCode(error.reason.rawValue)
  }
}
